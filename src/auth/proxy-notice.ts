import type { IncomingMessage } from 'node:http';
import { createProxyCheck } from './oauth1/base-urls.js';

/** What an undeclared proxy costs, and what to do about it. */
const ADVICE =
  'all clients behind it share its address: a stranger who types wrong passwords keeps everybody from signing in; ' +
  'declare it with --trusted-proxy ADDRESS or PIPIT_TRUSTED_PROXY';

/** Where clients reach the server, as far as the settings say. */
export interface ProxySettings {
  readonly baseUrl?: string;
  readonly trustedProxy: readonly string[];
}

/**
 * Says what is wrong when the settings tell of a proxy that they do not declare: this server speaks no TLS itself, so
 * clients that reach it by https come through one. Undefined when nothing is wrong.
 */
export function missingProxyAdvice({ baseUrl, trustedProxy }: ProxySettings): string | undefined {
  if (trustedProxy.length > 0 || baseUrl?.startsWith('https:') !== true) return undefined;
  return `the base URL is https, so there is a proxy before this server, but none is declared: ${ADVICE}`;
}

const FORWARDING_HEADERS = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded'] as const;

/** Warns, once, of a request with forwarding headers from an address that is no declared proxy. */
export function createProxyNotice(
  trustedProxies: readonly string[],
  log: { warn(fields: object, message: string): void },
): (request: IncomingMessage) => void {
  const isTrusted = createProxyCheck(trustedProxies);
  let isToldOf = false;
  return ({ headers, socket }) => {
    if (isToldOf || !FORWARDING_HEADERS.some((name) => headers[name] !== undefined)) return;
    const { remoteAddress } = socket;
    if (isTrusted(remoteAddress)) return;
    isToldOf = true;
    log.warn(
      { peer: remoteAddress },
      `a peer that is no declared proxy sends forwarding headers, which are ignored; if it is your proxy, ${ADVICE}`,
    );
  };
}
