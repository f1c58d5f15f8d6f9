import { Answer } from '../http/answer.js';
import { isForm } from '../http/content-type.js';
import type { PlainRequest } from '../http/plain-route.js';
import { html, type Html } from '../api/reference/html.js';
import { invalidRequest } from '../core/errors.js';
import { isUnicodeText } from '../core/unicode.js';
import type { ProvenPassword } from '../services/accounts/authority.js';
import { generate } from '../services/secrets/secrets.js';
import {
  SESSION_LIFETIME_MS,
  type SignedIn,
  type WebSessionService,
} from '../services/accounts/web-sessions.js';
import type { CookieJar } from './cookies.js';
import { CSRF_FIELD, csrfTokenOf, isCsrfToken } from './csrf.js';
import { navigationOf } from './navigation.js';
import { page, type PageOptions } from './page.js';

/** What a session's cookie is called, and that of a browser that is signed out and has a form open. */
const SESSION_COOKIE = 'pipit_session';
const FORM_COOKIE = 'pipit_form';

/** One request of a browser, as the handlers of pages see it. */
export interface Visit {
  readonly request: PlainRequest;
  readonly query: URLSearchParams;
  /** Who is signed in. */
  readonly viewer: SignedIn | undefined;
  /** The hidden field that every form needs. */
  csrfField(): Html;
  /** A page with the viewer's top bar. */
  show(options: Omit<PageOptions, 'viewer' | 'path'>, body: Html): Answer;
  /** Sends the browser on (303): to a path of this server, or to a URI that an app registered. */
  goTo(location: string): Answer;
  /**
   * Signs a user in on this browser, in a new session: one from before the sign-in may be known to others. False when the
   * password was changed, or the account hidden, since the password was checked.
   */
  startSession(proof: ProvenPassword): Promise<boolean>;
  /** Signs out. */
  endSession(): Promise<void>;
}

/** The request of a form of ours, which is proven. */
export interface FormVisit extends Visit {
  readonly form: URLSearchParams;
}

/** That of somebody who is signed in. */
export type SignedInVisit<V extends Visit = Visit> = V & { readonly viewer: SignedIn };

/** True for a visit of somebody who is signed in. */
export function isOfUser<V extends Visit>(visit: V): visit is SignedInVisit<V> {
  return visit.viewer !== undefined;
}

export interface VisitDeps {
  readonly sessions: WebSessionService;
  readonly cookies: CookieJar;
}

/** A visit, and what goes into its answer beside what its handler made. */
export interface OpenVisit {
  readonly visit: FormVisit;
  /** True when the form carries the browser's own CSRF token. */
  readonly isProven: boolean;
  /** The answer with the cookies that the visit changed. */
  finish(answer: Answer): Answer;
}

/** Reads who visits. Throws `invalid-request` for texts that no database keeps. */
export async function openVisit(deps: VisitDeps, request: PlainRequest): Promise<OpenVisit> {
  const { sessions, cookies } = deps;
  const sent = (name: string) => cookies.read(request.headers.cookie, name) || undefined;
  const sessionToken = sent(SESSION_COOKIE);
  const viewer = sessionToken === undefined ? undefined : await sessions.find(sessionToken);
  const setCookies = new Map<string, string>();
  const set = (name: string, value: string, maxAgeSeconds?: number) =>
    setCookies.set(name, cookies.write(name, value, maxAgeSeconds));
  if (viewer?.isRenewed) set(SESSION_COOKIE, sessionToken ?? '', SESSION_SECONDS);

  let secret = viewer ? sessionToken : sent(FORM_COOKIE);
  const query = new URLSearchParams(request.rawQuery);
  const form = readForm(request);
  requireText(query);
  requireText(form);
  const isProven = isCsrfToken(form.get(CSRF_FIELD) ?? '', secret);
  const csrfToken = (): string => {
    if (secret === undefined) {
      secret = generate.sessionToken();
      set(FORM_COOKIE, secret);
    }
    return csrfTokenOf(secret);
  };

  const visit: FormVisit = {
    request,
    form,
    query,
    viewer,
    csrfField: () => html`<input type="hidden" name="${CSRF_FIELD}" value="${csrfToken()}" />`,
    show: (options, body) =>
      page({ ...options, path: pathOf(request), viewer: viewer && topBarOf(viewer, csrfToken()) }, body),
    goTo: (location) => redirect(location),
    startSession: async (proof) => {
      if (sessionToken !== undefined) await sessions.end(sessionToken);
      const token = await sessions.start(proof, request.headers['user-agent']);
      if (token === undefined) return false;
      set(SESSION_COOKIE, token, SESSION_SECONDS);
      set(FORM_COOKIE, '', 0);
      return true;
    },
    endSession: async () => {
      if (sessionToken !== undefined) await sessions.end(sessionToken);
      set(SESSION_COOKIE, '', 0);
    },
  };
  const finish = (answer: Answer): Answer => withCookies(answer, [...setCookies.values()]);
  return { visit, isProven, finish };
}

const SESSION_SECONDS = SESSION_LIFETIME_MS / 1000;

function topBarOf(viewer: SignedIn, csrfToken: string) {
  return { username: viewer.user.username, csrfToken, links: navigationOf(viewer) };
}

/** The fields of a form; none for a body of any other type, which then carries no CSRF token either. */
function readForm({ headers, body }: PlainRequest): URLSearchParams {
  return new URLSearchParams(isForm(headers['content-type']) ? body.toString() : '');
}

function requireText(fields: URLSearchParams): void {
  for (const [name, value] of fields) {
    if (!isUnicodeText(value)) throw invalidRequest(name, [], 'A NUL character is no text.');
  }
}

function pathOf({ url }: PlainRequest): string {
  return url.split('?', 1)[0] ?? '/';
}

/** Sends a browser to `location` with a GET. Nothing in it can end the header. */
export function redirect(location: string): Answer {
  const safe = location.replaceAll(/[^!-~]/gu, encodeURIComponent);
  return new Answer(303, Buffer.alloc(0), {
    location: safe,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
}

function withCookies(answer: Answer, cookies: readonly string[]): Answer {
  if (cookies.length === 0) return answer;
  return new Answer(answer.status, answer.body, { ...answer.headers, 'set-cookie': cookies });
}
