import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { expect } from 'vitest';
import type { TestApp } from '../../support/app.js';

/** The part of the OpenAPI document that the checks use. */
interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: unknown;
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: object }>>;
}

/** Fails the test when a response does not conform to the server’s own OpenAPI document. */
export type ConformityCheck = (method: string, url: string, status: number, body: unknown) => void;

let shared: Promise<ConformityCheck> | undefined;

/**
 * Returns the check against the document that the server serves. It is compiled once for all servers of this process,
 * which serve the same document: compiling takes longer than most tests.
 */
export function servedConformity(app: TestApp): Promise<ConformityCheck> {
  shared ??= app.get('/2/openapi.json').then(({ body }) => conformityCheck(body as OpenApiDocument));
  return shared;
}

/**
 * Checks bodies of every status against the served document, and successful ones also against general rules. Members
 * that the document does not declare are errors.
 */
function conformityCheck(document: OpenApiDocument): ConformityCheck {
  // Compiling dominates: schemas that many responses refer to are compiled once, and without optimizing the code.
  const ajv = new Ajv({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  formats.default(ajv);
  ajv.addSchema({ $id: 'openapi', ...(closed(document) as OpenApiDocument) });
  const validators = new Map<string, ValidateFunction>();
  const routes = Object.keys(document.paths).map((template) => ({ template, pattern: patternOf(template) }));
  return (method, url, status, body) => {
    const pointer = schemaPointer(document, routes, method.toLowerCase(), url, status);
    if (pointer === undefined) return expect(body ?? '', `${method} ${url}`).toBe('');
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
    validators.set(pointer, validate);
    if (!validate(body)) expect.fail(`${method} ${url} ${status}: ${ajv.errorsText(validate.errors)}`);
    const isObjects = url.startsWith('/2/') && url !== '/2/openapi.json' && !HAS_EMPTY_LISTS.test(url);
    if (status < 400 && isObjects) expect(emptyValues(body), `${method} ${url}`).toEqual([]);
  };
}

/** Webhooks and their links are listed as by X, also when there are none (docs/api/webhooks.md#registration). */
const HAS_EMPTY_LISTS = /^\/2\/(tweets\/search\/)?webhooks\b/;

interface Route {
  readonly template: string;
  readonly pattern: RegExp;
}

function schemaPointer(
  document: OpenApiDocument,
  routes: readonly Route[],
  method: string,
  url: string,
  status: number,
): string | undefined {
  const path = url.replace(/\?.*$/s, '');
  const candidates = routes
    .filter(({ template, pattern }) => document.paths[template]?.[method] && pattern.test(path))
    .map(({ template }) => template);
  // The path with the fewest placeholders wins, as in the router: /2/users/me before /2/users/{id}.
  const template = candidates.sort((one, other) => one.split('{').length - other.split('{').length)[0];
  if (template === undefined) throw new Error(`the OpenAPI document has no ${method} ${path}`);
  const responses = document.paths[template]?.[method]?.responses ?? {};
  const code = Object.hasOwn(responses, String(status)) ? String(status) : 'default';
  if (code === 'default' && status < 500) throw new Error(`${method} ${path} does not declare ${status}`);
  const { $ref, content } = responses[code] ?? {};
  const at =
    $ref === undefined ? ['', 'paths', template, method, 'responses', code] : $ref.slice(1).split('/');
  if ($ref === undefined && content === undefined) return undefined;
  return [...at, 'content', 'application/json', 'schema']
    .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
}

/** Returns the document with every object closed to undeclared members. */
export function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]));
  const isOpen = copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}

function patternOf(template: string): RegExp {
  const pattern = template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`);
}

/**
 * Returns the paths of null, empty lists, empty objects and dates that do not end in .000Z: fields without a value
 * are omitted (docs/api/objects.md). GeoJSON `properties` is an empty object by definition.
 */
function emptyValues(value: unknown, path = '$'): string[] {
  if (value === null) return [`${path} is null`];
  if (typeof value === 'string') {
    return /^\d{4}-\d\d-\d\dT/.test(value) && !/:\d\d\.000Z$/.test(value) ? [`${path} is ${value}`] : [];
  }
  if (typeof value !== 'object') return [];
  const members = Object.entries(value);
  if (members.length === 0 && !path.endsWith('.geo.properties')) return [`${path} is empty`];
  return members.flatMap(([name, member]) => emptyValues(member, `${path}.${name}`));
}
