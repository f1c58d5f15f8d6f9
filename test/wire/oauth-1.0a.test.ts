import { createHmac } from 'node:crypto';
import OAuth from 'oauth-1.0a';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConsentDesk, type ConsentDesk } from '../web/support/consent-desk.js';
import { WEB_APP } from '../web/support/web-world.js';

/** The published signer oauth-1.0a, used as the original's JavaScript samples use it. */

const signer = new OAuth({
  consumer: { key: WEB_APP.api_key, secret: WEB_APP.api_secret },
  signature_method: 'HMAC-SHA1',
  hash_function: (baseString, key) => createHmac('sha1', key).update(baseString).digest('base64'),
});

let desk: ConsentDesk;

beforeAll(async () => {
  desk = await openConsentDesk();
});
afterAll(() => desk[Symbol.asyncDispose]());

function signed(method: string, url: string, token?: OAuth.Token): Record<string, string> {
  return { ...signer.toHeader(signer.authorize({ method, url }, token)) };
}

async function formOf(answer: Response): Promise<Record<string, string>> {
  expect(answer.status).toBe(200);
  return Object.fromEntries(new URLSearchParams(await answer.text()));
}

test('oauth-1.0a signs in with the callback in header and query, and a verifier that it does not sign', async () => {
  const requestUrl = `${desk.url}/oauth/request_token?oauth_callback=oob`;
  const headers = signed('POST', requestUrl);
  expect(headers['Authorization']).toContain('oauth_callback="oob"');
  const requested = await formOf(await fetch(requestUrl, { method: 'POST', headers }));

  const pin = await desk.allowAt(`${desk.url}/oauth/authorize?oauth_token=${requested['oauth_token']}`);
  const accessUrl = `${desk.url}/oauth/access_token`;
  const query = `?oauth_verifier=${pin}&oauth_token=${requested['oauth_token']}`;
  const access = { method: 'POST', headers: signed('POST', accessUrl) };
  const granted = await formOf(await fetch(accessUrl + query, access));
  expect(granted).toMatchObject({ screen_name: 'alice' });

  const token = { key: granted['oauth_token'] ?? '', secret: granted['oauth_token_secret'] ?? '' };
  const posted = await fetch(`${desk.url}/2/tweets`, {
    method: 'POST',
    headers: { ...signed('POST', `${desk.url}/2/tweets`, token), 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Signed in JavaScript' }),
  });
  expect(posted.status).toBe(201);
  expect(await posted.json()).toMatchObject({ data: { text: 'Signed in JavaScript' } });
});

test('oauth-1.0a gets an access token for token and verifier alone', async () => {
  const requestUrl = `${desk.url}/oauth/request_token`;
  const requested = await formOf(
    await fetch(requestUrl, { method: 'POST', headers: signed('POST', requestUrl) }),
  );
  const pin = await desk.allowAt(`${desk.url}/oauth/authorize?oauth_token=${requested['oauth_token']}`);
  const query = `?oauth_verifier=${pin}&oauth_token=${requested['oauth_token']}`;
  const granted = await formOf(await fetch(`${desk.url}/oauth/access_token${query}`, { method: 'POST' }));
  expect(granted).toMatchObject({ screen_name: 'alice' });
});
