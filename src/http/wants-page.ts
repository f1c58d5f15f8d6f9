import type { IncomingMessage } from 'node:http';

/** Paths of the API, which never show pages. */
const INTERFACE_PATH = /^\/(?:2|1\.1|oauth2?)(?:\/|$)/;

/** Reports whether a request comes from a person's browser outside the API. */
export function wantsPage({ headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>): boolean {
  return headers.accept?.includes('text/html') === true && !INTERFACE_PATH.test(url.split('?', 1)[0] ?? '/');
}
