import type { Faults } from '../faults.js';
import { BodyFaults } from './body-faults.js';
import type { JsonBody } from './body.js';
import { foldFlatNames } from './fold.js';
import { parseJson } from './json.js';

const NO_RENAMES: ReadonlyMap<string, string> = new Map();
const UNREADABLE = Symbol('unreadable');

/** Far deeper than any body of the interface; what is deeper could exhaust the stack where it is echoed. */
const MAX_DEPTH = 20;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a JSON body: content type, syntax, flat names, then the declared fields, reporting every fault. An empty body
 * counts as an empty object, so that the missing fields are named. Returns undefined when the body is no object at all.
 */
export function checkJsonBody(
  spec: JsonBody<unknown>,
  contentType: string | undefined,
  bytes: Buffer,
  faults: Faults,
): unknown {
  const value = readJson(contentType, bytes, faults);
  if (value === undefined) return undefined;
  const isObject = typeof value.json === 'object' && value.json !== null && !Array.isArray(value.json);
  const renamed = isObject ? foldFlatNames(value.json as object, spec.flat, faults) : NO_RENAMES;
  return spec.object.check(value.json, '$', new BodyFaults(faults, renamed));
}

function readJson(
  contentType: string | undefined,
  bytes: Buffer,
  faults: Faults,
): { readonly json: unknown } | undefined {
  if (bytes.length === 0) return { json: {} };
  if (!isJson(contentType)) {
    const sent = contentType === undefined ? [] : [contentType];
    faults.add('content-type', sent, 'Requests with bodies must have content-type of application/json.');
    return undefined;
  }
  const json = parseBytes(bytes);
  if (json === UNREADABLE) faults.add('$', [], 'Could not parse the request body as JSON.');
  else if (isDeeperThan(MAX_DEPTH, json)) faults.add('$', [], '$: is nested too deeply');
  else return { json };
  return undefined;
}

function parseBytes(bytes: Buffer): unknown {
  try {
    return parseJson(UTF8.decode(bytes));
  } catch {
    return UNREADABLE;
  }
}

function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((member) => isDeeperThan(depth - 1, member));
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}
