import { randomUUID } from 'node:crypto';
import { signHeader } from '../../auth/support/sign.js';
import { TEST_URL, type TestAnswer, type TestApp } from '../../support/app.js';
import type { Browser, BrowserAnswer } from './browser.js';
import { CALLBACK, WEB_APP } from './web-world.js';

/** The keys with which an app signs. */
export interface Keys {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly token?: string;
  readonly tokenSecret?: string;
}

export const CONSUMER: Keys = { consumerKey: WEB_APP.api_key, consumerSecret: WEB_APP.api_secret };

/** A token with its secret, as returned in form encoding. */
export interface IssuedToken {
  readonly token: string;
  readonly tokenSecret: string;
}

export interface SignedPost {
  readonly url: string;
  readonly keys?: Keys;
  /** Additional protocol parameters of the header. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly form?: string;
  readonly nowMs: number;
}

export function postSigned(app: TestApp, { url, keys = CONSUMER, extra, form, nowMs }: SignedPost) {
  const authorization = signHeader({
    method: 'POST',
    url: TEST_URL + url,
    form,
    ...keys,
    timestampSeconds: Math.floor(nowMs / 1000),
    nonce: randomUUID(),
    extra,
  });
  const headers: Record<string, string> = { authorization };
  if (form !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded';
  return app.request({ method: 'POST', url, headers, payload: form });
}

export function fieldsOf({ body }: TestAnswer): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(String(body)));
}

/** Performs the first leg. */
export async function requestToken(
  app: TestApp,
  nowMs: number,
  changes: Readonly<Record<string, string>> = {},
): Promise<IssuedToken> {
  const extra = { oauth_callback: CALLBACK, ...changes };
  const answer = await postSigned(app, { url: '/oauth/request_token', extra, nowMs });
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  const { oauth_token: token = '', oauth_token_secret: tokenSecret = '' } = fieldsOf(answer);
  return { token, tokenSecret };
}

/** Performs the second leg in a signed-in browser. */
export async function decide(
  browser: Browser,
  { token }: IssuedToken,
  decision: 'approve' | 'deny',
  path = '/oauth/authorize',
): Promise<BrowserAnswer> {
  return browser.submit(await browser.get(`${path}?oauth_token=${token}`), {}, decision);
}

/** Performs the third leg. */
export function exchange(app: TestApp, token: IssuedToken, verifier: string, nowMs: number) {
  const extra = { oauth_verifier: verifier };
  return postSigned(app, { url: '/oauth/access_token', keys: { ...CONSUMER, ...token }, extra, nowMs });
}

/** Returns the verifier in the redirect to the app. */
export function verifierOf({ location }: BrowserAnswer): string {
  return new URL(location ?? 'none:').searchParams.get('oauth_verifier') ?? '';
}
