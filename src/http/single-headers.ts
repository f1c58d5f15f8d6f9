import { countHeader } from '../auth/auth-request.js';
import { invalidRequest } from '../core/errors.js';
import { clip } from './faults.js';

/** Headers of which `node:http` returns only the first value. Authorization is checked where credentials are read. */
const SINGLE_HEADERS = ['host', 'content-type'];

/**
 * Throws a 400 for a duplicate header (RFC 9112 3.2, RFC 9110 5.3), whose effective value would be ambiguous.
 * `rawHeaders` are alternating names and values.
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
