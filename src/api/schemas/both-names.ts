import type { JsonSchema } from '../../core/json-schema.js';
import { newerNameOf } from '../../views/newer-names.js';

/** Returns the schema of an object whose members answers may name either way (docs/api/objects.md#vocabularies). */
export function inBothNames(schema: JsonSchema): JsonSchema {
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>>;
  const newer = Object.entries(properties)
    .filter(([name]) => newerNameOf(name) !== name)
    .map(([name, member]) => [
      newerNameOf(name),
      { ...member, description: `\`${name}\` by its newer name.` },
    ]);
  return { ...schema, properties: { ...properties, ...(Object.fromEntries(newer) as JsonSchema) } };
}
