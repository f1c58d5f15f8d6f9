import { beforeEach, describe, expect, test } from 'vitest';
import type { AppId } from '../../src/core/ids.js';
import { signHeader } from '../auth/support/sign.js';
import { TEST_URL } from '../support/app.js';
import { USERS } from '../support/world.js';
import { openBrowser } from './support/browser.js';
import {
  CONSUMER,
  decide,
  exchange,
  fieldsOf,
  postSigned,
  requestToken,
  verifierOf,
  type Keys,
} from './support/oauth1-flow.js';
import { useOAuthFixture } from './support/oauth-fixture.js';
import { CALLBACK, NATIVE_CALLBACK, PASSWORDS, WEB_APP } from './support/web-world.js';

const MINUTE_MS = 60_000;
const APP_ID = BigInt(WEB_APP.id) as AppId;

const fixture = useOAuthFixture();
beforeEach(fixture.signIn);

const codeOf = (answer: { body: { errors: { code: number }[] } }) => answer.body.errors[0]?.code;
const levelOf = async (keys: Keys) => {
  const url = '/2/users/me';
  const timestampSeconds = Math.floor(fixture.nowMs / 1000);
  const signing = {
    method: 'GET',
    url: TEST_URL + url,
    ...keys,
    timestampSeconds,
    nonce: String(Math.random()),
  };
  const answer = await fixture.app.request({
    method: 'GET',
    url,
    headers: { authorization: signHeader(signing) },
  });
  return answer.status === 200 ? answer.headers['x-access-level'] : answer.status;
};
const accessOf = async (changes: Record<string, string> = {}): Promise<Keys> => {
  const token = await requestToken(fixture.app, fixture.nowMs, changes);
  const verifier = verifierOf(await decide(fixture.browser, token, 'approve'));
  const fields = fieldsOf(await exchange(fixture.app, token, verifier, fixture.nowMs));
  return { ...CONSUMER, token: fields['oauth_token'], tokenSecret: fields['oauth_token_secret'] };
};

describe('the first leg', () => {
  test('returns a request token in form encoding', async () => {
    const extra = { oauth_callback: CALLBACK };
    const answer = await postSigned(fixture.app, {
      url: '/oauth/request_token',
      extra,
      nowMs: fixture.nowMs,
    });
    expect(answer.status).toBe(200);
    expect(fieldsOf(answer)).toEqual({
      oauth_token: expect.stringMatching(/^\w{20,}$/),
      oauth_token_secret: expect.stringMatching(/^\w{20,}$/),
      oauth_callback_confirmed: 'true',
    });
  });

  test('accepts the callback from a signed form and from the query', async () => {
    const form = new URLSearchParams({ oauth_callback: CALLBACK }).toString();
    expect(
      (await postSigned(fixture.app, { url: '/oauth/request_token', form, nowMs: fixture.nowMs })).status,
    ).toBe(200);
    expect(
      (await postSigned(fixture.app, { url: `/oauth/request_token?${form}`, nowMs: fixture.nowMs })).status,
    ).toBe(200);
  });

  test.each([
    ['a foreign callback', { oauth_callback: 'https://evil.example/' }, 403, 415],
    ['the callback of another app', { oauth_callback: NATIVE_CALLBACK }, 403, 415],
    ['an unknown kind of access', { oauth_callback: 'oob', x_auth_access_type: 'all' }, 403, 44],
  ])('refuses %s', async (_, extra, status, code) => {
    const answer = await postSigned(fixture.app, {
      url: '/oauth/request_token',
      extra,
      nowMs: fixture.nowMs,
    });
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  test('accepts a missing or empty callback for a PIN', async () => {
    for (const extra of [undefined, { oauth_callback: '' }]) {
      const answer = await postSigned(fixture.app, {
        url: '/oauth/request_token',
        extra,
        nowMs: fixture.nowMs,
      });
      const { oauth_token: token = '', oauth_token_secret: tokenSecret = '' } = fieldsOf(answer);
      const page = await decide(fixture.browser, { token, tokenSecret }, 'approve');
      expect(page.text).toMatch(/>\d{7}</);
    }
  });

  test('refuses a wrong secret, an unknown key, an old timestamp and a missing signature', async () => {
    const extra = { oauth_callback: CALLBACK };
    const url = '/oauth/request_token';
    const wrong = [
      await postSigned(fixture.app, {
        url,
        extra,
        nowMs: fixture.nowMs,
        keys: { ...CONSUMER, consumerSecret: 'x' },
      }),
      await postSigned(fixture.app, {
        url,
        extra,
        nowMs: fixture.nowMs,
        keys: { ...CONSUMER, consumerKey: 'x' },
      }),
      await fixture.app.request({ method: 'POST', url }),
    ];
    for (const answer of wrong) expect([answer.status, codeOf(answer)]).toEqual([401, 32]);
    const old = await postSigned(fixture.app, { url, extra, nowMs: fixture.nowMs - 6 * MINUTE_MS });
    expect([old.status, codeOf(old)]).toEqual([401, 135]);
  });
});

describe('the second leg', () => {
  test('requires sign-in first, with the user named by the app filled in', async () => {
    const { token } = await requestToken(fixture.app, fixture.nowMs);
    const visitor = openBrowser(fixture.app);
    const page = await visitor.follow(
      await visitor.get(`/oauth/authorize?oauth_token=${token}&screen_name=bob`),
    );
    expect(page.text).toContain('value="bob"');
    const consent = await visitor.follow(await visitor.submit(page, { password: PASSWORDS.bob }));
    expect(consent.text).toContain('@bob');
  });

  test('asks for the password again with force_login, once', async () => {
    const { token } = await requestToken(fixture.app, fixture.nowMs);
    const visitor = openBrowser(fixture.app);
    await visitor.signIn('bob', PASSWORDS.bob);
    const page = await visitor.follow(
      await visitor.get(`/oauth/authorize?oauth_token=${token}&force_login=true`),
    );
    expect(page.text).toContain('type="password"');
    const next = await visitor.submit(page, { username: 'bob', password: PASSWORDS.bob });
    expect((await visitor.follow(next)).text).toContain('signed in as <strong>@bob');
  });

  test('sends token and verifier to the callback', async () => {
    const token = await requestToken(fixture.app, fixture.nowMs);
    const answer = await decide(fixture.browser, token, 'approve');
    expect(answer.status).toBe(303);
    expect(answer.location).toMatch(
      new RegExp(
        `^https://client\\.example/callback\\?from=pipit&oauth_token=${token.token}&oauth_verifier=\\w{32}$`,
      ),
    );
  });

  test('reports a denial to the callback and invalidates the token', async () => {
    const token = await requestToken(fixture.app, fixture.nowMs);
    const answer = await decide(fixture.browser, token, 'deny');
    expect(answer.location).toBe(`${CALLBACK}&denied=${token.token}`);
    expect((await fixture.browser.get(`/oauth/authorize?oauth_token=${token.token}`)).status).toBe(403);
  });

  test('shows a PIN of seven digits without a callback, or the denial', async () => {
    const token = await requestToken(fixture.app, fixture.nowMs, { oauth_callback: 'oob' });
    const page = await decide(fixture.browser, token, 'approve');
    const pin = />(\d{7})</.exec(page.text)?.[1] ?? '';
    expect((await exchange(fixture.app, token, ` ${pin} `, fixture.nowMs)).status).toBe(200);
    const other = await requestToken(fixture.app, fixture.nowMs, { oauth_callback: 'oob' });
    const denied = await decide(fixture.browser, other, 'deny');
    expect([denied.status, denied.text.includes('You denied')]).toEqual([200, true]);
  });

  test('shows an error for tokens that are unknown, decided or older than ten minutes', async () => {
    const { token } = await requestToken(fixture.app, fixture.nowMs);
    const page = await fixture.browser.get(`/oauth/authorize?oauth_token=${token}`);
    fixture.nowMs += 10 * MINUTE_MS;
    expect((await fixture.browser.submit(page, {}, 'approve')).status).toBe(403);
    const decided = await requestToken(fixture.app, fixture.nowMs);
    await decide(fixture.browser, decided, 'approve');
    for (const each of [token, decided.token, 'unknown']) {
      const answer = await fixture.browser.get(`/oauth/authorize?oauth_token=${each}`);
      expect([answer.status, answer.location]).toEqual([403, undefined]);
    }
  });

  test('is skipped by authenticate for an app with as much consent, never by authorize', async () => {
    const visitor = openBrowser(fixture.app);
    await visitor.signIn('bob', PASSWORDS.bob);
    const first = await requestToken(fixture.app, fixture.nowMs, { x_auth_access_type: 'read' });
    expect((await visitor.get(`/oauth/authenticate?oauth_token=${first.token}`)).status).toBe(200);
    const verifier = verifierOf(await decide(visitor, first, 'approve', '/oauth/authenticate'));
    const fields = fieldsOf(await exchange(fixture.app, first, verifier, fixture.nowMs));

    const again = await requestToken(fixture.app, fixture.nowMs, { x_auth_access_type: 'read' });
    expect((await visitor.get(`/oauth/authorize?oauth_token=${again.token}`)).status).toBe(200);
    const skipped = await visitor.get(`/oauth/authenticate?oauth_token=${again.token}`);
    expect((await exchange(fixture.app, again, verifierOf(skipped), fixture.nowMs)).status).toBe(200);

    const more = await requestToken(fixture.app, fixture.nowMs, { x_auth_access_type: 'write' });
    expect((await visitor.get(`/oauth/authenticate?oauth_token=${more.token}`)).status).toBe(200);
    const pin = await requestToken(fixture.app, fixture.nowMs, {
      oauth_callback: 'oob',
      x_auth_access_type: 'read',
    });
    expect((await visitor.get(`/oauth/authenticate?oauth_token=${pin.token}`)).text).toContain('Allow');
    expect(fields['screen_name']).toBe('bob');
  });
});

describe('the third leg', () => {
  test('returns a token that starts with the user’s id', async () => {
    const token = await requestToken(fixture.app, fixture.nowMs);
    const verifier = verifierOf(await decide(fixture.browser, token, 'approve'));
    const fields = fieldsOf(await exchange(fixture.app, token, verifier, fixture.nowMs));
    expect(fields).toEqual({
      oauth_token: expect.stringMatching(new RegExp(`^${USERS.alice}-\\w{40}$`)),
      oauth_token_secret: expect.any(String),
      user_id: USERS.alice,
      screen_name: 'alice',
    });
    const keys = { ...CONSUMER, token: fields['oauth_token'], tokenSecret: fields['oauth_token_secret'] };
    expect(await levelOf(keys)).toBe('read-write-directmessages');
  });

  test.each(['form', 'query'])('accepts the verifier from the %s', async (place) => {
    const token = await requestToken(fixture.app, fixture.nowMs);
    const verifier = verifierOf(await decide(fixture.browser, token, 'approve'));
    const parameters = `oauth_verifier=${verifier}`;
    const url = place === 'query' ? `/oauth/access_token?${parameters}` : '/oauth/access_token';
    const form = place === 'form' ? parameters : undefined;
    const answer = await postSigned(fixture.app, {
      url,
      form,
      keys: { ...CONSUMER, ...token },
      nowMs: fixture.nowMs,
    });
    expect(answer.status).toBe(200);
  });

  test('accepts the token in header and form, signed once or twice', async () => {
    const token = await requestToken(fixture.app, fixture.nowMs);
    const verifier = verifierOf(await decide(fixture.browser, token, 'approve'));
    const form = new URLSearchParams({ oauth_token: token.token, oauth_verifier: verifier }).toString();
    const url = '/oauth/access_token';
    const answer = await postSigned(fixture.app, {
      url,
      form,
      keys: { ...CONSUMER, ...token },
      nowMs: fixture.nowMs,
    });
    expect(answer.status).toBe(200);
  });

  test('accepts a token once, also with concurrent requests', async () => {
    const token = await requestToken(fixture.app, fixture.nowMs);
    const verifier = verifierOf(await decide(fixture.browser, token, 'approve'));
    const answers = await Promise.all(
      [1, 2, 3].map(() => exchange(fixture.app, token, verifier, fixture.nowMs)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const late = await exchange(fixture.app, token, verifier, fixture.nowMs);
    expect([late.status, codeOf(late)]).toEqual([401, 89]);
  });

  test('refuses a wrong verifier and, after five, the correct one', async () => {
    const token = await requestToken(fixture.app, fixture.nowMs, { oauth_callback: 'oob' });
    const page = await decide(fixture.browser, token, 'approve');
    const pin = />(\d{7})</.exec(page.text)?.[1] ?? '';
    const guess = pin === '0000000' ? '1111111' : '0000000';
    for (let tries = 0; tries < 5; tries += 1) {
      const answer = await exchange(fixture.app, token, guess, fixture.nowMs);
      expect([answer.status, codeOf(answer)]).toEqual([401, 32]);
    }
    expect((await exchange(fixture.app, token, pin, fixture.nowMs)).status).toBe(401);
  });

  test.each([
    ['unsigned, in the query', (pairs: string) => ({ url: `/oauth/access_token?${pairs}` })],
    ['unsigned, in a form', (pairs: string) => ({ url: '/oauth/access_token', payload: pairs })],
    [
      'unsigned, with the consumer key',
      (pairs: string) => ({ url: `/oauth/access_token?${pairs}&oauth_consumer_key=${CONSUMER.consumerKey}` }),
    ],
    [
      'signed without the request token and its secret',
      (pairs: string, nowMs: number) => ({
        url: `/oauth/access_token?${pairs}`,
        headers: {
          authorization: signHeader({
            method: 'POST',
            url: `${TEST_URL}/oauth/access_token`,
            ...CONSUMER,
            timestampSeconds: Math.floor(nowMs / 1000),
            nonce: 'n',
          }),
        },
      }),
    ],
  ])('accepts token and verifier %s', async (_, requestFor) => {
    const token = await requestToken(fixture.app, fixture.nowMs);
    const verifier = verifierOf(await decide(fixture.browser, token, 'approve'));
    const send = (given: string) => {
      const pairs = new URLSearchParams({ oauth_token: token.token, oauth_verifier: given }).toString();
      const request = { headers: {}, ...requestFor(pairs, fixture.nowMs) };
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...request.headers };
      return fixture.app.request({ method: 'POST', ...request, headers });
    };
    expect([(await send('wrong')).status, (await send(verifier)).status]).toEqual([401, 200]);
    expect((await send(verifier)).status).toBe(401);
  });

  test('invalidates a token after five wrong unsigned verifiers', async () => {
    const token = await requestToken(fixture.app, fixture.nowMs);
    const verifier = verifierOf(await decide(fixture.browser, token, 'approve'));
    const send = (given: string) =>
      fixture.app.post(`/oauth/access_token?oauth_token=${token.token}&oauth_verifier=${given}`);
    for (let tries = 0; tries < 5; tries += 1) expect((await send('wrong')).status).toBe(401);
    expect((await send(verifier)).status).toBe(401);
  });

  test('refuses the key of another app', async () => {
    const token = await requestToken(fixture.app, fixture.nowMs);
    const verifier = verifierOf(await decide(fixture.browser, token, 'approve'));
    const pairs = `oauth_token=${token.token}&oauth_verifier=${verifier}`;
    const answer = await fixture.app.post(`/oauth/access_token?${pairs}&oauth_consumer_key=other`);
    expect([answer.status, codeOf(answer)]).toEqual([401, 32]);
  });

  test('refuses a token without consent, without a verifier, and after ten minutes', async () => {
    const token = await requestToken(fixture.app, fixture.nowMs);
    expect((await exchange(fixture.app, token, 'x', fixture.nowMs)).status).toBe(401);
    const verifier = verifierOf(await decide(fixture.browser, token, 'approve'));
    const url = '/oauth/access_token';
    const none = await postSigned(fixture.app, {
      url,
      keys: { ...CONSUMER, ...token },
      nowMs: fixture.nowMs,
    });
    expect([none.status, codeOf(none)]).toEqual([403, 38]);
    fixture.nowMs += 10 * MINUTE_MS;
    expect((await exchange(fixture.app, token, verifier, fixture.nowMs)).status).toBe(401);
  });
});

describe('a token’s permission', () => {
  test('is the requested one, at most that of the app', async () => {
    expect(await levelOf(await accessOf({ x_auth_access_type: 'read' }))).toBe('read');
    expect(await levelOf(await accessOf({ x_auth_access_type: 'write' }))).toBe('read-write');
    await fixture.app.pipit.backend.apps.update(APP_ID, { permissions: 'read' });
    expect(await levelOf(await accessOf({ x_auth_access_type: 'write' }))).toBe('read');
    await fixture.app.pipit.backend.apps.update(APP_ID, { permissions: 'read_write_dm' });
  });

  test('is the one shown to the user, even if the app is raised before it fetches the token', async () => {
    const { apps } = fixture.app.pipit.backend;
    await apps.update(APP_ID, { permissions: 'read' });
    const token = await requestToken(fixture.app, fixture.nowMs);
    const page = await fixture.browser.get(`/oauth/authorize?oauth_token=${token.token}`);
    expect(page.text).toContain('Post or change anything for you');
    const verifier = verifierOf(await fixture.browser.submit(page, {}, 'approve'));
    await apps.update(APP_ID, { permissions: 'read_write_dm' });
    const fields = fieldsOf(await exchange(fixture.app, token, verifier, fixture.nowMs));
    const keys = { ...CONSUMER, token: fields['oauth_token'], tokenSecret: fields['oauth_token_secret'] };
    expect(await levelOf(keys)).toBe('read');
  });
});

describe('invalidating a token', () => {
  test.each(['/1.1/oauth/invalidate_token', '/1.1/oauth/invalidate_token.json'])(
    'makes it invalid (%s)',
    async (url) => {
      const keys = await accessOf();
      const answer = await postSigned(fixture.app, { url, keys, nowMs: fixture.nowMs });
      expect(answer).toMatchObject({ status: 200, body: { access_token: keys.token } });
      expect(await levelOf(keys)).toBe(401);
      const again = await postSigned(fixture.app, { url, keys, nowMs: fixture.nowMs });
      expect([again.status, codeOf(again)]).toEqual([401, 89]);
    },
  );

  test('requires a signed request', async () => {
    const answer = await fixture.app.post('/1.1/oauth/invalidate_token', WEB_APP.bearer_token);
    expect([answer.status, codeOf(answer)]).toEqual([403, 220]);
  });
});
