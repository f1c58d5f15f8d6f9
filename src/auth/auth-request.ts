import type { IncomingHttpHeaders } from 'node:http';

/** The parts of a request that authentication needs. Nothing is decoded or checked yet. */
export interface AuthRequest {
  readonly method: string;
  /** The request target as sent: path and query with percent escapes. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Alternating names and values, as in `node:http`: `headers` hides a second Authorization. */
  readonly rawHeaders?: readonly string[];
  /** The body as sent, only if its type is `application/x-www-form-urlencoded`. */
  readonly formBody?: string;
  /** True if this connection uses TLS; a proxy in front of it does not count. */
  readonly encrypted: boolean;
  readonly remoteAddress?: string;
}

/** Returns the part of a request target before the question mark. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** Returns the part of a request target after the question mark, or an empty string. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** Counts the occurrences of a header. `name` is in lower case; `rawHeaders` are alternating names and values. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const other = rawHeaders[index];
    // Most names differ in length, which avoids the conversion to lower case.
    if (other?.length === name.length && other.toLowerCase() === name) count += 1;
  }
  return count;
}
