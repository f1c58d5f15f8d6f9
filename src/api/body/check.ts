import { isObject } from '../../core/validators.js';
import type { Faults } from '../../http/faults.js';
import { BodyFaults } from './body-faults.js';
import type { JsonBody } from './body.js';
import { foldFlatNames } from './fold.js';
import { mediaTypeOf } from '../../http/sent-credentials.js';
import { JsonRefused, readJson } from '../../http/json.js';

const NO_RENAMES: ReadonlyMap<string, string> = new Map();

/** A JSON body: the parsed JSON, and the value for the handler. */
export interface CheckedBody {
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
  if (value === undefined) return { json: undefined, body: undefined };
  const { json } = value;
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
