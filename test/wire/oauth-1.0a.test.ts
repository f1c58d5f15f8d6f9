import { createHmac } from 'node:crypto';
import OAuth from 'oauth-1.0a';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsentServer, type ConsentServer } from '../web/support/consent-server.js';
import { WEB_APP } from '../web/support/web-world.js';

/** The published signer oauth-1.0a, used as in the original platform’s JavaScript samples. */

const signer = new OAuth({
  consumer: { key: WEB_APP.api_key, secret: WEB_APP.api_secret },
  signature_method: 'HMAC-SHA1',
  hash_function: (baseString, key) => createHmac('sha1', key).update(baseString).digest('base64'),
});

let consentServer: ConsentServer;

beforeAll(async () => {
  consentServer = await startConsentServer();
});
afterAll(() => consentServer[Symbol.asyncDispose]());

function signed(method: string, url: string, token?: OAuth.Token): Record<string, string> {
  return { ...signer.toHeader(signer.authorize({ method, url }, token)) };
}

async function formOf(answer: Response): Promise<Record<string, string>> {
  expect(answer.status).toBe(200);
  return Object.fromEntries(new URLSearchParams(await answer.text()));
}

test('oauth-1.0a completes sign-in with the callback in header and query, and an unsigned verifier', async () => {
  const requestUrl = `${consentServer.url}/oauth/request_token?oauth_callback=oob`;
  const headers = signed('POST', requestUrl);
  expect(headers['Authorization']).toContain('oauth_callback="oob"');
  const requested = await formOf(await fetch(requestUrl, { method: 'POST', headers }));

  const pin = await consentServer.allowAt(
    `${consentServer.url}/oauth/authorize?oauth_token=${requested['oauth_token']}`,
  );
  const accessUrl = `${consentServer.url}/oauth/access_token`;
  const query = `?oauth_verifier=${pin}&oauth_token=${requested['oauth_token']}`;
  const access = { method: 'POST', headers: signed('POST', accessUrl) };
  const granted = await formOf(await fetch(accessUrl + query, access));
  expect(granted).toMatchObject({ screen_name: 'alice' });

  const token = { key: granted['oauth_token'] ?? '', secret: granted['oauth_token_secret'] ?? '' };
  const posted = await fetch(`${consentServer.url}/2/tweets`, {
    method: 'POST',
    headers: {
      ...signed('POST', `${consentServer.url}/2/tweets`, token),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ text: 'Signed in JavaScript' }),
  });
  expect(posted.status).toBe(201);
  expect(await posted.json()).toMatchObject({ data: { text: 'Signed in JavaScript' } });
});

test('oauth-1.0a gets an access token with token and verifier only', async () => {
  const requestUrl = `${consentServer.url}/oauth/request_token`;
  const requested = await formOf(
    await fetch(requestUrl, { method: 'POST', headers: signed('POST', requestUrl) }),
  );
  const pin = await consentServer.allowAt(
    `${consentServer.url}/oauth/authorize?oauth_token=${requested['oauth_token']}`,
  );
  const query = `?oauth_verifier=${pin}&oauth_token=${requested['oauth_token']}`;
  const granted = await formOf(
    await fetch(`${consentServer.url}/oauth/access_token${query}`, { method: 'POST' }),
  );
  expect(granted).toMatchObject({ screen_name: 'alice' });
});
