import { Answer } from '../http/answer.js';
import { isForm } from '../http/request-parts.js';
import type { PlainRequest } from '../http/plain-route.js';
import { html, type Html } from '../api/reference/html.js';
import { invalidRequest, PipitError } from '../core/errors.js';
import { isUnicodeText } from '../core/unicode.js';
import type { ProvenPassword } from '../services/accounts/authority.js';
import { generate } from '../services/secrets/secrets.js';
import {
  SESSION_LIFETIME_MS,
  type SignedIn,
  type WebSessionService,
} from '../services/accounts/web-sessions.js';
import type { CallOperation } from '../api/inner-call.js';
import { webPrincipal } from '../core/web-client.js';
import { WebApi } from './api/web-api.js';
import type { CookieJar } from './cookies.js';
import { csrfTokenOf, isCsrfTokenOf } from './csrf.js';
import type { PageViewer } from './navigation.js';
import { page, type PageOptions } from './page.js';

/** The names of the cookies for sessions and for forms of signed-out browsers. */
const SESSION_COOKIE = 'pipit_session';
const FORM_COOKIE = 'pipit_form';

/** The name of the hidden field in every form. */
const CSRF_FIELD = 'csrf';

/** A browser's request, as page handlers see it. */
export interface Visit {
  readonly request: PlainRequest;
  readonly query: URLSearchParams;
  /** The signed-in user. */
  readonly viewer: SignedIn | undefined;
  /** Calls the API as the viewer, or as the app of the web client for visitors. */
  readonly api: WebApi;
  /** Returns the hidden field that every form needs. */
  csrfField(): Html;
  /** Returns a page with the viewer's top bar. */
  show(options: Omit<PageOptions, 'viewer' | 'url'>, body: Html): Answer;
  /** Redirects (303) to a path of this server or to a registered redirect URI. */
  goTo(location: string): Answer;
  /**
   * Signs a user in with a new session, which prevents session fixation. Returns false when the password has changed
   * since it was verified, or the account is hidden.
   */
  startSession(proof: ProvenPassword): Promise<boolean>;
  /** Ends the session. */
  endSession(): Promise<void>;
}

/** A form request with a valid CSRF token. */
export interface FormVisit extends Visit {
  readonly form: URLSearchParams;
}

/** A visit of a signed-in user. */
export type SignedInVisit<V extends Visit = Visit> = V & { readonly viewer: SignedIn };

/** Reports whether the visitor is signed in. */
export function isSignedIn<V extends Visit>(visit: V): visit is SignedInVisit<V> {
  return visit.viewer !== undefined;
}

export interface VisitDeps {
  readonly call: CallOperation;
  readonly sessions: WebSessionService;
  readonly cookies: CookieJar;
}

/** A visit and the cookies for its answer. */
export interface OpenVisit {
  readonly visit: FormVisit;
  /** True when the form has a valid CSRF token. */
  readonly isProven: boolean;
  /** Adds the changed cookies to an answer. */
  finish(answer: Answer): Answer;
}

/** Reads the fields of a form. `isProven` reports whether fields have the CSRF token of the browser's session. */
type ReadFields = (
  request: PlainRequest,
  viewer: SignedIn | undefined,
  isProven: (fields: URLSearchParams) => boolean,
) => URLSearchParams | Promise<URLSearchParams>;

/** Reads the session and the form of a request. Throws `invalid-request` for NUL characters. */
export async function openVisit(
  deps: VisitDeps,
  request: PlainRequest,
  readFields: ReadFields = readForm,
): Promise<OpenVisit> {
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
  const provenBy = (fields: URLSearchParams): boolean =>
    secret !== undefined && isCsrfTokenOf(secret, fields.get(CSRF_FIELD) ?? '');
  const form = await readFields(request, viewer, provenBy);
  requireText(query);
  requireText(form);
  const isProven = provenBy(form);
  let shownToken: string | undefined;
  const csrfToken = (): string => {
    if (secret === undefined) {
      secret = generate.sessionToken();
      set(FORM_COOKIE, secret);
    }
    return (shownToken ??= csrfTokenOf(secret));
  };

  const api = new WebApi(deps.call, webPrincipal(viewer?.user.id));
  const unread = viewer && hasNavigation(request) ? await unreadOf(api) : undefined;
  const visit: FormVisit = {
    request,
    form,
    query,
    viewer,
    api,
    csrfField: () => html`<input type="hidden" name="${CSRF_FIELD}" value="${csrfToken()}" />`,
    show: (options, body) =>
      page(
        { ...options, url: request.url, viewer: viewer && { ...viewer, unread, csrfToken: csrfToken() } },
        body,
      ),
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

/** Reports whether the answer is a whole page, not a part for the script. */
function hasNavigation({ method, headers }: PlainRequest): boolean {
  return method === 'GET' && headers['pipit-part'] === undefined;
}

/** Counts what the user has not read. A page is worth showing without it. */
async function unreadOf(api: WebApi): Promise<PageViewer['unread']> {
  try {
    const { data } = await api.call<{ unread_count: number; unread_messages: number }>('countUnread');
    return data && { notifications: data.unread_count, messages: data.unread_messages };
  } catch (error) {
    if (error instanceof PipitError) return undefined;
    throw error;
  }
}

const SESSION_SECONDS = SESSION_LIFETIME_MS / 1000;

/** Returns the `set-cookie` value of a session. */
export function sessionCookie(cookies: CookieJar, token: string): string {
  return cookies.write(SESSION_COOKIE, token, SESSION_SECONDS);
}

/** Returns the fields of a form; none for other content types, which therefore have no CSRF token. */
function readForm({ headers, body }: PlainRequest): URLSearchParams {
  return new URLSearchParams(isForm(headers['content-type']) ? body.toString() : '');
}

function requireText(fields: URLSearchParams): void {
  for (const [name, value] of fields) {
    if (!isUnicodeText(value))
      throw invalidRequest(name, [], 'Text must be valid Unicode without NUL characters.');
  }
}

/** Redirects with a GET. The location is encoded, so that it cannot inject headers. */
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
