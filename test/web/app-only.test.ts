import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { APP, POSTS, USERS } from '../support/world.js';
import { postSigned } from './support/oauth1-flow.js';
import { basic, postForm } from './support/oauth2-flow.js';
import { NATIVE_APP, WEB_APP, webWorld } from './support/web-world.js';

const UNVERIFIED = {
  errors: [{ code: 99, label: 'authenticity_token_error', message: 'Unable to verify your credentials' }],
};
const KEYS = basic(WEB_APP.api_key, WEB_APP.api_secret);

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ world: webWorld() });
});
afterAll(() => app.close());

const tokenFor = (authorization: string | null = KEYS, grant: string | undefined = 'client_credentials') =>
  postForm(app, '/oauth2/token', { grant_type: grant }, authorization);
const invalidate = (token: string | undefined, authorization: string | null = KEYS) =>
  postForm(app, '/oauth2/invalidate_token', { access_token: token }, authorization);
const reads = async (token: string) => (await app.get(`/2/tweets/${POSTS.hello}`, token)).status;

describe('an app-only token', () => {
  test('is the same every time', async () => {
    const answer = await tokenFor();
    expect(answer).toMatchObject({
      status: 200,
      body: { token_type: 'bearer', access_token: WEB_APP.bearer_token },
    });
    expect((await tokenFor()).body).toEqual(answer.body);
  });

  test.each([
    ['no header', null],
    ['a wrong secret', basic(WEB_APP.api_key, 'wrong')],
    ['an unknown key', basic('wrong', WEB_APP.api_secret)],
    ['its client id and secret', basic(WEB_APP.client_id, WEB_APP.client_secret)],
    ['a bearer token', `Bearer ${WEB_APP.bearer_token}`],
  ])('is refused for %s', async (_, authorization) => {
    expect(await tokenFor(authorization)).toMatchObject({ status: 403, body: UNVERIFIED });
  });

  test('is refused for another or no grant type', async () => {
    expect(await tokenFor(KEYS, 'password')).toMatchObject({ status: 403, body: UNVERIFIED });
    const none = await postForm(app, '/oauth2/token', {}, KEYS);
    expect(none).toMatchObject({ status: 403, body: UNVERIFIED });
  });

  test('becomes invalid by invalidation, and the next one is another that stays', async () => {
    const keys = basic(NATIVE_APP.api_key, NATIVE_APP.api_secret);
    const first = (await tokenFor(keys)).body.access_token;
    expect(await invalidate(first, keys)).toMatchObject({ status: 200, body: { access_token: first } });
    expect(await reads(first)).toBe(401);
    const second = (await tokenFor(keys)).body.access_token;
    expect(second).not.toBe(first);
    expect((await tokenFor(keys)).body.access_token).toBe(second);
    expect(await reads(second)).toBe(200);
    await invalidate(second, keys);
    expect((await tokenFor(keys)).body.access_token).not.toBe(second);
  });

  test('cannot be invalidated by another app, nor can a token of a user', async () => {
    const users = await app.as('alice');
    for (const [token, keys] of [
      [WEB_APP.bearer_token, basic(NATIVE_APP.api_key, NATIVE_APP.api_secret)],
      [users, basic(APP.api_key, APP.api_secret)],
      ['unknown', KEYS],
    ] as const) {
      const answer = await invalidate(token, keys);
      expect(answer).toMatchObject({ status: 401, body: { errors: [{ code: 89 }] } });
    }
    expect(await invalidate(WEB_APP.bearer_token, null)).toMatchObject({ status: 403, body: UNVERIFIED });
    expect((await invalidate(undefined)).body.errors[0].code).toBe(38);
    expect(await reads(WEB_APP.bearer_token)).toBe(200);
  });

  test('can be invalidated with the signature of its owner only', async () => {
    const url = `/oauth2/invalidate_token?access_token=${APP.bearer_token}`;
    const signedBy = async (username: string) => {
      const { appKey, appSecret, accessToken, accessSecret } = await app.oauth1(username);
      const keys = {
        consumerKey: appKey,
        consumerSecret: appSecret,
        token: accessToken,
        tokenSecret: accessSecret,
      };
      return postSigned(app, { url, keys, nowMs: Date.now() });
    };
    expect((await signedBy('bob')).status).toBe(403);
    expect(await reads(APP.bearer_token)).toBe(200);
    expect((await signedBy('alice')).body).toEqual({ access_token: APP.bearer_token });
    expect(await reads(APP.bearer_token)).toBe(401);
    expect(USERS.alice).toBe('1001');
  });

  test('is generated for an app without one, and again after its keys are regenerated', async () => {
    const { apps } = app.pipit.backend;
    const ownerId = BigInt(USERS.bob) as Parameters<typeof apps.create>[0]['ownerId'];
    const created = await apps.create({ name: 'derived', ownerId, confidential: false });
    if (!created.created) throw new Error('it was there before');
    const { apiKey, apiSecret, bearerToken } = created.credentials;
    expect((await tokenFor(basic(apiKey, apiSecret))).body.access_token).toBe(bearerToken);
    const fresh = await apps.regenerateKeys(created.app.id);
    expect((await tokenFor(basic(apiKey, apiSecret))).status).toBe(403);
    const answer = await tokenFor(basic(fresh?.apiKey ?? '', fresh?.apiSecret ?? ''));
    expect(answer.body.access_token).toBe(fresh?.bearerToken);
    expect(answer.body.access_token).not.toBe(bearerToken);
  });
});
