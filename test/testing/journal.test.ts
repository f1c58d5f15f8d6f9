import { afterAll, beforeEach, expect, test } from 'vitest';
import type { PipitMatchers } from '../../src/testing/matchers.js';
import { openTesting } from './open-testing.js';

declare module 'vitest' {
  // Both parameters must have the names that vitest declares.
  interface Matchers<T> {
    toHaveReceived: PipitMatchers<T>['toHaveReceived'];
    toHavePosted: PipitMatchers<T>['toHavePosted'];
  }
}

const { assertPosted, assertReceived, pipitMatchers, PipitWaitTimeout, startPipit } = await openTesting();
expect.extend(pipitMatchers);

const pipit = await startPipit();
const { alice, bob } = pipit.users;
afterAll(() => pipit.stop());
beforeEach(() => pipit.reset());

test('the journal finds, counts and forgets requests', async () => {
  await alice.post('One');
  await bob.post('Two');
  const entries = await pipit.journal.find({ operation: 'createTweet' });
  expect(entries.map(({ request }) => JSON.parse(request.body.text ?? ''))).toEqual([
    { text: 'One' },
    { text: 'Two' },
  ]);
  expect(await pipit.journal.count({ operation: 'createTweet', user: 'bob' })).toBe(1);
  await pipit.journal.clear();
  expect(await pipit.journal.count()).toBe(0);
});

test('a test waits for requests that arrive later', async () => {
  const waiting = pipit.journal.waitFor({ operation: 'createTweet' }, { count: 2 });
  await alice.post('One');
  await alice.post('Two');
  expect(await waiting).toHaveLength(2);
});

test('waiting in vain says what has arrived instead', async () => {
  await alice.post('').catch(() => undefined);
  const waiting = pipit.journal.waitFor({ operation: 'usersIdLike' }, { timeoutMs: 10 });
  const failure = await waiting.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PipitWaitTimeout);
  expect((failure as Error).message).toMatch(/createTweet: POST \/2\/tweets 400 \(invalid-request/);
});

test('toHaveReceived passes for at least one request, or for an exact number', async () => {
  await alice.post('One');
  await expect(pipit).toHaveReceived({ operation: 'createTweet' });
  await expect(pipit).toHaveReceived({ method: 'POST', path: '/2/tweets' }, 1);
  await expect(pipit).not.toHaveReceived({ operation: 'createTweet' }, 2);
  await expect(pipit).not.toHaveReceived({ operation: 'usersIdLike' });
});

test('toHaveReceived says what it expected and what arrived', async () => {
  await alice.post('One');
  const failing = expect(pipit).toHaveReceived({ operation: 'createTweet' }, 2);
  await expect(failing).rejects.toThrow(/exactly 2 requests like .*there were 1\.[^]*createTweet: POST/);
  const unwanted = expect(pipit).not.toHaveReceived({ operation: 'createTweet' });
  await expect(unwanted).rejects.toThrow(/did not expect at least one request/);
});

test('toHavePosted compares texts and patterns', async () => {
  await alice.post('Good morning');
  await expect(alice).toHavePosted('Good morning');
  await expect(alice).toHavePosted(/morning$/);
  await expect(alice).not.toHavePosted('Good');
  await expect(expect(bob).toHavePosted('x')).rejects.toThrow(/a post of @bob like x; the posts are: none/);
});

test('the assertions for node:test throw AssertionError', async () => {
  await alice.post('Asserted');
  await assertReceived(pipit, { operation: 'createTweet' }, 1);
  await assertPosted(alice, /^Asserted/);
  const failure = await assertPosted(alice, 'Other').catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'ERR_ASSERTION', name: 'AssertionError' });
  await expect(assertReceived(pipit, { status: '5xx' })).rejects.toThrow(/at least one request/);
});

test('a program without changes is led to the server', async () => {
  const token = await alice.token();
  const script = `fetch('https://api.x.com/2/tweets', { method: 'POST', body: '{"text":"Led here"}',
    headers: { authorization: 'Bearer ${token}', 'content-type': 'application/json' } })
    .then((answer) => console.log(answer.status))`;
  const outcome = await pipit.run([process.execPath, '-e', script]);
  expect(outcome).toMatchObject({ status: 0, stdout: '201\n' });
  await expect(alice).toHavePosted('Led here');
});
