import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import passport, { type Strategy } from 'passport';

/** A web site on which people sign in by a strategy of passport's, with one session for whoever comes. */
export interface PassportSite extends AsyncDisposable {
  /** Begins to sign in. */
  readonly signInUrl: string;
  /** What the app registers. */
  readonly callbackUrl: string;
  /** What the strategy remembers of who is signing in. */
  session: Record<string, unknown>;
  /** True: who comes back is only noted. */
  isHeld: boolean;
  /** The address to which the last browser came back. */
  lastVisit(): URL | undefined;
  use(strategy: Strategy): void;
}

type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

export async function startPassportSite(): Promise<PassportSite> {
  let strategy: Strategy | undefined;
  let visited: URL | undefined;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', site.callbackUrl);
    if (!['/sign-in', '/callback'].includes(url.pathname) || !strategy) return page(response, 'Nothing here');
    if (url.pathname === '/callback') {
      visited = url;
      if (site.isHeld) return page(response, 'Held');
    }
    Object.assign(request, { query: Object.fromEntries(url.searchParams), session: site.session });
    const told = (error: unknown, user: unknown): void => {
      if (error instanceof Error) page(response, 'Error', messageOf(error));
      else if (user) page(response, 'Signed in', JSON.stringify(user));
      else page(response, 'Not signed in');
    };
    const authenticate = passport.authenticate(strategy, { session: false }, told) as Middleware;
    return authenticate(request, response, (error) => told(error, undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const site: PassportSite = {
    signInUrl: `${origin}/sign-in`,
    callbackUrl: `${origin}/callback`,
    session: {},
    isHeld: false,
    lastVisit: () => visited,
    use: (next) => void (strategy = next),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return site;
}

/** With what the server said, which passport's own errors keep beside their words. */
function messageOf(error: Error & { readonly oauthError?: { readonly data?: string } }): string {
  return [error.message, error.oauthError?.data].filter((part) => part !== undefined).join(': ');
}

function page(response: ServerResponse, heading: string, text = ''): void {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  response.setHeader('content-type', 'text/html');
  response.end(`<!doctype html><title>Site</title><h1>${heading}</h1><p>${escaped}</p>`);
}
