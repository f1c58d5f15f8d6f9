import type { JsonSchema } from '../json-schema.js';

/** Building blocks of the component schemas. */

export const id: JsonSchema = { type: 'string', pattern: '^[0-9]{1,19}$', example: '1346889436626259968' };
export const text: JsonSchema = { type: 'string' };
export const url: JsonSchema = { type: 'string', format: 'uri' };
export const flag: JsonSchema = { type: 'boolean' };
export const count: JsonSchema = { type: 'integer', minimum: 0 };
export const date: JsonSchema = {
  type: 'string',
  format: 'date-time',
  example: '2022-10-07T22:42:12.000Z',
};

export function described(schema: JsonSchema, description: string): JsonSchema {
  return { ...schema, description };
}

export function oneOf(...values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** An object; members not in `required` may be absent, members unknown here may be present. */
export function object(properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

/** An object of counts, all present. */
export function counts(...names: readonly string[]): JsonSchema {
  return object(Object.fromEntries(names.map((name) => [name, count])), names);
}
