import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { queryOf } from '../auth/auth-request.js';
import type { Clock } from '../core/clock.js';
import type { RefusedRequest, ShowProblem } from '../http/exchange.js';
import type { PlainRequest } from '../http/plain-route.js';
import { APPEARANCE_COOKIE, readAppearance } from './appearance.js';
import { page } from './page.js';
import { problemParts } from './problem-page.js';
import { openVisit, type Visit, type VisitDeps } from './visit.js';

/**
 * Creates the pages of problems with the navigation and the appearance of their readers. A fault of the server is shown
 * without navigation: the session may be what cannot be read.
 */
export function createProblemPages(deps: VisitDeps & { readonly clock: Clock }): ShowProblem {
  return async (problem, refused) => {
    const { request, requestId } = refused;
    const visit = problem.status < 500 ? await visitOf(deps, refused) : undefined;
    const { options, body } = problemParts(problem, {
      url: request.method === 'GET' ? request.url : undefined,
      isSignedIn: visit?.viewer !== undefined,
      nowMs: deps.clock(),
      requestId,
    });
    if (visit) return visit.show({ ...options, signIn: '/sign-in' }, body);
    const appearance = readAppearance(deps.cookies.read(request.headers.cookie, APPEARANCE_COOKIE));
    return page({ ...options, appearance }, body);
  };
}

/** Returns a visit without form and path, or undefined for a request that cannot be read. */
async function visitOf(deps: VisitDeps, refused: RefusedRequest): Promise<Visit | undefined> {
  try {
    return (await openVisit(deps, plainRequestOf(refused))).visit;
  } catch {
    return undefined;
  }
}

function plainRequestOf({ request, requestId }: RefusedRequest): PlainRequest {
  const { method = 'GET', url = '/', headers, rawHeaders, socket }: IncomingMessage = request;
  return {
    method,
    url,
    headers,
    rawHeaders,
    requestId,
    path: {},
    rawQuery: queryOf(url),
    body: Buffer.alloc(0),
    stream: Readable.from([]),
    encrypted: false,
    remoteAddress: socket.remoteAddress,
    identify: () => undefined,
  };
}
