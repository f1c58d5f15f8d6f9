import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inject } from '../support/inject.js';
import { endpoints } from '../../src/api/route-table.js';
import { ACCESS_LEVELS, TRACKS, type AccessLevel, type Track } from '../../src/core/access.js';
import type { AppId } from '../../src/core/ids.js';
import { signHeader } from '../auth/support/sign.js';
import { startTestApp, TEST_URL, type OAuth1Credentials, type TestApp } from '../support/app.js';
import { APP, standardWorld, USERS } from '../support/world.js';

/** Access by level and track (docs/api/authentication.md#levels-and-tracks). */

const NOW = Date.parse('2022-10-07T22:42:12Z');
const VERIFY = '/1.1/account/verify_credentials.json';

let app: TestApp;
let alice: OAuth1Credentials;
let nonces = 0;

beforeAll(async () => {
  const world = standardWorld();
  app = await startTestApp({ world, clock: () => NOW });
  alice = await app.oauth1('alice');
});
afterAll(() => app.close());

const grant = (accessLevel: AccessLevel, track: Track = 'standard') =>
  app.pipit.backend.apps.update(BigInt(APP.id) as AppId, { accessLevel, track });

function getSigned(url: string) {
  const authorization = signHeader({
    method: 'GET',
    url: TEST_URL + url,
    consumerKey: alice.appKey,
    consumerSecret: alice.appSecret,
    token: alice.accessToken,
    tokenSecret: alice.accessSecret,
    timestampSeconds: Math.floor(NOW / 1000),
    nonce: `nonce${(nonces += 1)}`,
  });
  return app.request({ method: 'GET', url, headers: { authorization } });
}

const ESSENTIAL_ONLY = {
  errors: [
    { code: 453, message: expect.stringMatching(/^You currently have Essential access which includes/) },
  ],
};

describe('API version 1.1', () => {
  test.each([VERIFY, '/1.1/statuses/home_timeline.json', '/1.1/nothing.json'])(
    'refuses Essential access with any credentials: %s',
    async (path) => {
      await grant('essential');
      const answers = [
        await app.get(path, app.bearer),
        await app.get(path, await app.as('alice')),
        await getSigned(path),
      ];
      for (const { status, body } of answers) expect([status, body]).toEqual([403, ESSENTIAL_ONLY]);
    },
  );

  test.each(['elevated', 'basic'] as const)(
    'returns 404 for endpoints that are not implemented, with %s access',
    async (level) => {
      await grant(level);
      const missing = { errors: [{ code: 34, message: 'Sorry, that page does not exist.' }] };
      for (const answer of [
        await app.get('/1.1/statuses/mentions_timeline.json', app.bearer),
        await getSigned('/1.1/nothing.json'),
      ]) {
        expect([answer.status, answer.body]).toEqual([404, missing]);
      }
    },
  );

  test('returns 401 without credentials', async () => {
    for (const path of [VERIFY, '/1.1/nothing.json']) {
      const { status, body } = await app.get(path);
      expect([status, body.errors[0].code], path).toEqual([401, 32]);
    }
  });
});

describe('account/verify_credentials.json', () => {
  test('returns the user of the token', async () => {
    await grant('elevated');
    const { status, body, headers } = await getSigned(`${VERIFY}?skip_status=true&include_email=false`);
    expect([status, headers['content-type'], headers['x-rate-limit-limit']]).toEqual([
      200,
      'application/json; charset=utf-8',
      '75',
    ]);
    expect(body).toMatchObject({
      id: Number(USERS.alice),
      id_str: USERS.alice,
      name: 'Alice',
      screen_name: 'alice',
      location: '',
      description: '',
      protected: false,
      verified: false,
      followers_count: 2,
      friends_count: 0,
      listed_count: 0,
      favourites_count: 0,
      statuses_count: 1,
      created_at: 'Wed Jan 01 00:00:00 +0000 2020',
    });
  });

  test('writes an id with all of its digits', async () => {
    const id = '1346889436626259969';
    await grant('elevated');
    await using other = await startTestApp({
      clock: () => NOW,
      world: {
        ...standardWorld(),
        users: [...(standardWorld().users ?? []), { id, username: 'erin', name: 'Erin' }],
      },
    });
    const erin = await other.oauth1('erin');
    const authorization = signHeader({
      method: 'GET',
      url: TEST_URL + VERIFY,
      consumerKey: erin.appKey,
      consumerSecret: erin.appSecret,
      token: erin.accessToken,
      tokenSecret: erin.accessSecret,
      timestampSeconds: Math.floor(NOW / 1000),
      nonce: 'n',
    });
    const { body } = await inject(other.pipit.app, {
      method: 'GET',
      url: VERIFY,
      headers: { authorization },
    });
    expect(body).toContain(`"id":${id},"id_str":"${id}"`);
  });

  test('accepts OAuth 1.0a only', async () => {
    await grant('elevated');
    for (const token of [app.bearer, await app.as('alice')]) {
      const { status, body } = await app.get(VERIFY, token);
      expect([status, body.errors[0].code]).toEqual([403, 220]);
    }
  });
});

describe('the research track', () => {
  test.each(ACCESS_LEVELS.flatMap((level) => TRACKS.map((track) => [level, track] as const)))(
    'is required for full-archive search: %s, %s',
    async (level, track) => {
      await grant(level, track);
      const gated = endpoints.filter(({ access }) => access !== 'public' && access.track !== undefined);
      expect(gated.map(({ path }) => path)).toContain('/2/tweets/search/all');
      for (const { path } of gated) {
        const { status, body } = await app.get(`${path}?query=birds`, app.bearer);
        if (track === 'academic_research') expect([path, status]).toEqual([path, 200]);
        else {
          expect([status, body]).toEqual([
            403,
            expect.objectContaining({
              title: 'Client Forbidden',
              type: 'https://api.twitter.com/2/problems/client-forbidden',
              reason: 'client-not-enrolled',
              client_id: APP.client_id,
            }),
          ]);
        }
      }
    },
  );
});

test('is not required for the rest of version 2, whatever the level', async () => {
  for (const level of ACCESS_LEVELS) {
    await grant(level);
    expect((await app.get(`/2/users/${USERS.alice}`, app.bearer)).status).toBe(200);
    expect((await app.get('/2/users/me', await app.as('alice'))).status).toBe(200);
  }
  const gated = endpoints.filter(({ access }) => access !== 'public' && access.levels !== undefined);
  expect(gated.map(({ path }) => path)).toEqual(gated.map(() => expect.stringMatching(/^\/1\.1\//)));
});
