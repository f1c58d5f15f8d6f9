import { createHash } from 'node:crypto';
import type { TestAnswer, TestApp } from '../../support/app.js';
import type { Browser, BrowserAnswer } from './browser.js';
import { CALLBACK, NATIVE_APP, NATIVE_CALLBACK, WEB_APP } from './web-world.js';

export const VERIFIER = 'verifier-'.repeat(6);
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

type Parameters = Readonly<Record<string, string | undefined>>;

/** Returns the address to which the confidential client sends a browser; undefined omits a parameter. */
export function authorizeUrl(changes: Parameters = {}, path = '/i/oauth2/authorize'): string {
  const parameters: Parameters = {
    response_type: 'code',
    client_id: WEB_APP.client_id,
    redirect_uri: CALLBACK,
    scope: 'tweet.read users.read offline.access',
    state: 'state & more',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...changes,
  };
  return `${path}?${formOf(parameters)}`;
}

/** The parameters of the native, public client. */
export const NATIVE = { client_id: NATIVE_APP.client_id, redirect_uri: NATIVE_CALLBACK } as const;

export function formOf(parameters: Parameters): string {
  const sent = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return new URLSearchParams(sent).toString();
}

/** Returns the parameters of the redirect to the app. */
export function answerOf({ location }: BrowserAnswer): URLSearchParams {
  return new URL(location ?? 'none:').searchParams;
}

/** Grants the request at the address as the signed-in user; returns the code. */
export async function allow(browser: Browser, url = authorizeUrl()): Promise<string> {
  const answer = await browser.submit(await browser.get(url), {}, 'approve');
  const code = answerOf(answer).get('code');
  if (code === null) throw new Error(`${answer.status} ${answer.location} ${answer.text}`);
  return code;
}

export const BASIC = basic(WEB_APP.client_id, WEB_APP.client_secret);

export function basic(name: string, secret: string): string {
  return `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
}

/** Sends a form to a token endpoint, by default as the confidential client. */
export function postForm(
  app: TestApp,
  url: string,
  parameters: Parameters,
  authorization: string | null = BASIC,
): Promise<TestAnswer> {
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  if (authorization !== null) headers.authorization = authorization;
  return app.request({ method: 'POST', url, headers, payload: formOf(parameters) });
}

/** Redeems a code. */
export function redeem(app: TestApp, code: string, changes: Parameters = {}, authorization?: string | null) {
  const parameters = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    ...changes,
  };
  return postForm(app, '/2/oauth2/token', parameters, authorization);
}

export function refresh(app: TestApp, refreshToken: string, authorization?: string | null) {
  const parameters = { grant_type: 'refresh_token', refresh_token: refreshToken };
  return postForm(app, '/2/oauth2/token', parameters, authorization);
}
