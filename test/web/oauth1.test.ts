import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AppId } from '../../src/core/ids.js';
import { signHeader } from '../auth/support/sign.js';
import { startTestApp, TEST_URL, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { openBrowser, type Browser } from './support/browser.js';
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
import { CALLBACK, NATIVE_CALLBACK, PASSWORDS, WEB_APP, webWorld } from './support/web-world.js';

const MINUTE_MS = 60_000;
const APP_ID = BigInt(WEB_APP.id) as AppId;

let nowMs = Date.UTC(2022, 9, 7);
let app: TestApp;
let browser: Browser;
let aliceCookies: ReadonlyMap<string, string>;

beforeAll(async () => {
  app = await startTestApp({ world: webWorld(), clock: () => nowMs });
  const first = openBrowser(app);
  await first.signIn('alice', PASSWORDS.alice);
  aliceCookies = first.cookies;
});
afterAll(() => app.close());

beforeEach(() => {
  browser = openBrowser(app);
  for (const [name, value] of aliceCookies) browser.cookies.set(name, value);
});

const codeOf = (answer: { body: { errors: { code: number }[] } }) => answer.body.errors[0]?.code;
const levelOf = async (keys: Keys) => {
  const url = '/2/users/me';
  const timestampSeconds = Math.floor(nowMs / 1000);
  const signing = {
    method: 'GET',
    url: TEST_URL + url,
    ...keys,
    timestampSeconds,
    nonce: String(Math.random()),
  };
  const answer = await app.request({ method: 'GET', url, headers: { authorization: signHeader(signing) } });
  return answer.status === 200 ? answer.headers['x-access-level'] : answer.status;
};
const accessOf = async (changes: Record<string, string> = {}): Promise<Keys> => {
  const token = await requestToken(app, nowMs, changes);
  const verifier = verifierOf(await decide(browser, token, 'approve'));
  const fields = fieldsOf(await exchange(app, token, verifier, nowMs));
  return { ...CONSUMER, token: fields['oauth_token'], tokenSecret: fields['oauth_token_secret'] };
};

describe('the first leg', () => {
  test('answers a request token in the form of a query', async () => {
    const extra = { oauth_callback: CALLBACK };
    const answer = await postSigned(app, { url: '/oauth/request_token', extra, nowMs });
    expect(answer.status).toBe(200);
    expect(fieldsOf(answer)).toEqual({
      oauth_token: expect.stringMatching(/^\w{20,}$/),
      oauth_token_secret: expect.stringMatching(/^\w{20,}$/),
      oauth_callback_confirmed: 'true',
    });
  });

  test('takes the callback from a signed form and from the query too', async () => {
    const form = new URLSearchParams({ oauth_callback: CALLBACK }).toString();
    expect((await postSigned(app, { url: '/oauth/request_token', form, nowMs })).status).toBe(200);
    expect((await postSigned(app, { url: `/oauth/request_token?${form}`, nowMs })).status).toBe(200);
  });

  test.each([
    ['no callback', {}, 403, 38],
    ['a foreign callback', { oauth_callback: 'https://evil.example/' }, 403, 415],
    ['the callback of another app', { oauth_callback: NATIVE_CALLBACK }, 403, 415],
    ['an unknown kind of access', { oauth_callback: 'oob', x_auth_access_type: 'all' }, 403, 44],
  ])('refuses %s', async (_, extra, status, code) => {
    const answer = await postSigned(app, { url: '/oauth/request_token', extra, nowMs });
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  test('refuses a wrong secret, an unknown key, an old timestamp and no signature', async () => {
    const extra = { oauth_callback: CALLBACK };
    const url = '/oauth/request_token';
    const wrong = [
      await postSigned(app, { url, extra, nowMs, keys: { ...CONSUMER, consumerSecret: 'x' } }),
      await postSigned(app, { url, extra, nowMs, keys: { ...CONSUMER, consumerKey: 'x' } }),
      await app.request({ method: 'POST', url }),
    ];
    for (const answer of wrong) expect([answer.status, codeOf(answer)]).toEqual([401, 32]);
    const old = await postSigned(app, { url, extra, nowMs: nowMs - 6 * MINUTE_MS });
    expect([old.status, codeOf(old)]).toEqual([401, 135]);
  });
});

describe('the second leg', () => {
  test('signs in first, expecting the user that the app names', async () => {
    const { token } = await requestToken(app, nowMs);
    const visitor = openBrowser(app);
    const page = await visitor.follow(
      await visitor.get(`/oauth/authorize?oauth_token=${token}&screen_name=bob`),
    );
    expect(page.text).toContain('value="bob"');
    const consent = await visitor.follow(await visitor.submit(page, { password: PASSWORDS.bob }));
    expect(consent.text).toContain('@bob');
  });

  test('asks for the password again with force_login, once', async () => {
    const { token } = await requestToken(app, nowMs);
    const visitor = openBrowser(app);
    await visitor.signIn('bob', PASSWORDS.bob);
    const page = await visitor.follow(
      await visitor.get(`/oauth/authorize?oauth_token=${token}&force_login=true`),
    );
    expect(page.text).toContain('type="password"');
    const next = await visitor.submit(page, { username: 'bob', password: PASSWORDS.bob });
    expect((await visitor.follow(next)).text).toContain('signed in as <strong>@bob');
  });

  test('sends token and verifier to the callback', async () => {
    const token = await requestToken(app, nowMs);
    const answer = await decide(browser, token, 'approve');
    expect(answer.status).toBe(303);
    expect(answer.location).toMatch(
      new RegExp(
        `^https://client\\.example/callback\\?from=pipit&oauth_token=${token.token}&oauth_verifier=\\w{32}$`,
      ),
    );
  });

  test('tells the callback of a refusal, and ends the token', async () => {
    const token = await requestToken(app, nowMs);
    const answer = await decide(browser, token, 'deny');
    expect(answer.location).toBe(`${CALLBACK}&denied=${token.token}`);
    expect((await browser.get(`/oauth/authorize?oauth_token=${token.token}`)).status).toBe(403);
  });

  test('shows a PIN of seven digits to who has no callback, or that it was denied', async () => {
    const token = await requestToken(app, nowMs, { oauth_callback: 'oob' });
    const page = await decide(browser, token, 'approve');
    const pin = />(\d{7})</.exec(page.text)?.[1] ?? '';
    expect((await exchange(app, token, ` ${pin} `, nowMs)).status).toBe(200);
    const other = await requestToken(app, nowMs, { oauth_callback: 'oob' });
    const denied = await decide(browser, other, 'deny');
    expect([denied.status, denied.text.includes('may not use your account')]).toEqual([200, true]);
  });

  test('ends with a page for tokens that are unknown, decided or older than ten minutes', async () => {
    const { token } = await requestToken(app, nowMs);
    const page = await browser.get(`/oauth/authorize?oauth_token=${token}`);
    nowMs += 10 * MINUTE_MS;
    expect((await browser.submit(page, {}, 'approve')).status).toBe(403);
    const decided = await requestToken(app, nowMs);
    await decide(browser, decided, 'approve');
    for (const each of [token, decided.token, 'unknown']) {
      const answer = await browser.get(`/oauth/authorize?oauth_token=${each}`);
      expect([answer.status, answer.location]).toEqual([403, undefined]);
    }
  });

  test('is skipped by authenticate for who allowed as much before, never by authorize', async () => {
    const visitor = openBrowser(app);
    await visitor.signIn('bob', PASSWORDS.bob);
    const first = await requestToken(app, nowMs, { x_auth_access_type: 'read' });
    expect((await visitor.get(`/oauth/authenticate?oauth_token=${first.token}`)).status).toBe(200);
    const verifier = verifierOf(await decide(visitor, first, 'approve', '/oauth/authenticate'));
    const fields = fieldsOf(await exchange(app, first, verifier, nowMs));

    const again = await requestToken(app, nowMs, { x_auth_access_type: 'read' });
    expect((await visitor.get(`/oauth/authorize?oauth_token=${again.token}`)).status).toBe(200);
    const skipped = await visitor.get(`/oauth/authenticate?oauth_token=${again.token}`);
    expect((await exchange(app, again, verifierOf(skipped), nowMs)).status).toBe(200);

    const more = await requestToken(app, nowMs, { x_auth_access_type: 'write' });
    expect((await visitor.get(`/oauth/authenticate?oauth_token=${more.token}`)).status).toBe(200);
    const pin = await requestToken(app, nowMs, { oauth_callback: 'oob', x_auth_access_type: 'read' });
    expect((await visitor.get(`/oauth/authenticate?oauth_token=${pin.token}`)).text).toContain('Allow');
    expect(fields['screen_name']).toBe('bob');
  });
});

describe('the third leg', () => {
  test('answers a token of the user that begins with the user’s id (fine-points.md 9)', async () => {
    const token = await requestToken(app, nowMs);
    const verifier = verifierOf(await decide(browser, token, 'approve'));
    const fields = fieldsOf(await exchange(app, token, verifier, nowMs));
    expect(fields).toEqual({
      oauth_token: expect.stringMatching(new RegExp(`^${USERS.alice}-\\w{40}$`)),
      oauth_token_secret: expect.any(String),
      user_id: USERS.alice,
      screen_name: 'alice',
    });
    const keys = { ...CONSUMER, token: fields['oauth_token'], tokenSecret: fields['oauth_token_secret'] };
    expect(await levelOf(keys)).toBe('read-write-directmessages');
  });

  test.each(['form', 'query'])('takes the verifier from the %s', async (place) => {
    const token = await requestToken(app, nowMs);
    const verifier = verifierOf(await decide(browser, token, 'approve'));
    const parameters = `oauth_verifier=${verifier}`;
    const url = place === 'query' ? `/oauth/access_token?${parameters}` : '/oauth/access_token';
    const form = place === 'form' ? parameters : undefined;
    const answer = await postSigned(app, { url, form, keys: { ...CONSUMER, ...token }, nowMs });
    expect(answer.status).toBe(200);
  });

  test('takes the token in header and form, signed once or twice (fine-points.md 8)', async () => {
    const token = await requestToken(app, nowMs);
    const verifier = verifierOf(await decide(browser, token, 'approve'));
    const form = new URLSearchParams({ oauth_token: token.token, oauth_verifier: verifier }).toString();
    const url = '/oauth/access_token';
    const answer = await postSigned(app, { url, form, keys: { ...CONSUMER, ...token }, nowMs });
    expect(answer.status).toBe(200);
  });

  test('takes a token once, of several at once one', async () => {
    const token = await requestToken(app, nowMs);
    const verifier = verifierOf(await decide(browser, token, 'approve'));
    const answers = await Promise.all([1, 2, 3].map(() => exchange(app, token, verifier, nowMs)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const late = await exchange(app, token, verifier, nowMs);
    expect([late.status, codeOf(late)]).toEqual([401, 89]);
  });

  test('refuses a wrong verifier and, after five, the right one', async () => {
    const token = await requestToken(app, nowMs, { oauth_callback: 'oob' });
    const page = await decide(browser, token, 'approve');
    const pin = />(\d{7})</.exec(page.text)?.[1] ?? '';
    const guess = pin === '0000000' ? '1111111' : '0000000';
    for (let tries = 0; tries < 5; tries += 1) {
      const answer = await exchange(app, token, guess, nowMs);
      expect([answer.status, codeOf(answer)]).toEqual([401, 32]);
    }
    expect((await exchange(app, token, pin, nowMs)).status).toBe(401);
  });

  test('refuses before anybody consented, without a verifier, with a wrong secret, and after ten minutes', async () => {
    const token = await requestToken(app, nowMs);
    expect((await exchange(app, token, 'x', nowMs)).status).toBe(401);
    const verifier = verifierOf(await decide(browser, token, 'approve'));
    const url = '/oauth/access_token';
    const none = await postSigned(app, { url, keys: { ...CONSUMER, ...token }, nowMs });
    expect([none.status, codeOf(none)]).toEqual([403, 38]);
    const wrong = await exchange(app, { ...token, tokenSecret: 'x' }, verifier, nowMs);
    expect([wrong.status, codeOf(wrong)]).toEqual([401, 32]);
    nowMs += 10 * MINUTE_MS;
    expect((await exchange(app, token, verifier, nowMs)).status).toBe(401);
  });
});

describe('a token’s permission', () => {
  test('is what the app asked for, not more than it has', async () => {
    expect(await levelOf(await accessOf({ x_auth_access_type: 'read' }))).toBe('read');
    expect(await levelOf(await accessOf({ x_auth_access_type: 'write' }))).toBe('read-write');
    await app.pipit.backend.apps.update(APP_ID, { permissions: 'read' });
    expect(await levelOf(await accessOf({ x_auth_access_type: 'write' }))).toBe('read');
    await app.pipit.backend.apps.update(APP_ID, { permissions: 'read_write_dm' });
  });

  test('is what the user saw, also when the app is given more before it fetches the token', async () => {
    const { apps } = app.pipit.backend;
    await apps.update(APP_ID, { permissions: 'read' });
    const token = await requestToken(app, nowMs);
    const page = await browser.get(`/oauth/authorize?oauth_token=${token.token}`);
    expect(page.text).toContain('Post or change anything for you');
    const verifier = verifierOf(await browser.submit(page, {}, 'approve'));
    await apps.update(APP_ID, { permissions: 'read_write_dm' });
    const fields = fieldsOf(await exchange(app, token, verifier, nowMs));
    const keys = { ...CONSUMER, token: fields['oauth_token'], tokenSecret: fields['oauth_token_secret'] };
    expect(await levelOf(keys)).toBe('read');
  });
});

describe('giving a token back', () => {
  test.each(['/1.1/oauth/invalidate_token', '/1.1/oauth/invalidate_token.json'])(
    'ends it (%s)',
    async (url) => {
      const keys = await accessOf();
      const answer = await postSigned(app, { url, keys, nowMs });
      expect(answer).toMatchObject({ status: 200, body: { access_token: keys.token } });
      expect(await levelOf(keys)).toBe(401);
      const again = await postSigned(app, { url, keys, nowMs });
      expect([again.status, codeOf(again)]).toEqual([401, 89]);
    },
  );

  test('is for who signs, not for bearers', async () => {
    const answer = await app.post('/1.1/oauth/invalidate_token', WEB_APP.bearer_token);
    expect([answer.status, codeOf(answer)]).toEqual([403, 220]);
  });
});
