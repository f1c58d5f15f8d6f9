import type { IncomingHttpHeaders } from 'node:http';

/** What authentication reads of a request. Nothing in it has been decoded or checked. */
export interface AuthRequest {
  readonly method: string;
  /** The request target as it was sent: path and query, percent escapes kept. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values by turns, as `node:http` gives them: `headers` hides a second Authorization. */
  readonly rawHeaders?: readonly string[];
  /** The body as it was sent, only when its type is `application/x-www-form-urlencoded`. */
  readonly formBody?: string;
  /** True when this connection itself is TLS; a proxy before it does not count. */
  readonly encrypted: boolean;
  readonly remoteAddress?: string;
}

/** How often a header came; `name` in lower case, `rawHeaders` are names and values by turns. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const other = rawHeaders[index];
    // Most are told apart by their length, without making them lower case.
    if (other?.length === name.length && other.toLowerCase() === name) count += 1;
  }
  return count;
}
