import type { IncomingMessage } from 'node:http';
import { createProxyCheck } from './oauth1/base-urls.js';

/** The consequence of an undeclared proxy, and the remedy. */
const ADVICE =
  'all clients behind it share its address, so wrong passwords from one client can block sign-in for everyone; ' +
  'declare it with --trusted-proxy ADDRESS or PIPIT_TRUSTED_PROXY';

/** The settings about the public address of the server. */
export interface ProxySettings {
  readonly baseUrl?: string;
  readonly trustedProxy: readonly string[];
}

/**
 * Returns advice if the settings imply an undeclared proxy: this server does not speak TLS, so https clients come
 * through a proxy. Returns undefined otherwise.
 */
export function missingProxyAdvice({ baseUrl, trustedProxy }: ProxySettings): string | undefined {
  if (trustedProxy.length > 0 || baseUrl?.startsWith('https:') !== true) return undefined;
  return `the base URL uses https, so a proxy is in front of this server, but none is declared: ${ADVICE}`;
}

const FORWARDING_HEADERS = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded'] as const;

/** Creates a function that warns once about forwarding headers from an address that is not a declared proxy. */
export function createProxyNotice(
  trustedProxies: readonly string[],
  log: { warn(fields: object, message: string): void },
): (request: IncomingMessage) => void {
  const isTrusted = createProxyCheck(trustedProxies);
  let hasWarned = false;
  return ({ headers, socket }) => {
    if (hasWarned || !FORWARDING_HEADERS.some((name) => headers[name] !== undefined)) return;
    const { remoteAddress } = socket;
    if (isTrusted(remoteAddress)) return;
    hasWarned = true;
    log.warn(
      { peer: remoteAddress },
      `ignored forwarding headers from a peer that is not a declared proxy; if it is your proxy, ${ADVICE}`,
    );
  };
}
