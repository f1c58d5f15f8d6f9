import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { APP, POSTS, USERS } from '../support/world.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

/** Rate limits and usage under the control of tests (docs/sandbox.md#limits). */

let pipit: TestSandbox;
beforeAll(async () => {
  pipit = await startTestSandbox({ flags: { rateLimits: 'standard' } });
});
afterEach(() => pipit.control('DELETE', '/rate_limits'));
afterAll(() => pipit[Symbol.asyncDispose]());

const POST = `/2/tweets/${POSTS.hello}`;
const read = (token: string = APP.bearer_token) => pipit.send('GET', POST, token);

test('running windows are listed by app and user', async () => {
  const token = await pipit.tokenOf('alice');
  await read();
  await read();
  await read(token);
  const { status, body } = await pipit.control('GET', '/rate_limits');
  expect(status).toBe(200);
  const row = { operation: 'findTweetById', method: 'GET', path: '/2/tweets/{id}', app_id: APP.id };
  expect(body.data).toHaveLength(2);
  expect(body.data).toMatchObject([
    { ...row, per: 'app', remaining: body.data[0].limit - 2, reset: expect.stringMatching(/Z$/) },
    { ...row, per: 'user', user_id: USERS.alice, remaining: body.data[1].limit - 1 },
  ]);
});

test('the remaining calls of an app and of a user are set apart', async () => {
  const token = await pipit.tokenOf('alice');
  const set = await pipit.control('PUT', '/rate_limits', { operation: 'findTweetById', remaining: 2 });
  expect(set.status).toBe(200);
  expect(set.body.data).toMatchObject([{ operation: 'findTweetById', per: 'app', remaining: 2 }]);
  const answers = [await read(), await read(), await read()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(answers.map(({ headers }) => headers.get('x-rate-limit-remaining'))).toEqual(['1', '0', '0']);
  expect((await read(token)).status).toBe(200);
  await pipit.control('PUT', '/rate_limits', { operation: 'findTweetById', user: 'alice', remaining: 0 });
  expect((await read(token)).status).toBe(429);
});

test('limits are exhausted for one operation or for all, and given back', async () => {
  const exhausted = await pipit.control('POST', '/rate_limits/exhaust', { operation: 'findTweetById' });
  expect(exhausted.body.data).toMatchObject([{ remaining: 0 }]);
  expect((await read()).status).toBe(429);
  expect((await pipit.send('GET', `/2/users/${USERS.alice}`, APP.bearer_token)).status).toBe(200);
  await pipit.control('POST', '/rate_limits/exhaust', {});
  expect((await pipit.send('GET', `/2/users/${USERS.alice}`, APP.bearer_token)).status).toBe(429);
  expect((await pipit.control('DELETE', '/rate_limits')).body).toEqual({ data: { cleared: true } });
  const after = await read();
  expect(after.status).toBe(200);
  expect(Number(after.headers.get('x-rate-limit-remaining'))).toBe(
    Number(after.headers.get('x-rate-limit-limit')) - 1,
  );
});

test('an exhausted window ends with the time of the sandbox, and with a reset', async () => {
  await pipit.control('POST', '/rate_limits/exhaust', {});
  expect((await read()).status).toBe(429);
  await pipit.control('POST', '/clock/advance', { duration: '16m' });
  expect((await read()).status).toBe(200);
  await pipit.control('POST', '/rate_limits/exhaust', {});
  await pipit.control('POST', '/reset');
  expect((await read()).status).toBe(200);
});

test('the usage of an app is shown and set, and beyond the cap its reads are refused', async () => {
  const before = (await pipit.control('GET', '/usage')).body.data;
  expect(before).toMatchObject({ app: { id: APP.id }, used: 0 });
  const search = () => pipit.send('GET', `/2/users/${USERS.alice}/tweets`, APP.bearer_token);
  expect((await search()).status).toBe(200);
  expect((await pipit.control('GET', `/usage?app=${APP.id}`)).body.data.used).toBeGreaterThan(0);
  const set = await pipit.control('PUT', '/usage', { posts: before.cap });
  expect(set.body.data).toMatchObject({ used: before.cap, days: [{ posts: before.cap }] });
  const refused = await search();
  expect([refused.status, refused.body.title]).toEqual([429, 'UsageCapExceeded']);
  await pipit.control('PUT', '/usage', { posts: 0 });
  expect((await search()).status).toBe(200);
});

test.each<[string, string, string, unknown]>([
  ['PUT', '/rate_limits', '$.operation', { operation: 'noSuchOperation', remaining: 1 }],
  ['PUT', '/rate_limits', '$.operation', { operation: 'findMyUser', remaining: 1 }],
  ['PUT', '/rate_limits', '$.remaining', { operation: 'findTweetById', remaining: 1_000_000 }],
  ['PUT', '/rate_limits', '$.remaining', { operation: 'findTweetById', remaining: -1 }],
  ['PUT', '/rate_limits', '$.remaining', { operation: 'findTweetById' }],
  ['PUT', '/rate_limits', '$.user', { operation: 'findTweetById', remaining: 1, user: 'nobody' }],
  ['POST', '/rate_limits/exhaust', '$.app', { app: 'nothing' }],
  ['PUT', '/usage', '$.posts', { posts: 1.5 }],
  ['PUT', '/usage', '$.app', { posts: 1, app: 'nothing' }],
  ['GET', '/usage?app=nothing', 'app', undefined],
])('%s %s with a faulty %s is refused', async (method, path, parameter, sent) => {
  const { status, body } = await pipit.control(method, path, sent);
  expect(status).toBe(400);
  expect(Object.keys(body.errors[0].parameters)).toEqual([parameter]);
});

test('without rate limits there is nothing to set', async () => {
  await using unlimited = await startTestSandbox();
  const answer = await unlimited.control('PUT', '/rate_limits', { operation: 'findTweetById', remaining: 1 });
  expect([answer.status, answer.body.title]).toEqual([409, 'Conflict']);
});
