import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../src/api/endpoint.js';
import { exampleOf, exampleUrl } from '../../src/api/reference/examples.js';
import { endpoints } from '../../src/api/route-table.js';
import { signHeader } from '../auth/support/sign.js';
import { startTestApp, TEST_URL, type TestAnswer, type TestApp } from '../support/app.js';
import { SCOPES } from '../../src/core/access.js';
import { POSTS, standardWorld, type Username, USERS } from '../support/world.js';

/** Rate limits over HTTP (docs/api/errors.md#problems, docs/api/limits.md#rate-limits). */

const NOW = Date.parse('2022-10-07T22:42:12Z');
const RESET = String(NOW / 1000 + 900);
const TOO_MANY = {
  title: 'Too Many Requests',
  detail: 'Too Many Requests',
  type: 'about:blank',
  status: 429,
};
const TOO_MANY_V1 = { errors: [{ code: 88, message: 'Rate limit exceeded.' }] };

const nameOf = ({ method, path }: AnyEndpoint): string => `${method} ${path}`;

describe('every endpoint at the smallest limits', () => {
  const limited = endpoints.filter(({ access }) => access !== 'public');
  const time = { nowMs: NOW };
  let app: TestApp;

  beforeAll(async () => {
    const world = standardWorld();
    // One user per endpoint, as several endpoints share limits.
    const users = limited.map((_, n) => ({ id: String(50_000 + n), username: `u${n}`, name: 'U' }));
    app = await startTestApp({
      world: { ...world, users: [...(world.users ?? []), ...users] },
      clock: () => time.nowMs,
      flags: { rateLimits: '0.001' },
    });
  });
  afterAll(() => app.close());

  test.each(limited.map((endpoint, n) => [nameOf(endpoint), endpoint, n] as const))(
    '%s accepts one call and refuses the next',
    async (_name, endpoint, n) => {
      const first = await call(app, endpoint, n);
      expect(first.status).not.toBe(429);
      expect(headersOf(first)).toEqual(['1', '0', RESET]);
      const second = await call(app, endpoint, n);
      expect([second.status, second.body]).toEqual([
        429,
        endpoint.errorStyle === 'v1' ? TOO_MANY_V1 : TOO_MANY,
      ]);
      expect(headersOf(second)).toEqual(['1', '0', RESET]);
      expect(Number(second.headers['retry-after'])).toBeGreaterThanOrEqual(900);
      const unknown = await app.request({ method: endpoint.method, url: urlFor(endpoint, n) });
      expect(unknown.status).toBe(401);
      expect(headersOf(unknown)).toEqual(['1', '1', RESET]);
    },
  );
});

test('every refusal carries the rate limit headers (docs/api/limits.md#rate-limits)', async () => {
  const time = { nowMs: NOW };
  await using app = await startTestApp({ clock: () => time.nowMs, flags: { rateLimits: 'standard' } });
  const [alice, unable] = [await app.as('alice'), await app.as('alice', [])];
  const refused = async (endpoint: AnyEndpoint, status: number, token: string, query = '') => {
    // Avoids two calls within one second.
    time.nowMs += 1000;
    const { method, rateLimits = [] } = endpoint;
    const url = exampleUrl(endpoint) + (query && (exampleUrl(endpoint).includes('?') ? '&' : '?') + query);
    const answer = await app.request({ method, url, headers: { authorization: `Bearer ${token}` } });
    expect([nameOf(endpoint), answer.status]).toEqual([nameOf(endpoint), status]);
    const [limit, left = NaN, reset] = headersOf(answer).map(Number);
    const declared = rateLimits.filter(({ windowSeconds }) => windowSeconds === undefined);
    expect(
      declared.flatMap((each) => [each.limit, each.researchLimit]),
      nameOf(endpoint),
    ).toContain(limit);
    expect(left, nameOf(endpoint)).toBeLessThan(limit ?? NaN);
    expect(Number(reset) - time.nowMs / 1000, nameOf(endpoint)).toBeGreaterThan(600);
  };
  for (const endpoint of endpoints) {
    const { access, openQuery } = endpoint;
    if (access === 'public') continue;
    const takesApp = (access.contexts as readonly string[]).includes('app');
    await refused(endpoint, 403, unable);
    if (!takesApp) await refused(endpoint, 403, app.bearer);
    if (openQuery !== true) await refused(endpoint, 400, takesApp ? app.bearer : alice, 'colour=red');
  }
});

function headersOf({ headers }: TestAnswer): (string | undefined)[] {
  return ['limit', 'remaining', 'reset'].map((name) => headers[`x-rate-limit-${name}`] as string | undefined);
}

/** Calls the documented example as the app or as the n-th user. */
async function call(app: TestApp, endpoint: AnyEndpoint, n: number): Promise<TestAnswer> {
  const { method, body, access, streams } = endpoint;
  const example = urlFor(endpoint, n);
  // A stream that opens does not end: a bad parameter refuses it after the call is counted.
  const query = streams === true ? `${example.includes('?') ? '&' : '?'}backfill_minutes=6` : '';
  const url = example + query;
  const payload = body === undefined || body.kind !== 'json' ? undefined : exampleOf(body.object.schema);
  const contexts: readonly string[] = access === 'public' ? [] : access.contexts;
  // The forms of v1.1 lookups share the limit of the app.
  const authorization =
    contexts.includes('app') && endpoint.errorStyle !== 'v1'
      ? `Bearer ${app.bearer}`
      : contexts.includes('oauth2')
        ? `Bearer ${await app.as(`u${n}`)}`
        : await signed(app, `u${n}`, method, url);
  return app.request({ method, url, headers: { authorization }, payload: payload as object | undefined });
}

function urlFor(endpoint: AnyEndpoint, n: number): string {
  const { access, params = {} } = endpoint;
  const url = exampleUrl(endpoint);
  const own = access === 'public' || access.ownId === undefined ? undefined : params[access.ownId];
  return own === undefined ? url : url.replace(String(exampleOf(own.schema)), String(50_000 + n));
}

let nonces = 0;
async function signed(app: TestApp, username: string, method: string, url: string): Promise<string> {
  const keys = await app.oauth1(username);
  return signHeader({
    method,
    url: TEST_URL + url,
    consumerKey: keys.appKey,
    consumerSecret: keys.appSecret,
    token: keys.accessToken,
    tokenSecret: keys.accessSecret,
    timestampSeconds: Math.floor(NOW / 1000),
    nonce: `nonce${(nonces += 1)}`,
  });
}

describe('--rate-limits', () => {
  const ARCHIVE = '/2/tweets/search/all?query=birds';
  const LOOKUP = `/2/users/${USERS.alice}`;

  async function withMode(
    rateLimits: string,
    work: (app: TestApp, time: { nowMs: number }) => Promise<void>,
  ): Promise<void> {
    const time = { nowMs: NOW };
    await using app = await startTestApp({ clock: () => time.nowMs, flags: { rateLimits } });
    await work(app, time);
  }

  test('standard applies the declared limits, with one call a second for full-archive search (docs/api/limits.md#sizes)', () =>
    withMode('standard', async (app, time) => {
      expect(headersOf(await app.get(LOOKUP, app.bearer))).toEqual(['300', '299', RESET]);
      expect(headersOf(await app.get(LOOKUP, await app.as('alice')))).toEqual(['900', '899', RESET]);
      const first = await app.get(ARCHIVE, app.bearer);
      const second = await app.get(ARCHIVE, app.bearer);
      expect([first.status, second.status, second.headers['retry-after']]).toEqual([200, 429, '1']);
      expect(headersOf(second)).toEqual(['300', '299', RESET]);
      time.nowMs += 1000;
      const third = await app.get(ARCHIVE, app.bearer);
      expect([third.status, ...headersOf(third)]).toEqual([200, '300', '298', RESET]);
      time.nowMs += 999;
      const early = await app.get(ARCHIVE, app.bearer);
      expect([early.status, early.headers['retry-after']]).toEqual([429, '1']);
      time.nowMs += 1;
      expect((await app.get(ARCHIVE, app.bearer)).status).toBe(200);
    }));

  test('a window ends exactly 15 minutes after its first call', () =>
    withMode('0.01', async (app, time) => {
      const ask = async () => {
        const answer = await app.get(LOOKUP, app.bearer);
        return [answer.status, ...headersOf(answer), answer.headers['retry-after']];
      };
      expect(await ask()).toEqual([200, '3', '2', RESET, undefined]);
      time.nowMs += 899_998;
      for (const left of ['1', '0']) expect(await ask()).toEqual([200, '3', left, RESET, undefined]);
      time.nowMs += 1;
      expect(await ask()).toEqual([429, '3', '0', RESET, '1']);
      time.nowMs += 1;
      expect(await ask()).toEqual([200, '3', '2', String(NOW / 1000 + 1800), undefined]);
    }));

  test('concurrent calls pass up to the remaining limit', () =>
    withMode('0.0112', async (app) => {
      const token = await app.as('alice');
      const answers = await Promise.all(Array.from({ length: 50 }, () => app.get(LOOKUP, token)));
      const passed = answers.filter(({ status }) => status === 200);
      const left = passed.map(({ headers }) => Number(headers['x-rate-limit-remaining']));
      expect(left.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
    }));

  test('daily limits have separate headers for user and app (docs/api/limits.md#rate-limits)', () =>
    withMode('0.01', async (app, time) => {
      const follow = async (username: Username) => {
        const url = `/2/users/${USERS[username]}/following`;
        const body = { target_user_id: USERS.dave };
        const { status, headers } = await app.post(url, await app.as(username), body);
        const day = (per: string) =>
          ['limit', 'remaining', 'reset'].map((name) => headers[`x-${per}-limit-24hour-${name}`]);
        return [status, headers['x-rate-limit-remaining'], ...day('user'), ...day('app')];
      };
      const reset = String(NOW / 1000 + 86_400);
      for (const left of [3, 2, 1, 0]) {
        expect(await follow('bob')).toEqual([200, '0', '4', `${left}`, reset, '10', `${left + 6}`, reset]);
        time.nowMs += 900_000;
      }
      expect(await follow('bob')).toEqual([429, '1', '4', '0', reset, '10', '6', reset]);
      const later = String(time.nowMs / 1000 + 86_400);
      expect(await follow('carol')).toEqual([200, '0', '4', '3', later, '10', '5', reset]);
    }));

  test('a factor multiplies every limit', () =>
    withMode('2.5', async (app) => {
      expect(headersOf(await app.get(LOOKUP, app.bearer))).toEqual(['750', '749', RESET]);
      const statuses = [];
      for (let n = 0; n < 3; n += 1) statuses.push((await app.get(ARCHIVE, app.bearer)).status);
      expect(statuses).toEqual([200, 200, 429]);
    }));

  test('off refuses nothing, including the one-second limit, and keeps the headers', () =>
    withMode('off', async (app) => {
      for (let n = 0; n < 3; n += 1) {
        const answer = await app.get(ARCHIVE, app.bearer);
        expect([answer.status, ...headersOf(answer)]).toEqual([200, '300', '299', RESET]);
      }
    }));

  test('an app token and user tokens have separate limits; all tokens of a user share one (docs/api/limits.md#monthly-post-cap)', () =>
    withMode('0.001', async (app) => {
      const statuses = [];
      for (const token of [app.bearer, await app.as('alice'), await app.as('alice'), await app.as('bob')]) {
        statuses.push((await app.get(LOOKUP, token)).status);
      }
      expect(statuses).toEqual([200, 200, 429, 200]);
    }));
});

test('the limit of 300 posts and reposts in 3 hours applies per user and app, besides the 15-minute limit (docs/api/posts.md)', async () => {
  const world = standardWorld();
  const [first] = (world.apps ?? []) as Readonly<Record<string, unknown>>[];
  const other = { ...first, id: '2002', api_key: 'other', bearer_token: 'other', client_id: 'other' };
  const time = { nowMs: NOW };
  await using app = await startTestApp({
    world: {
      ...world,
      apps: [...(world.apps ?? []), other],
      tokens: [{ app: '2002', user: 'bob', kind: 'oauth2', access_token: 'bob-elsewhere', scopes: SCOPES }],
    },
    clock: () => time.nowMs,
    // 2 posts in 15 minutes, 3 posts and reposts in 3 hours.
    flags: { rateLimits: '0.01' },
  });
  const bob = await app.as('bob');
  const posting = async (text: string, token = bob) => {
    const answer = await app.post('/2/tweets', token, { text });
    return [answer.status, answer.headers['x-rate-limit-limit'], answer.headers['x-rate-limit-remaining']];
  };
  const reposting = (token: string) =>
    app.post(`/2/users/${USERS.bob}/retweets`, token, { tweet_id: POSTS.quote });
  expect(await posting('one')).toEqual([201, '2', '1']);
  expect((await reposting(bob)).status).toBe(200);
  time.nowMs += 900_000;
  expect(await posting('two')).toEqual([201, '2', '1']);
  const refused = await app.post('/2/tweets', bob, { text: 'three' });
  expect([refused.status, refused.body, refused.headers['retry-after']]).toEqual([429, TOO_MANY, '9900']);
  expect(headersOf(refused).slice(0, 2)).toEqual(['2', '1']);
  expect((await reposting(bob)).status).toBe(429);
  expect(await posting('three', 'bob-elsewhere')).toEqual([201, '2', '0']);
  time.nowMs += 9_900_000 - 1;
  expect((await app.post('/2/tweets', await app.as('bob'), { text: 'three' })).status).toBe(429);
  time.nowMs += 1;
  expect(await posting('four', await app.as('bob'))).toEqual([201, '2', '1']);
});
