import type { Answer } from '../http/answer.js';
import type { PlainRequest, PlainRoute } from '../http/plain-route.js';
import { forbidden } from '../core/errors.js';
import { problemPage } from './problem-page.js';
import {
  isOfUser,
  openVisit,
  redirect,
  type FormVisit,
  type SignedInVisit,
  type Visit,
  type VisitDeps,
} from './visit.js';

/** Forms are short; what is longer is refused unread. */
const MAX_FORM_BYTES = 64 * 1024;

type Handler<V> = (visit: V) => Answer | Promise<Answer>;

/**
 * Makes routes of pages. What a handler throws is shown as a page with the status of the problem. Handlers of forms are
 * called only for forms of ours (CSRF); others are answered 403.
 */
export interface PageRoutes {
  /** A page that anybody may see. */
  readonly show: (path: string, handler: Handler<Visit>) => PlainRoute;
  /** A form that anybody may send. */
  readonly accept: (path: string, handler: Handler<FormVisit>) => PlainRoute;
  /** A page for who is signed in; others sign in first and come back. */
  readonly showToUser: (path: string, handler: Handler<SignedInVisit>) => PlainRoute;
  /** A form of who is signed in. */
  readonly acceptFromUser: (path: string, handler: Handler<SignedInVisit<FormVisit>>) => PlainRoute;
}

export function createPageRoutes(deps: VisitDeps): PageRoutes {
  const route = (method: 'GET' | 'POST', path: string, handle: PlainRoute['handler']): PlainRoute => ({
    method,
    path,
    maxBodyBytes: MAX_FORM_BYTES,
    showProblem: problemPage,
    handler: handle,
  });
  const visited = async (request: PlainRequest, handler: Handler<Visit>): Promise<Answer> => {
    const { visit, finish } = await openVisit(deps, request);
    return finish(await handler(visit));
  };
  const proven = async (request: PlainRequest, handler: Handler<FormVisit>): Promise<Answer> => {
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

function ofUser<V extends Visit>(handler: Handler<SignedInVisit<V>>): Handler<V> {
  return (visit) => (isOfUser(visit) ? handler(visit) : signInFirst(visit));
}

/** How to sign in. */
export interface SignInWish {
  /** Where to come back to. */
  readonly next: string;
  /** Who is expected. */
  readonly username?: string;
  /** Also who is signed in has to type the password. */
  readonly again?: boolean;
}

/** Sends a browser to the sign-in, and then back. */
export function signInFirst({ request }: Visit, wish: Partial<SignInWish> = {}): Answer {
  return redirect(signInPath({ next: request.url, ...wish }));
}

/** Where to sign in so. */
export function signInPath({ next, username, again }: SignInWish): string {
  const query = new URLSearchParams({ next });
  if (username !== undefined) query.set('username', username);
  if (again === true) query.set('again', '1');
  return `/sign-in?${query.toString()}`;
}
