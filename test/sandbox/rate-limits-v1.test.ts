import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../src/api/endpoint.js';
import { endpointsV1 } from '../../src/api/v1/endpoints-v1.js';
import { signHeader } from '../auth/support/sign.js';
import { APP } from '../support/world.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

/** The rate limits of v1.1 (docs/api/v1.md#limits): as documented, with true headers, and shared with nothing else. */

let pipit: TestSandbox;
let nonces = 0;
let signed: (method: string, path: string) => Record<string, string>;

beforeAll(async () => {
  pipit = await startTestSandbox({ flags: { rateLimits: 'standard' } });
  const { body } = await pipit.control('POST', '/tokens', { username: 'alice', kind: 'oauth1' });
  const { api_key, api_secret, access_token, access_token_secret } = body.data;
  signed = (method, path) => ({
    authorization: signHeader({
      method,
      url: pipit.url + path,
      consumerKey: api_key,
      consumerSecret: api_secret,
      token: access_token,
      tokenSecret: access_token_secret,
      timestampSeconds: Math.floor(Date.now() / 1000),
      nonce: String((nonces += 1)),
    }),
  });
});
afterAll(() => pipit[Symbol.asyncDispose]());
beforeEach(() => pipit.control('DELETE', '/rate_limits'));

/** Returns the name of an operation in the documents, such as `statuses/show`. */
const nameOf = ({ path }: AnyEndpoint): string =>
  path.replace(/^\/1\.1\//, '').replace(/\.json$|\/\{id\}$/, '');

const limitOf = ({ rateLimits = [] }: AnyEndpoint, kind: string): number | undefined =>
  rateLimits.find(({ per, windowSeconds }) => per === kind && windowSeconds === undefined)?.limit;

test('each operation has the limits of the table in the documents', async () => {
  const docs = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'api', 'v1.md'), 'utf8');
  const rows = (docs.split('\n## Limits\n')[1] ?? '').split('\n## ')[0] ?? '';
  const documented = new Map<string, (number | undefined)[]>();
  for (const [, names = '', app = '', user = ''] of rows.matchAll(
    /^\| (`[^|]*`) *\| *([\d,]*) *\| *([\d,]*) *\|/gm,
  )) {
    const limits = [app, user].map((cell) => (cell === '' ? undefined : Number(cell.replace(',', ''))));
    for (const [, name = ''] of names.matchAll(/`([^`]+)`/g)) documented.set(name, limits);
  }
  const declared = new Map(
    endpointsV1.map((each) => [nameOf(each), [limitOf(each, 'app'), limitOf(each, 'user')]]),
  );
  expect(declared).toEqual(documented);
});

/** What counts together over hours or a day, in both versions. */
const POSTS = ['statuses/update', '/2/tweets', '/2/articles/{article_id}/publish', '/2/users/{id}/retweets'];
const LIKES = [
  'favorites/create',
  'favorites/destroy',
  '/2/users/{id}/likes',
  '/2/users/{id}/likes/{tweet_id}',
];
const FOLLOWS = ['friendships/create', '/2/users/{id}/following'];
const SHARED = [POSTS, LIKES, FOLLOWS];

const cases = endpointsV1.flatMap((endpoint) =>
  (['app', 'user'] as const).flatMap((kind) => {
    const limit = limitOf(endpoint, kind);
    return limit === undefined ? [] : [[endpoint.operationId, kind, limit, endpoint] as const];
  }),
);

test.each(cases)(
  '%s of %s: %i calls, then 429 with true headers',
  async (operation, kind, limit, endpoint) => {
    const path = endpoint.path.replace('{id}', '1.json');
    const call = async () => {
      const headers =
        kind === 'user' ? signed(endpoint.method, path) : { authorization: `Bearer ${APP.bearer_token}` };
      const answer = await fetch(pipit.url + path, { method: endpoint.method, headers });
      const [max, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
        Number(answer.headers.get(`x-rate-limit-${name}`)),
      );
      const body = (await answer.text()) || 'null';
      return { status: answer.status, max, remaining, reset: reset ?? 0, body: JSON.parse(body) as unknown };
    };
    const first = await call();
    const nowSeconds = Math.floor(Date.now() / 1000);
    expect([first.max, first.remaining]).toEqual([limit, limit - 1]);
    expect(first.status).not.toBe(401);
    expect(first.reset - nowSeconds).toBeGreaterThan(890);
    expect(first.reset - nowSeconds).toBeLessThanOrEqual(901);

    const user = kind === 'user' ? { user: 'alice' } : {};
    await pipit.control('PUT', '/rate_limits', { operation, remaining: 1, ...user });
    expect(await call()).toMatchObject({ max: limit, remaining: 0, reset: first.reset });
    expect(await call()).toMatchObject({
      status: 429,
      max: limit,
      remaining: 0,
      reset: first.reset,
      body: { errors: [{ code: 88, message: 'Rate limit exceeded.' }] },
    });
    // Other operations have calls left, and so has the other kind of caller.
    const { body } = await pipit.control('GET', '/rate_limits');
    const used = (
      body.data as { operation: string; path: string; remaining: number; limit: number }[]
    ).filter((row) => row.remaining < row.limit);
    const names = new Set(used.map((row) => nameOf({ path: row.path } as AnyEndpoint)));
    const shared = SHARED.find((each) => each.includes(nameOf(endpoint))) ?? [nameOf(endpoint)];
    expect([...names].sort()).toEqual([...shared].sort());
  },
);
