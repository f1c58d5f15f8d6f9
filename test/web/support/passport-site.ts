import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import passport, { type Strategy } from 'passport';

/** A web site on which users sign in with a passport strategy, with one session for everybody. */
export interface PassportSite extends AsyncDisposable {
  /** The URL that starts a sign-in. */
  readonly signInUrl: string;
  /** The URL that the app registers. */
  readonly callbackUrl: string;
  /** The state that the strategy stores during a sign-in. */
  session: Record<string, unknown>;
  /** If true, callbacks are recorded but not processed. */
  isHeld: boolean;
  /** The URL of the last callback. */
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
    const respond = (error: unknown, user: unknown): void => {
      if (error instanceof Error) page(response, 'Error', messageOf(error));
      else if (user) page(response, 'Signed in', JSON.stringify(user));
      else page(response, 'Not signed in');
    };
    const authenticate = passport.authenticate(strategy, { session: false }, respond) as Middleware;
    return authenticate(request, response, (error) => respond(error, undefined));
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

/** Returns the message with the server’s response, which passport’s own errors keep separately. */
function messageOf(error: Error & { readonly oauthError?: { readonly data?: string } }): string {
  return [error.message, error.oauthError?.data].filter((part) => part !== undefined).join(': ');
}

function page(response: ServerResponse, heading: string, text = ''): void {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  response.setHeader('content-type', 'text/html');
  response.end(`<!doctype html><title>Site</title><h1>${heading}</h1><p>${escaped}</p>`);
}
