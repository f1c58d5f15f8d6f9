import type { IncomingMessage } from 'node:http';

/** Below these are what programs call, whoever looks. */
const INTERFACE_PATH = /^\/(?:2|1\.1|oauth2?)(?:\/|$)/;

/** True for a browser that somebody sits at, and who went astray. */
export function wantsPage({ headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>): boolean {
  return headers.accept?.includes('text/html') === true && !INTERFACE_PATH.test(url.split('?', 1)[0] ?? '/');
}
