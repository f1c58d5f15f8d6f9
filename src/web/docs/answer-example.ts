import type { AnyEndpoint } from '../../api/endpoint.js';
import { exampleUrl } from '../../api/reference/examples.js';
import { components } from '../../api/schemas/components.js';
import type { JsonSchema } from '../../core/json-schema.js';

/**
 * Returns an answer that the declared schema of an endpoint allows: `data`, the members that every answer has, and
 * those that the example request asks for. Returns undefined if answers have no JSON, or the schema names no members.
 */
export function answerExample(endpoint: AnyEndpoint): unknown {
  const { response, file } = endpoint;
  if (response === undefined || file === true || !hasParts(response)) return undefined;
  const query = new URLSearchParams(exampleUrl(endpoint).split('?')[1] ?? '');
  const asked = new Set(
    [...query].flatMap(([name, value]) => (name.endsWith('.fields') ? value.split(',') : [])),
  );
  return valueOf(response, '', { asked, depth: 0, undoes: undoes(endpoint) });
}

/** Some answers are declared by a description only, such as the messages of streams. */
function hasParts(schema: JsonSchema): boolean {
  return '$ref' in schema || 'properties' in schema || 'items' in schema || 'anyOf' in schema;
}

/** Reports whether an endpoint ends a state: its answer says `false`, such as `liked`. */
function undoes({ method, path }: AnyEndpoint): boolean {
  return method === 'DELETE' || path.endsWith('/unblock');
}

/** What an endpoint did, rather than a state that it ended. */
const DONE: ReadonlySet<string> = new Set(['deleted', 'removed', 'denied']);

/** Returns a value that a schema allows. */
export function schemaExample(schema: JsonSchema): unknown {
  return valueOf(schema, '', { asked: new Set(), depth: 0, undoes: false });
}

interface Place {
  /** Members that are shown though answers may lack them. */
  readonly asked: ReadonlySet<string>;
  readonly depth: number;
  readonly undoes: boolean;
}

/** Deeper values are left out: objects contain objects of their own kind. */
const MAX_DEPTH = 6;

function valueOf(schema: JsonSchema, name: string, place: Place): unknown {
  const resolved = resolve(schema);
  if (resolved['example'] !== undefined) return resolved['example'];
  if (Array.isArray(resolved['enum'])) return resolved['enum'][0];
  switch (resolved['type']) {
    case 'object':
      return objectOf(resolved, place);
    case 'array':
      return place.depth >= MAX_DEPTH
        ? []
        : [valueOf((resolved['items'] ?? {}) as JsonSchema, singular(name), deeper(place))];
    case 'integer':
    case 'number':
      return Math.max(1, Number(resolved['minimum'] ?? 1));
    case 'boolean':
      return !place.undoes || DONE.has(name);
    default:
      return textOf(resolved, name);
  }
}

function deeper(place: Place): Place {
  return { ...place, depth: place.depth + 1 };
}

/** Follows references, and takes the first of several alternatives. */
function resolve(schema: JsonSchema): JsonSchema {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const name = reference.slice(reference.lastIndexOf('/') + 1) as keyof typeof components;
    return resolve(components[name]);
  }
  const [first] = ((schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined) ?? [];
  return first === undefined ? schema : resolve(first);
}

function objectOf(schema: JsonSchema, place: Place): Record<string, unknown> {
  const members = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  return Object.fromEntries(
    chosen(schema, members, place).map(([name, member]) => [name, valueOf(member, name, deeper(place))]),
  );
}

type Member = [name: string, schema: JsonSchema];

function chosen(schema: JsonSchema, members: Member[], { asked, depth }: Place): Member[] {
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const shown = members.filter(
    ([name]) => required.has(name) || asked.has(name) || (depth === 0 && name === 'data'),
  );
  if (shown.length > 0 || depth >= MAX_DEPTH) return shown;
  return members.filter(([, member]) => !isNewerName(member)).slice(0, MAX_MEMBERS);
}

/** Of an object without members that every answer has. */
const MAX_MEMBERS = 4;

function isNewerName({ description }: JsonSchema): boolean {
  return typeof description === 'string' && description.endsWith('by its newer name.');
}

/** What texts of a name look like. */
const TEXTS: Readonly<Record<string, string>> = {
  username: 'maya',
  screen_name: 'maya',
  name: 'Maya',
  text: 'Hello from Pipit',
  full_text: 'Hello from Pipit',
  media_key: '3_1346889436626259968',
  next_token: '7140dibdnow9c7btw481s8m561gat797rboud5r80xvzm',
  lang: 'en',
  title: 'Birds of the pond',
  query: '#birds',
  url: 'https://example.org/',
  detail: 'What happened.',
};

/** Values that match the patterns of texts. */
const PATTERNED = ['1346889436626259968', '3_1346889436626259968', '1DXxyRYNejbKM', 'maya', '12', 'abc'];

function textOf(schema: JsonSchema, name: string): string {
  const { pattern, format } = schema;
  if (format === 'uri') return 'https://example.org/';
  if (typeof pattern === 'string') {
    return PATTERNED.find((value) => new RegExp(pattern, 'u').test(value)) ?? '';
  }
  if (/(?:^|_)id(?:_str)?$/.test(name)) return '1346889436626259968';
  return TEXTS[name] ?? name;
}

function singular(name: string): string {
  return name.replace(/s$/, '');
}
