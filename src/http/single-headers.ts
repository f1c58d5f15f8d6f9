import { countHeader } from '../auth/auth-request.js';
import { invalidRequest } from '../core/errors.js';
import { clip } from './faults.js';

/** Headers of which `node:http` hands on the first alone; Authorization is watched where credentials are read. */
const SINGLE_HEADERS = ['host', 'content-type'];

/**
 * Throws the 400 for a header that came twice (RFC 9112 3.2, RFC 9110 5.3): which of its values counts must not be a
 * matter of luck. `rawHeaders` are names and values by turns.
 */
export function requireSingleHeaders(rawHeaders: readonly string[]): void {
  for (const name of SINGLE_HEADERS) {
    if (countHeader(rawHeaders, name) > 1) {
      const message = `Duplicate headers are not allowed: the \`${name}\` header`;
      throw invalidRequest(name, valuesOf(name, rawHeaders), message);
    }
  }
}

function valuesOf(name: string, rawHeaders: readonly string[]): string[] {
  return rawHeaders
    .filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
    .map(clip);
}
