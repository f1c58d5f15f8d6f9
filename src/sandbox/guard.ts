import type { IncomingMessage } from 'node:http';
import { forbidden } from '../core/errors.js';
import { isLoopback } from '../core/loopback.js';
import { equalsInConstantTime } from '../services/secrets/secrets.js';

/** The header of the key of a sandbox. */
export const KEY_HEADER = 'x-pipit-sandbox-key';

interface GuardOptions {
  /** The public URL of the server. */
  readonly publicUrl: string;
  /** Absent if the sandbox has no key. */
  readonly key: string | undefined;
}

/**
 * Creates the check of requests to the sandbox's own paths, which control everything: it throws a 403 for a foreign
 * host (DNS rebinding), for a foreign origin (a page in a browser), and without the key if there is one.
 */
export function createGuard({ publicUrl, key }: GuardOptions) {
  const { hostname: publicHost, origin: ownOrigin } = new URL(publicUrl);
  const isOwnHost = (host: string): boolean => isLoopback(host) || host === publicHost;
  return ({ headers }: Pick<IncomingMessage, 'headers'>): void => {
    // With a key, a foreign page cannot send a valid request, and the name of the host does not matter.
    if (key !== undefined) return requireKey(key, headers[KEY_HEADER]);
    const host = hostnameOf(`http://${headers.host ?? ''}`);
    if (host === undefined || !isOwnHost(host)) {
      throw forbidden('The sandbox only answers requests to a loopback host or to its base URL.');
    }
    const { origin } = headers;
    if (origin !== undefined && origin !== ownOrigin && origin !== `http://${headers.host}`) {
      throw forbidden('The sandbox does not answer pages of another origin.');
    }
  };
}

function requireKey(key: string, sent: string | readonly string[] | undefined): void {
  if (typeof sent === 'string' && equalsInConstantTime(sent, key)) return;
  throw forbidden(`The sandbox requires its key in the header ${KEY_HEADER}.`);
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
