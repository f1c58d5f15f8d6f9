import type { JsonSchema } from '../../core/json-schema.js';
import type { AnyEndpoint } from '../endpoint.js';

/**
 * Returns path and query of an example: the required parameters, the first of `exactlyOneOf`, and a field selection
 * if there is one.
 */
export function exampleUrl(endpoint: AnyEndpoint): string {
  const params = Object.entries(endpoint.params ?? {});
  const path = params
    .filter(([, spec]) => spec.in === 'path')
    .reduce((url, [name, spec]) => url.replace(`{${name}}`, String(exampleOf(spec.schema))), endpoint.path);
  const isExample = (name: string): boolean => name === 'tweet.fields' || name === endpoint.exactlyOneOf?.[0];
  const query = params
    .filter(([name, spec]) => spec.in === 'query' && (spec.required || isExample(name)))
    .map(
      ([name, spec]) => `${name}=${name === 'tweet.fields' ? 'created_at' : asText(exampleOf(spec.schema))}`,
    );
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function asText(value: unknown): string {
  const text = Array.isArray(value) ? value.join(',') : String(value);
  return encodeURIComponent(text).replaceAll('%2C', ',');
}

/** Returns a value that a schema allows: the required members only, or the first one if none is required. */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema['example'] !== undefined) return schema['example'];
  if (schema['default'] !== undefined) return schema['default'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  switch (schema['type']) {
    case 'object':
      return exampleObject(schema);
    case 'array':
      return Array<unknown>(Math.max(1, Number(schema['minItems'] ?? 1))).fill(
        exampleOf((schema['items'] ?? {}) as JsonSchema),
      );
    case 'integer':
      return schema['minimum'] ?? 1;
    case 'boolean':
      return true;
    default:
      return exampleText(schema);
  }
}

function exampleObject(schema: JsonSchema): unknown {
  const members = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const requiredNames = (schema['required'] ?? []) as readonly string[];
  const chosen =
    requiredNames.length > 0 ? members.filter(([name]) => requiredNames.includes(name)) : members.slice(0, 1);
  return Object.fromEntries(chosen.map(([name, member]) => [name, exampleOf(member)]));
}

function exampleText(schema: JsonSchema): string {
  if (schema['format'] === 'date-time') return '2022-02-01T00:00:00Z';
  return schema['pattern'] === undefined ? 'hello' : 'alice';
}
