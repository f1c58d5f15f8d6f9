import type { UserId } from '../core/ids.js';
import type { ProvenPassword } from '../services/accounts/authority.js';
import {
  SESSION_LIFETIME_MS,
  type SignedIn,
  type WebSessionService,
} from '../services/accounts/web-sessions.js';
import type { CookieJar } from './cookies.js';

/** The cookie of the session that acts, and that of the sessions of other accounts in the same browser. */
const SESSION_COOKIE = 'pipit_session';
const OTHERS_COOKIE = 'pipit_accounts';

/** The cookie for forms of browsers in which nobody is signed in. */
export const FORM_COOKIE = 'pipit_form';

const SESSION_SECONDS = SESSION_LIFETIME_MS / 1000;

/** The most accounts of one browser. Each page looks up all of them. */
export const MAX_ACCOUNTS = 5;

/** A session with its token. */
export interface OpenSession {
  readonly token: string;
  readonly signedIn: SignedIn;
}

/** Reads and changes the cookies of one request. */
export interface RequestCookies {
  readonly read: (name: string) => string | undefined;
  /** As `CookieJar.write`. */
  readonly set: (name: string, value: string, maxAgeSeconds?: number) => void;
}

/** The accounts that are signed in in a browser: at most one acts. */
export interface BrowserSessions {
  readonly active: OpenSession | undefined;
  readonly others: readonly OpenSession[];
  /**
   * Signs a user in with a new session, which prevents session fixation. The session that acted ends, or stays as
   * another one. Returns false when the password has changed since it was verified, the account is hidden, or the
   * browser has `MAX_ACCOUNTS`.
   */
  start(proof: ProvenPassword, userAgent: string | undefined, keepsActive: boolean): Promise<boolean>;
  /** Lets another account act; returns false when it is not signed in here. */
  switchTo(userId: UserId): boolean;
  /** Ends the session that acts; the next account acts in its place. */
  end(): Promise<void>;
  /** Ends the sessions of all accounts of this browser. */
  endAll(): Promise<void>;
}

/** Reads the sessions of a browser from its cookies. Unknown and expired ones are left out. */
export async function openBrowserSessions(
  sessions: WebSessionService,
  { read, set }: RequestCookies,
): Promise<BrowserSessions> {
  const open = async (token: string | undefined): Promise<OpenSession | undefined> => {
    const signedIn = token === undefined ? undefined : await sessions.find(token);
    return token === undefined || !signedIn ? undefined : { token, signedIn };
  };
  const sent = read(SESSION_COOKIE);
  const active = await open(sent);
  const found = await Promise.all(otherTokens(read(OTHERS_COOKIE), sent).map(open));
  const others = withoutDoubles(found, active);
  const keep = (acting: string | undefined, rest: readonly OpenSession[]): void => {
    if (acting === undefined) set(SESSION_COOKIE, '', 0);
    else set(SESSION_COOKIE, acting, SESSION_SECONDS);
    const tokens = rest.map(({ token }) => token).join('.');
    if (tokens !== '') set(OTHERS_COOKIE, tokens, SESSION_SECONDS);
    else if (read(OTHERS_COOKIE) !== undefined) set(OTHERS_COOKIE, '', 0);
  };
  const renewed = [active, ...others].some((each) => each?.signedIn.isRenewed);
  if (renewed) keep(active?.token, others);

  return {
    active,
    others,
    start: async (proof, userAgent, keepsActive) => {
      const stays = keepsActive ? [...(active ? [active] : []), ...others] : others;
      const rest = stays.filter(({ signedIn }) => signedIn.user.id !== proof.userId);
      if (rest.length >= MAX_ACCOUNTS) return false;
      if (active && !rest.includes(active)) await sessions.end(active.token);
      const token = await sessions.start(proof, userAgent);
      if (token === undefined) return false;
      for (const each of others) if (!rest.includes(each)) await sessions.end(each.token);
      keep(token, rest);
      set(FORM_COOKIE, '', 0);
      return true;
    },
    switchTo: (userId) => {
      const chosen = others.find(({ signedIn }) => signedIn.user.id === userId);
      if (!chosen) return false;
      keep(chosen.token, [...(active ? [active] : []), ...others.filter((each) => each !== chosen)]);
      return true;
    },
    end: async () => {
      if (active) await sessions.end(active.token);
      const [next, ...rest] = others;
      keep(next?.token, rest);
    },
    endAll: async () => {
      for (const { token } of [...(active ? [active] : []), ...others]) await sessions.end(token);
      keep(undefined, []);
    },
  };
}

/** Returns the `set-cookie` value of a session. */
export function sessionCookie(cookies: CookieJar, token: string): string {
  return cookies.write(SESSION_COOKIE, token, SESSION_SECONDS);
}

const TOKEN = /^[\w-]{1,100}$/;

function otherTokens(cookie: string | undefined, active: string | undefined): string[] {
  const tokens = (cookie ?? '').split('.', MAX_ACCOUNTS).filter((token) => TOKEN.test(token));
  return [...new Set(tokens)].filter((token) => token !== active).slice(0, MAX_ACCOUNTS - 1);
}

function withoutDoubles(
  found: readonly (OpenSession | undefined)[],
  active: OpenSession | undefined,
): OpenSession[] {
  const users = new Set([active?.signedIn.user.id]);
  return found.filter((each): each is OpenSession => {
    if (!each || users.has(each.signedIn.user.id)) return false;
    users.add(each.signedIn.user.id);
    return true;
  });
}
