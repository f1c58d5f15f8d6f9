import type { Answer } from '../http/answer.js';
import type { PlainRequest, PlainRoute } from '../http/plain-route.js';
import { forbidden } from '../core/errors.js';
import { problemPage } from './problem-page.js';
import {
  isSignedIn,
  openVisit,
  redirect,
  type FormVisit,
  type SignedInVisit,
  type Visit,
  type VisitDeps,
} from './visit.js';

/** The maximum size of a form; larger bodies are refused unread. */
const MAX_FORM_BYTES = 64 * 1024;

export type PageHandler<V> = (visit: V) => Answer | Promise<Answer>;

/**
 * Creates routes for pages. Errors of a handler are shown as a page with the problem's status. Forms without a valid
 * CSRF token are answered with 403.
 */
export interface PageRoutes {
  /** A page for everyone. */
  readonly show: (path: string, handler: PageHandler<Visit>) => PlainRoute;
  /** A form for everyone. */
  readonly accept: (path: string, handler: PageHandler<FormVisit>) => PlainRoute;
  /** A page for signed-in users; others are redirected to sign in first. */
  readonly showToUser: (path: string, handler: PageHandler<SignedInVisit>) => PlainRoute;
  /** A form for signed-in users. */
  readonly acceptFromUser: (path: string, handler: PageHandler<SignedInVisit<FormVisit>>) => PlainRoute;
}

export function createPageRoutes(deps: VisitDeps): PageRoutes {
  const route = (method: 'GET' | 'POST', path: string, handle: PlainRoute['handler']): PlainRoute => ({
    method,
    path,
    maxBodyBytes: MAX_FORM_BYTES,
    showProblem: problemPage,
    handler: handle,
  });
  const visited = async (request: PlainRequest, handler: PageHandler<Visit>): Promise<Answer> => {
    const { visit, finish } = await openVisit(deps, request);
    return finish(await handler(visit));
  };
  const proven = async (request: PlainRequest, handler: PageHandler<FormVisit>): Promise<Answer> => {
    const { visit, isProven, finish } = await openVisit(deps, request);
    if (!isProven) throw forbidden(STALE_FORM);
    return finish(await handler(visit));
  };
  return {
    show: (path, handler) => route('GET', path, (request) => visited(request, handler)),
    accept: (path, handler) => route('POST', path, (request) => proven(request, handler)),
    showToUser: (path, handler) => route('GET', path, (request) => visited(request, ofUser(handler))),
    acceptFromUser: (path, handler) => route('POST', path, (request) => proven(request, ofUser(handler))),
  };
}

const STALE_FORM =
  'This form is out of date, or did not come from this site. Go back, reload the page and try again.';

function ofUser<V extends Visit>(handler: PageHandler<SignedInVisit<V>>): PageHandler<V> {
  return (visit) => (isSignedIn(visit) ? handler(visit) : signInFirst(visit));
}

/** The parameters of the sign-in page. */
export interface SignInOptions {
  /** The path to return to. */
  readonly next: string;
  /** The expected user. */
  readonly username?: string;
  /** Asks for the password even if the user is signed in. */
  readonly again?: boolean;
}

/** Redirects to the sign-in page, which returns to the current page. */
export function signInFirst({ request }: Visit, options: Partial<SignInOptions> = {}): Answer {
  return redirect(signInPath({ next: request.url, ...options }));
}

/** Returns the path of the sign-in page. */
export function signInPath({ next, username, again }: SignInOptions): string {
  const query = new URLSearchParams({ next });
  if (username !== undefined) query.set('username', username);
  if (again === true) query.set('again', '1');
  return `/sign-in?${query.toString()}`;
}
