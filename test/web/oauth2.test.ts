import { beforeEach, describe, expect, test } from 'vitest';
import type { AppId } from '../../src/core/ids.js';
import { USERS } from '../support/world.js';
import {
  allow,
  answerOf,
  authorizeUrl,
  basic,
  CHALLENGE,
  NATIVE,
  redeem,
  refresh,
  VERIFIER,
} from './support/oauth2-flow.js';
import { expectValidPage, textOf } from './support/pages.js';
import { INVALID_CODE, INVALID_TOKEN, useOAuthFixture } from './support/oauth-fixture.js';
import { CALLBACK, NATIVE_APP, NATIVE_CALLBACK, PASSWORDS, WEB_APP } from './support/web-world.js';

const fixture = useOAuthFixture();

describe('asking for consent', () => {
  test('requires sign-in first and then shows the user and the scopes', async () => {
    const first = await fixture.browser.get(authorizeUrl());
    expect(first.location).toMatch(/^\/sign-in\?next=/);
    const signInPage = await fixture.browser.follow(first);
    const page = await fixture.browser.follow(
      await fixture.browser.submit(signInPage, { username: 'alice', password: PASSWORDS.alice }),
    );
    expect(page.status).toBe(200);
    expect(page.text).toContain('Birds &amp; &lt;Bees&gt;');
    expect(page.text).toContain('@alice');
    expect(page.text).toContain('client.example');
    expect(page.text).toContain('Stay connected until you revoke access');
    expect(page.text).not.toContain('Send and delete direct messages for you');
  });

  test.each(['/i/oauth2/authorize', '/2/oauth2/authorize', '/oauth2/authorize'])(
    'sends a code and the state to the app (%s)',
    async (path) => {
      fixture.signIn();
      const page = await fixture.browser.get(authorizeUrl({}, path));
      const answer = await fixture.browser.submit(page, {}, 'approve');
      expect(answer.status).toBe(303);
      expect(answer.location?.startsWith(`${CALLBACK}&`)).toBe(true);
      expect(answerOf(answer).get('state')).toBe('state & more');
      expect(answerOf(answer).get('code')).toMatch(/^[\w-]{60,}$/);
    },
  );

  test('reports a denial to the app, also for a form without a decision', async () => {
    fixture.signIn();
    const page = await fixture.browser.get(authorizeUrl());
    for (const button of ['deny', undefined]) {
      const answer = await fixture.browser.submit(page, {}, button);
      expect(answer.location).toBe(`${CALLBACK}&error=access_denied&state=state+%26+more`);
    }
  });

  test.each([
    ['no client', { client_id: undefined }],
    ['an unknown client', { client_id: 'nobody' }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['a foreign redirect URI', { redirect_uri: 'https://evil.example/' }],
    ['a redirect URI below a registered one', { redirect_uri: `${CALLBACK}/more` }],
    ['a redirect URI in another case', { redirect_uri: CALLBACK.replace('callback', 'Callback') }],
    ['a redirect URI of another app', { redirect_uri: NATIVE_CALLBACK }],
  ])('does not redirect for %s', async (_, changes) => {
    fixture.signIn();
    const answer = await fixture.browser.get(authorizeUrl(changes));
    expect([answer.status, answer.location]).toEqual([400, undefined]);
  });

  test('does not redirect for a repeated parameter', async () => {
    const answer = await fixture.browser.get(`${authorizeUrl()}&redirect_uri=https%3A%2F%2Fevil.example%2F`);
    expect([answer.status, answer.location]).toEqual([400, undefined]);
  });

  test.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { response_type: undefined }],
    ['invalid_request', { state: undefined }],
    ['invalid_request', { state: 's'.repeat(501) }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge: 'c'.repeat(172) }],
    ['invalid_request', { code_challenge_method: 'S512' }],
    ['invalid_scope', { scope: 'tweet.read tweet.everything' }],
    ['invalid_request', { scope: undefined }],
  ])('reports %s for %o, by redirect for a signed-in user and by link otherwise', async (error, changes) => {
    const page = await fixture.browser.get(authorizeUrl(changes));
    expect([page.status, page.location]).toEqual([400, undefined]);
    expectValidPage(page, 'refused');
    expect(textOf(page)).toMatch(/Birds &amp; .* sent an invalid request.*Go back to client\.example/);
    fixture.signIn();
    const answer = await fixture.browser.get(authorizeUrl(changes));
    expect(answer.status).toBe(303);
    expect(page.text).toContain(`href="${answer.location?.replaceAll('&', '&amp;')}"`);
    expect(answer.location?.startsWith(`${CALLBACK}&`)).toBe(true);
    expect(answerOf(answer).get('error')).toBe(error);
    expect(answerOf(answer).get('code')).toBeNull();
    expect(answerOf(answer).get('state')).toBe('state' in changes ? (changes.state ?? null) : 'state & more');
  });

  test.each(['s', 'ü', '😀'])('accepts a state of 500 characters and returns it (%s)', async (character) => {
    fixture.signIn();
    const state = character.repeat(500);
    const page = await fixture.browser.get(authorizeUrl({ state }));
    expect(answerOf(await fixture.browser.submit(page, {}, 'approve')).get('state')).toBe(state);
  });
});

describe('redeeming a code', () => {
  beforeEach(fixture.signIn);

  test('returns tokens for two hours with the granted scopes', async () => {
    const answer = await redeem(fixture.app, await allow(fixture.browser));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      token_type: 'bearer',
      expires_in: 7200,
      access_token: expect.any(String),
      scope: 'tweet.read users.read offline.access',
      refresh_token: expect.any(String),
    });
    expect(answer.headers['cache-control']).toContain('no-store');
    const { access_token: token } = answer.body;
    expect((await fixture.app.get('/2/users/me', token)).body.data.id).toBe(USERS.alice);
    expect((await fixture.app.post('/2/tweets', token, { text: 'hi' })).status).toBe(403);
    fixture.nowMs += 7200_000;
    expect(await fixture.statusOf(token)).toBe(401);
  });

  test('returns a refresh token only with offline.access', async () => {
    const code = await allow(fixture.browser, authorizeUrl({ scope: 'tweet.read users.read' }));
    expect((await redeem(fixture.app, code)).body).not.toHaveProperty('refresh_token');
  });

  test.each([
    ['s256', CHALLENGE],
    ['S256', CHALLENGE],
    ['plain', VERIFIER],
    ['PLAIN', VERIFIER],
    [undefined, VERIFIER],
  ])('accepts the challenge method %s', async (method, challenge) => {
    const url = authorizeUrl({ code_challenge: challenge, code_challenge_method: method });
    expect((await redeem(fixture.app, await allow(fixture.browser, url))).status).toBe(200);
  });

  test('accepts its parameters as a form, in the query and as JSON', async () => {
    const parameters = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: VERIFIER };
    const headers = { authorization: basic(WEB_APP.client_id, WEB_APP.client_secret) };
    const inQuery = new URLSearchParams({ ...parameters, code: await allow(fixture.browser) });
    const url = `/2/oauth2/token?${inQuery.toString()}`;
    expect((await fixture.app.request({ method: 'POST', url, headers })).status).toBe(200);
    const payload = { ...parameters, code: await allow(fixture.browser) };
    expect(
      (await fixture.app.request({ method: 'POST', url: '/2/oauth2/token', headers, payload })).status,
    ).toBe(200);
  });

  test('fails after 30 seconds', async () => {
    const code = await allow(fixture.browser);
    fixture.nowMs += 30_000;
    expect(await redeem(fixture.app, code)).toMatchObject({ status: 400, body: INVALID_CODE });
  });

  test('works in the 30th second', async () => {
    const code = await allow(fixture.browser);
    fixture.nowMs += 29_999;
    expect((await redeem(fixture.app, code)).status).toBe(200);
  });

  test('fails the second time and revokes the tokens of the first', async () => {
    const code = await allow(fixture.browser);
    const first = (await redeem(fixture.app, code)).body;
    const next = (await refresh(fixture.app, first.refresh_token)).body;
    expect([await fixture.statusOf(first.access_token), await fixture.statusOf(next.access_token)]).toEqual([
      200, 200,
    ]);
    expect(await redeem(fixture.app, code)).toMatchObject({ status: 400, body: INVALID_CODE });
    expect([await fixture.statusOf(first.access_token), await fixture.statusOf(next.access_token)]).toEqual([
      401, 401,
    ]);
    expect(await refresh(fixture.app, next.refresh_token)).toMatchObject({
      status: 400,
      body: INVALID_TOKEN,
    });
  });

  test('concurrently succeeds once', async () => {
    const code = await allow(fixture.browser);
    const answers = await Promise.all([1, 2, 3, 4].map(() => redeem(fixture.app, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  test.each([
    [
      'another verifier',
      { code_verifier: 'x'.repeat(43) },
      'Value passed for the code verifier did not match the code challenge.',
    ],
    [
      'a verifier too short',
      { code_verifier: 'x' },
      'Value passed for the code verifier did not match the code challenge.',
    ],
    ['no verifier', { code_verifier: undefined }, 'Missing required parameter [code_verifier].'],
    ['no code', { code: undefined }, 'Missing required parameter [code].'],
    ['no redirect URI', { redirect_uri: undefined }, 'Missing required parameter [redirect_uri].'],
    ['no grant type', { grant_type: undefined }, 'Missing required parameter [grant_type].'],
    [
      'another redirect URI of the app',
      { redirect_uri: 'http://127.0.0.1:3000/back' },
      'Value passed for the redirect uri did not match the uri of the authorization code.',
    ],
    ['an unknown code', { code: 'unknown' }, INVALID_CODE.error_description],
  ])('fails with %s and does not consume the code', async (_, changes, description) => {
    const code = await allow(fixture.browser);
    const answer = await redeem(fixture.app, code, changes);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: 'invalid_request', error_description: description });
    expect((await redeem(fixture.app, code)).status).toBe(200);
  });

  test('fails for another grant type', async () => {
    const answer = await redeem(fixture.app, 'x', { grant_type: 'password' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } });
  });

  test('fails for another app, including a confidential one', async () => {
    const code = await allow(fixture.browser);
    const other = basic('testclient', 'testclientsecret');
    expect(await redeem(fixture.app, code, {}, other)).toMatchObject({ status: 400, body: INVALID_CODE });
  });

  test('fails with a repeated parameter', async () => {
    const answer = await fixture.app.request({
      method: 'POST',
      url: '/2/oauth2/token?code=a',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'code=b',
    });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test('keeps the permission of the app at consent, also after refreshes (docs/api/authentication.md#permissions)', async () => {
    const apps = fixture.app.pipit.backend.apps;
    const appId = BigInt(WEB_APP.id) as AppId;
    await apps.update(appId, { permissions: 'read' });
    const scope = 'tweet.read tweet.write users.read offline.access';
    const { body } = await redeem(fixture.app, await allow(fixture.browser, authorizeUrl({ scope })));
    await apps.update(appId, { permissions: 'read_write' });
    const refreshed = (await refresh(fixture.app, body.refresh_token)).body;
    expect((await fixture.app.post('/2/tweets', body.access_token, { text: 'hi' })).status).toBe(403);
    expect((await fixture.app.post('/2/tweets', refreshed.access_token, { text: 'hi' })).status).toBe(403);
    const raised = (await redeem(fixture.app, await allow(fixture.browser, authorizeUrl({ scope })))).body;
    expect((await fixture.app.post('/2/tweets', raised.access_token, { text: 'hi' })).status).toBe(201);
    await apps.update(appId, { permissions: 'read_write_dm' });
  });
});

describe('client authentication', () => {
  beforeEach(fixture.signIn);

  const missing = { error: 'unauthorized_client', error_description: 'Missing valid authorization header' };

  test.each([
    ['without a header', null],
    ['with a wrong secret', basic(WEB_APP.client_id, 'wrong')],
    ['with an empty secret', basic(WEB_APP.client_id, '')],
    ['with a malformed header', 'Basic ###'],
    ['with a bearer token', `Bearer ${WEB_APP.bearer_token}`],
  ])('is refused %s', async (_, authorization) => {
    const answer = await redeem(fixture.app, 'x', { client_id: WEB_APP.client_id }, authorization);
    expect(answer).toMatchObject({ status: 401, body: missing });
  });

  test('is refused for an unknown client', async () => {
    const answers = [
      await redeem(fixture.app, 'x', { client_id: 'nobody' }, null),
      await redeem(fixture.app, 'x', {}, basic('nobody', 'x')),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  test('is refused without a client id', async () => {
    const answer = await redeem(fixture.app, 'x', {}, null);
    expect(answer.body.error_description).toBe('Missing required parameter [client_id].');
  });

  test('of a public client uses its id only; a secret is refused', async () => {
    const native = { ...NATIVE, client_secret: undefined };
    const code = await allow(fixture.browser, authorizeUrl(NATIVE));
    const wrong = await redeem(fixture.app, code, native, basic(NATIVE_APP.client_id, 'guess'));
    expect(wrong.status).toBe(401);
    expect((await redeem(fixture.app, code, native, null)).status).toBe(200);
  });

  test('accepts a secret with or without percent-encoding (RFC 6749 2.3.1)', async () => {
    const encoded = basic(
      WEB_APP.client_id.replace('-', '%2D'),
      WEB_APP.client_secret.replaceAll('-', '%2D'),
    );
    expect((await redeem(fixture.app, await allow(fixture.browser), {}, encoded)).status).toBe(200);
  });
});
