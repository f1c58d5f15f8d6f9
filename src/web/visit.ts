import { Answer } from '../http/answer.js';
import { isForm } from '../http/request-parts.js';
import type { PlainRequest } from '../http/plain-route.js';
import { html, type Html } from '../api/reference/html.js';
import { invalidRequest } from '../core/errors.js';
import { isUnicodeText } from '../core/unicode.js';
import { withMembers } from '../core/with-members.js';
import { generate } from '../services/secrets/secrets.js';
import type { InstanceService } from '../services/instance/instance.js';
import type { SignedIn, WebSessionService } from '../services/accounts/web-sessions.js';
import type { CallOperation } from '../api/inner-call.js';
import type { User } from '../core/user.js';
import { webPrincipal } from '../core/web-client.js';
import { ifPossible } from './api/if-possible.js';
import { WebApi } from './api/web-api.js';
import { type Appearance, APPEARANCE_COOKIE, readAppearance, writeAppearance } from './appearance.js';
import { FORM_COOKIE, openBrowserSessions, type BrowserSessions } from './browser-sessions.js';
import type { CookieJar } from './cookies.js';
import { csrfTokenOf, isCsrfTokenOf } from './csrf.js';
import type { PageViewer } from './navigation.js';
import { page, type PageOptions } from './page.js';

/** The name of the hidden field in every form. */
const CSRF_FIELD = 'csrf';

/** A browser's request, as page handlers see it. */
export interface Visit {
  readonly request: PlainRequest;
  readonly query: URLSearchParams;
  /** The signed-in user. */
  readonly viewer: SignedIn | undefined;
  /** Signs in and out, and changes the account that acts. Other accounts may be signed in in the same browser. */
  readonly accounts: BrowserSessions;
  /** How the browser shows pages. */
  readonly appearance: Appearance;
  /** Calls the API as the viewer, or as the app of the web client for visitors. */
  readonly api: WebApi;
  /** Returns the hidden field that every form needs. */
  csrfField(): Html;
  /** Returns a page with the viewer's top bar. */
  show(options: Omit<PageOptions, 'viewer' | 'url' | 'appearance' | 'siteName'>, body: Html): Answer;
  /** Keeps in the browser how it shows pages. */
  changeAppearance(appearance: Appearance): void;
  /** Redirects (303) to a path of this server or to a registered redirect URI. */
  goTo(location: string): Answer;
}

/** A form request with a valid CSRF token. */
export interface FormVisit extends Visit {
  readonly form: URLSearchParams;
  /** The user of another account of the browser whose page had the form. */
  readonly openedBy: User | undefined;
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
  readonly instance: Pick<InstanceService, 'describe'>;
  /** Where links of media lead besides this server. */
  readonly mediaOrigin?: string;
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
  const { sessions, cookies, mediaOrigin } = deps;
  const sent = (name: string) => cookies.read(request.headers.cookie, name) || undefined;
  const setCookies = new Map<string, string>();
  const set = (name: string, value: string, maxAgeSeconds?: number) =>
    setCookies.set(name, cookies.write(name, value, maxAgeSeconds));
  const accounts = await openBrowserSessions(sessions, { read: sent, set });
  const viewer = accounts.active?.signedIn;

  let secret = accounts.active?.token ?? sent(FORM_COOKIE);
  const query = new URLSearchParams(request.rawQuery);
  const provenBy = (fields: URLSearchParams): boolean =>
    secret !== undefined && isCsrfTokenOf(secret, fields.get(CSRF_FIELD) ?? '');
  const form = await readFields(request, viewer, provenBy);
  for (const fields of [query, form]) requireText(fields);
  const isProven = provenBy(form);
  const field = form.get(CSRF_FIELD) ?? '';
  const openedBy = accounts.others.find(({ token }) => isCsrfTokenOf(token, field))?.signedIn.user;
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
  const { name: siteName } = await deps.instance.describe();
  const appearance = readAppearance(sent(APPEARANCE_COOKIE));
  const visit: FormVisit = {
    request,
    form,
    openedBy,
    query,
    viewer,
    accounts,
    appearance,
    api,
    csrfField: () => html`<input type="hidden" name="${CSRF_FIELD}" value="${csrfToken()}" />`,
    show: (options, body) => {
      const viewed = viewer && pageViewer(viewer, accounts, { unread, csrfToken: csrfToken() });
      const common = { appearance, siteName, mediaOrigin, url: request.url, viewer: viewed };
      return page(withMembers(options, common), body);
    },
    changeAppearance: (changed) => set(APPEARANCE_COOKIE, writeAppearance(changed), APPEARANCE_SECONDS),
    goTo: (location) => redirect(location),
  };
  const finish = (answer: Answer): Answer => withCookies(answer, [...setCookies.values()]);
  return { visit, isProven, finish };
}

/** Reports whether the answer is a whole page, not a part for the script. */
function hasNavigation({ method, headers }: PlainRequest): boolean {
  return method === 'GET' && headers['pipit-part'] === undefined;
}

function pageViewer(
  viewer: SignedIn,
  { others }: BrowserSessions,
  rest: Pick<PageViewer, 'unread' | 'csrfToken'>,
): PageViewer {
  return { ...viewer, ...rest, others: others.map(({ signedIn }) => signedIn.user) };
}

/** Counts what the user has not read. A page is worth showing without it. */
async function unreadOf(api: WebApi): Promise<PageViewer['unread']> {
  type Unread = { readonly unread_count: number; readonly unread_messages: number };
  const { data } = (await ifPossible(api.call<Unread>('countUnread'))) ?? {};
  return data && { notifications: data.unread_count, messages: data.unread_messages };
}

const APPEARANCE_SECONDS = 400 * 24 * 3600;

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
