import type { IncomingMessage } from 'node:http';
import { pathOf } from '../auth/auth-request.js';
import { readBasic } from '../auth/basic.js';
import { forbidden, PipitError } from '../core/errors.js';
import { isLoopback } from '../core/loopback.js';
import { equalsInConstantTime } from '../services/secrets/secrets.js';
import { INSPECTOR_PATH } from './operation.js';

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
 * host (DNS rebinding), for a foreign origin (a page in a browser), and without the key if there is one. For the pages of
 * the inspector the key may be the password of a Basic header, and its absence is a 401.
 */
export function createGuard({ publicUrl, key }: GuardOptions) {
  const { hostname: publicHost, origin: ownOrigin } = new URL(publicUrl);
  const isOwnHost = (host: string): boolean => isLoopback(host) || host === publicHost;
  return (request: GuardedRequest): void => {
    const { headers } = request;
    // With a key, a foreign page cannot send a valid request, and the name of the host does not matter.
    if (key !== undefined) return requireKey(key, request);
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

type GuardedRequest = Pick<IncomingMessage, 'headers' | 'method' | 'url'>;

function requireKey(key: string, request: GuardedRequest): void {
  const { [KEY_HEADER]: sent, authorization } = request.headers;
  const isKey = (text: string): boolean => equalsInConstantTime(text, key);
  if (typeof sent === 'string' && isKey(sent)) return;
  if (!isForInspector(request)) throw forbidden(`The sandbox requires its key in the header ${KEY_HEADER}.`);
  if (readBasic(authorization)?.some(({ secret }) => isKey(secret))) return;
  throw new PipitError(
    { code: 'unauthorized' },
    { message: 'the inspector requires the key of the sandbox' },
  );
}

/**
 * Reports whether a request is for a page of the inspector. A browser sends the key there as a password. It may also
 * do so for a foreign page, which is harmless only because these pages change nothing.
 */
function isForInspector({ method, url = '' }: GuardedRequest): boolean {
  const path = pathOf(url);
  return method === 'GET' && (path === INSPECTOR_PATH || path.startsWith(`${INSPECTOR_PATH}/`));
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
