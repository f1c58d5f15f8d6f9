import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { openBrowser, type Browser } from './support/browser.js';
import { allow, basic, postForm, redeem, refresh } from './support/oauth2-flow.js';
import { PASSWORDS, WEB_APP, webWorld } from './support/web-world.js';

const INVALID_TOKEN = {
  error: 'invalid_request',
  error_description: 'Value passed for the token was invalid.',
};

let nowMs = Date.UTC(2022, 9, 7);
let app: TestApp;
let browser: Browser;
/** Of a browser in which alice is signed in: hashing passwords takes time. */
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
});

const signIn = () => {
  for (const [name, value] of aliceCookies) browser.cookies.set(name, value);
};
const me = async (token: string) => (await app.get('/2/users/me', token)).status;

describe('refreshing', () => {
  beforeEach(signIn);

  const firstTokens = async () => (await redeem(app, await allow(browser))).body;

  test('exchanges the refresh token for a new pair', async () => {
    const first = await firstTokens();
    nowMs += 7200_000;
    const { status, body } = await refresh(app, first.refresh_token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ expires_in: 7200, scope: 'tweet.read users.read offline.access' });
    expect(body.refresh_token).not.toBe(first.refresh_token);
    expect(await me(body.access_token)).toBe(200);
  });

  test('with a token that was used before fails, and revokes all that came of the consent', async () => {
    const first = await firstTokens();
    const second = (await refresh(app, first.refresh_token)).body;
    expect(await refresh(app, first.refresh_token)).toMatchObject({ status: 400, body: INVALID_TOKEN });
    expect([await me(first.access_token), await me(second.access_token)]).toEqual([401, 401]);
    expect((await refresh(app, second.refresh_token)).status).toBe(400);
  });

  test('at once gives tokens to one of several', async () => {
    const first = await firstTokens();
    const answers = await Promise.all([1, 2, 3].map(() => refresh(app, first.refresh_token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('of tokens from a world file revokes the given ones too when one comes twice', async () => {
    await app.load({
      tokens: [
        {
          app: WEB_APP.id,
          user: 'bob',
          kind: 'oauth2',
          access_token: 'given-access',
          refresh_token: 'given-refresh',
          scopes: ['tweet.read', 'users.read', 'offline.access'],
        },
      ],
    });
    const { body } = await refresh(app, 'given-refresh');
    expect([await me('given-access'), await me(body.access_token)]).toEqual([200, 200]);
    expect((await refresh(app, 'given-refresh')).status).toBe(400);
    expect([await me('given-access'), await me(body.access_token)]).toEqual([401, 401]);
  });

  test('is refused to another app, which revokes nothing', async () => {
    const first = await firstTokens();
    const other = basic('testclient', 'testclientsecret');
    expect(await refresh(app, first.refresh_token, other)).toMatchObject({
      status: 400,
      body: INVALID_TOKEN,
    });
    expect((await refresh(app, first.refresh_token)).status).toBe(200);
  });

  test('fails after half a year without use', async () => {
    const first = await firstTokens();
    const beforeMs = nowMs;
    onTestFinished(() => void (nowMs = beforeMs));
    nowMs += 182 * 24 * 3_600_000;
    expect(await refresh(app, first.refresh_token)).toMatchObject({ status: 400, body: INVALID_TOKEN });
  });
});

describe('revoking', () => {
  beforeEach(signIn);

  const revoke = (token: string | undefined, authorization?: string | null) =>
    postForm(app, '/2/oauth2/revoke', { token, token_type_hint: 'refresh_token' }, authorization);

  test('an access token ends it alone', async () => {
    const { body } = await redeem(app, await allow(browser));
    expect(await revoke(body.access_token)).toMatchObject({ status: 200, body: { revoked: true } });
    expect(await me(body.access_token)).toBe(401);
    expect((await refresh(app, body.refresh_token)).status).toBe(200);
  });

  test('a refresh token ends its access tokens with it, older ones too', async () => {
    const first = (await redeem(app, await allow(browser))).body;
    const second = (await refresh(app, first.refresh_token)).body;
    expect((await revoke(second.refresh_token)).body).toEqual({ revoked: true });
    expect([await me(first.access_token), await me(second.access_token)]).toEqual([401, 401]);
    expect((await refresh(app, second.refresh_token)).status).toBe(400);
  });

  test('fails for a token that is unknown, revoked, another app’s, or the app’s own', async () => {
    const { body } = await redeem(app, await allow(browser));
    await revoke(body.access_token);
    const foreign = basic('testclient', 'testclientsecret');
    for (const answer of [
      await revoke('unknown'),
      await revoke(body.access_token),
      await revoke(body.refresh_token, foreign),
      await revoke(WEB_APP.bearer_token),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: INVALID_TOKEN });
    }
    expect((await revoke(undefined)).body.error_description).toBe('Missing required parameter [token].');
    expect((await revoke(body.refresh_token, null)).status).toBe(400);
    expect((await refresh(app, body.refresh_token)).status).toBe(200);
  });
});
