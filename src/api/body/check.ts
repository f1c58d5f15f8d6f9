import { isObject } from '../../core/validators.js';
import type { Faults } from '../../http/faults.js';
import { BodyFaults } from './body-faults.js';
import type { JsonBody } from './body.js';
import { mediaTypeOf } from '../../http/request-parts.js';
import { JsonRefused, readJson } from '../../http/json.js';

const NO_RENAMES: ReadonlyMap<string, string> = new Map();

/** A JSON body: the parsed JSON, and the value for the handler. */
interface CheckedBody {
  /** Flat names are folded; undefined if the body is unreadable. */
  readonly json: unknown;
  /** Undefined if the body has a fault. */
  readonly body: unknown;
}

/**
 * Reads a JSON body: content type, syntax, flat names, then the declared fields, reporting every fault. An empty body
 * counts as an empty object, so that the missing fields are named.
 */
export function checkJsonBody(
  spec: JsonBody<unknown>,
  contentType: string | undefined,
  bytes: Buffer,
  faults: Faults,
): CheckedBody {
  const value = read(contentType, bytes, faults);
  return value === undefined ? UNREADABLE : checkJson(spec, value.json, faults);
}

const UNREADABLE: CheckedBody = { json: undefined, body: undefined };

/** Checks a parsed JSON body as `checkJsonBody` does; folds flat names in place. `json` is as `readJson` returns it. */
export function checkJson(spec: JsonBody<unknown>, json: unknown, faults: Faults): CheckedBody {
  const renamed = isObject(json) ? foldFlatNames(json, spec.flat, faults) : NO_RENAMES;
  return { json, body: spec.object.check(json, '$', new BodyFaults(faults, renamed)) };
}

function read(
  contentType: string | undefined,
  bytes: Buffer,
  faults: Faults,
): { readonly json: unknown } | undefined {
  if (bytes.length === 0) return { json: {} };
  if (mediaTypeOf(contentType ?? '') !== 'application/json') {
    const sent = contentType === undefined ? [] : [contentType];
    faults.add('content-type', sent, 'Requests with bodies must have content-type of application/json.');
    return undefined;
  }
  try {
    return { json: readJson(bytes) };
  } catch (error) {
    if (!(error instanceof JsonRefused)) throw error;
    faults.add('$', [], error.message);
    return undefined;
  }
}

type Node = Record<string, unknown>;

/**
 * Moves the flat names of a body to their nested places, in place, and returns the names for faults. A field sent in
 * both forms with different values is a fault (docs/api/posts.md).
 */
function foldFlatNames(
  body: object,
  flat: Readonly<Record<string, string>>,
  faults: Faults,
): ReadonlyMap<string, string> {
  const root = body as Node;
  const sent = new Map<string, string>();
  const created = new Set<string>();
  for (const [name, target] of Object.entries(flat)) {
    if (!Object.hasOwn(root, name)) continue;
    const value = root[name];
    delete root[name];
    if (place(root, target.split('.'), value, created)) sent.set(jsonPath(target), `$.${name}`);
    else new BodyFaults(faults, sent).add(`$.${name}`, `differs from ${jsonPath(target)}`, value);
  }
  // A member missing in an object that only flat names created is reported by its flat name.
  for (const [name, target] of Object.entries(flat)) {
    const parent = target.split('.').slice(0, -1).join('.');
    if (created.has(parent)) sent.set(jsonPath(target), `$.${name}`);
  }
  return sent;
}

/** Returns false if another value is there. Containers that are not objects are left to the checks. */
function place(root: Node, steps: readonly string[], value: unknown, created: Set<string>): boolean {
  let node: Node = root;
  for (const [index, step] of steps.slice(0, -1).entries()) {
    if (!Object.hasOwn(node, step)) {
      node[step] = /^\d+$/.test(steps[index + 1] ?? '') ? [] : {};
      created.add(steps.slice(0, index + 1).join('.'));
    }
    const next = node[step];
    if (typeof next !== 'object' || next === null) return true;
    node = next as Node;
  }
  const last = steps.at(-1) ?? '';
  if (Object.hasOwn(node, last)) return JSON.stringify(node[last]) === JSON.stringify(value);
  node[last] = value;
  return true;
}

function jsonPath(target: string): string {
  return target
    .split('.')
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : `${path}.${step}`), '$');
}
