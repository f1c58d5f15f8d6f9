import { afterEach, beforeAll, afterAll, expect, test } from 'vitest';
import { endpoints } from '../../src/api/route-table.js';
import { PER_REQUEST, PER_RESOURCE } from '../../src/sandbox/costs/prices.js';
import { APP, POSTS, USERS } from '../support/world.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

/** What requests would cost at the original (docs/sandbox.md#costs). */

let pipit: TestSandbox;
beforeAll(async () => {
  pipit = await startTestSandbox();
});
afterEach(() => pipit.control('POST', '/reset'));
afterAll(() => pipit[Symbol.asyncDispose]());

const costOf = async (
  method: string,
  path: string,
  token: string,
  body?: unknown,
): Promise<string | null> => {
  const answer = await pipit.send(method, path, token, body);
  expect(answer.status).toBeLessThan(300);
  return answer.headers.get('x-pipit-cost');
};
const read = (path: string) => costOf('GET', path, APP.bearer_token);

test('each post or user of an answer costs once a day', async () => {
  const both = `/2/tweets?ids=${POSTS.hello},${POSTS.reply}&expansions=author_id`;
  expect(await read(`/2/tweets/${POSTS.hello}`)).toBe('0.005');
  expect(await read(both)).toBe('0.005');
  expect(await read(both)).toBe('0');
  expect(await read(`/2/users/${USERS.alice}`)).toBe('0.01');
  expect(await read(`/2/users/${USERS.alice}/followers`)).toBe('0.02');
  await pipit.control('POST', '/clock/advance', { duration: '24h' });
  expect(await read(both)).toBe('0.01');
});

test('writes cost per request, and a post with a URL more', async () => {
  const token = await pipit.tokenOf('alice');
  const post = (text: string) => costOf('POST', '/2/tweets', token, { text });
  expect(await post('A heron')).toBe('0.015');
  expect(await post('A heron https://example.com/heron')).toBe('0.2');
  expect(await costOf('POST', `/2/users/${USERS.alice}/likes`, token, { tweet_id: POSTS.reply })).toBe(
    '0.015',
  );
  expect(await costOf('DELETE', `/2/users/${USERS.alice}/likes/${POSTS.reply}`, token)).toBe('0.01');
});

test('what a user reads of its own is cheaper', async () => {
  const token = await pipit.tokenOf('alice');
  expect(await costOf('GET', '/2/users/me', token)).toBe('0.001');
  expect(await costOf('GET', `/2/users/${USERS.alice}/tweets`, token)).toBe('0.001');
  expect(await costOf('GET', `/2/users/${USERS.bob}`, token)).toBe('0.01');
});

test('operations without a price and refused requests are free', async () => {
  expect(await read('/2/usage/tweets')).toBeNull();
  const refused = await pipit.send('GET', '/2/tweets/0x', APP.bearer_token);
  expect([refused.status, refused.headers.get('x-pipit-cost')]).toEqual([400, null]);
  await pipit.control('POST', '/faults', { count: 1, effect: { status: 503 } });
  const disturbed = await pipit.send('GET', `/2/tweets/${POSTS.hello}`, APP.bearer_token);
  expect([disturbed.status, disturbed.headers.get('x-pipit-cost')]).toEqual([503, null]);
  expect((await pipit.control('GET', '/costs')).body.data).toEqual([]);
});

test('costs are summed by app and price', async () => {
  await read(`/2/tweets?ids=${POSTS.hello},${POSTS.reply}`);
  await read(`/2/users/${USERS.alice}`);
  expect((await pipit.control('GET', '/costs')).body.data).toEqual([
    {
      app: { id: APP.id, name: expect.any(String) },
      total: 0.02,
      budget: null,
      items: [
        { price: 'post_read', count: 2, cost: 0.01 },
        { price: 'user_read', count: 1, cost: 0.01 },
      ],
    },
  ]);
});

test('a spent budget answers as the original does without credits', async () => {
  const set = await pipit.control('PUT', '/budget', { limit: 0.006 });
  expect(set.body.data).toMatchObject([{ total: 0, budget: 0.006 }]);
  await read(`/2/tweets/${POSTS.hello}`);
  await read(`/2/tweets/${POSTS.reply}`);
  const { status, body } = await pipit.send('GET', `/2/tweets/${POSTS.quote}`, APP.bearer_token);
  expect(status).toBe(402);
  expect(body).toEqual({
    title: 'CreditsDepleted',
    detail: `Your enrolled account [${APP.id}] does not have any credits to fulfill this request.`,
    type: 'https://api.twitter.com/2/problems/credits',
  });
  expect(await read('/2/usage/tweets')).toBeNull();
  await pipit.control('PUT', '/budget', {});
  expect(await read(`/2/tweets/${POSTS.quote}`)).toBe('0.005');
});

test('prices are changed until a reset', async () => {
  const { body } = await pipit.control('PUT', '/prices', { post_read: 1.25 });
  expect(body.data).toMatchObject({ post_read: 1.25, user_read: 0.01 });
  expect(await read(`/2/tweets/${POSTS.hello}`)).toBe('1.25');
  await pipit.control('POST', '/reset');
  expect((await pipit.control('GET', '/prices')).body.data.post_read).toBe(0.005);
  expect((await pipit.control('GET', '/costs')).body.data).toEqual([]);
});

test.each<[string, string, unknown]>([
  ['/prices', '$.post_read', { post_read: -1 }],
  ['/prices', '$.post_read', { post_read: '1' }],
  ['/prices', '$.tweet_read', { tweet_read: 1 }],
  ['/budget', '$.limit', { limit: -0.01 }],
  ['/budget', '$.app', { app: 'nothing', limit: 1 }],
])('PUT %s with a faulty %s is refused', async (path, parameter, sent) => {
  const { status, body } = await pipit.control('PUT', path, sent);
  expect(status).toBe(400);
  expect(Object.keys(body.errors[0].parameters)).toEqual([parameter]);
});

test('every operation of the price sheet exists', () => {
  const known = new Set(endpoints.map(({ operationId }) => operationId));
  const priced: string[] = [...Object.values(PER_RESOURCE), ...Object.values(PER_REQUEST)].flat();
  expect(priced.filter((operation) => !known.has(operation))).toEqual([]);
  expect(new Set(priced).size).toBe(priced.length);
});
