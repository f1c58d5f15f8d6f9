import { expect, test } from 'vitest';
import { APP, USERS } from '../support/world.js';
import { startReceiver } from '../webhooks/support/receiver.js';
import { startTestSandbox } from './support/sandbox.js';

test('a reset returns to the loaded world: what was written before is gone, and the world is there again', async () => {
  await using pipit = await startTestSandbox();
  const token = await pipit.tokenOf('alice');
  const posted = await pipit.send('POST', '/2/tweets', token, { text: 'to be forgotten' });
  expect(posted.status).toBe(201);
  const reset = await pipit.control('POST', '/reset');
  expect(reset).toMatchObject({ status: 200, body: { data: { clock: { mode: 'running' }, seed: null } } });
  expect((await pipit.send('GET', '/2/users/me', token)).status).toBe(401);
  const again = await pipit.tokenOf('alice');
  expect((await pipit.send('GET', '/2/users/me', again)).body.data.id).toBe(USERS.alice);
  const { body } = await pipit.send('GET', `/2/tweets/${posted.body.data.id}`, again);
  expect(body.errors[0].title).toBe('Not Found Error');
});

test('requests during a reset wait for it and are answered', async () => {
  await using pipit = await startTestSandbox();
  const token = 'testbearer';
  const resets = [pipit.control('POST', '/reset'), pipit.control('POST', '/reset')];
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => pipit.send('GET', `/2/users/${USERS.alice}`, token)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect((await Promise.all(resets)).map(({ status }) => status)).toEqual([200, 200]);
});

test('operations of the sandbox during a reset wait for it and are answered', async () => {
  await using pipit = await startTestSandbox();
  const resets = [pipit.control('POST', '/reset'), pipit.control('POST', '/reset')];
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => pipit.control('POST', '/tokens', { username: 'alice' })),
    pipit.control('POST', '/sessions', { username: 'alice' }),
    pipit.control('GET', '/world'),
    pipit.control('PUT', '/usage', { posts: 1 }),
    pipit.control('GET', '/journal/count?user=alice'),
    pipit.control('GET', '/journal/wait?user=alice&timeout=1'),
    ...resets,
  ]);
  expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
});

test('a reset ends open streams', async () => {
  await using pipit = await startTestSandbox();
  await pipit.send('POST', '/2/tweets/search/stream/rules', 'testbearer', { add: [{ value: 'pond' }] });
  const stream = await fetch(`${pipit.url}/2/tweets/search/stream`, {
    headers: { authorization: 'Bearer testbearer' },
  });
  expect(stream.status).toBe(200);
  const ended = stream.text();
  await pipit.control('POST', '/reset');
  expect(await ended).toContain('operational-disconnect');
});

test('a reset does not wait for the receiver of a webhook', async () => {
  await using receiver = await startReceiver(APP.api_secret);
  const flags = { webhooksTo: [`127.0.0.1:${receiver.port}`] };
  await using pipit = await startTestSandbox({ flags });
  const hook = await pipit.send('POST', '/2/webhooks', APP.bearer_token, { url: receiver.url() });
  await pipit.send('POST', '/2/tweets/search/stream/rules', APP.bearer_token, { add: [{ value: 'heron' }] });
  await pipit.send('POST', `/2/tweets/search/webhooks/${hook.body.data.id}`, APP.bearer_token);
  const arrived = new Promise<void>((resolve) => {
    receiver.answers.post = () => {
      resolve();
      return new Promise(() => undefined);
    };
  });
  await pipit.send('POST', '/2/tweets', await pipit.tokenOf('alice'), { text: 'A heron for the webhook' });
  await arrived;
  const startedMs = performance.now();
  expect((await pipit.control('POST', '/reset')).status).toBe(200);
  expect(performance.now() - startedMs).toBeLessThan(5_000);
});

test('a reset with a seed freezes the clock, and its time may not be before the newest post of the world', async () => {
  await using pipit = await startTestSandbox();
  const { body } = await pipit.control('POST', '/reset', { seed: 7 });
  expect(body.data).toMatchObject({ clock: { time: '2026-01-01T00:00:00.000Z', mode: 'frozen' }, seed: 7 });
  const later = await pipit.control('POST', '/reset', { time: '2027-05-01T12:00:00Z' });
  expect(later.body.data.clock).toEqual({ time: '2027-05-01T12:00:00.000Z', mode: 'frozen' });
  const early = await pipit.control('POST', '/reset', { time: '2010-12-01T00:00:00Z' });
  expect(early).toMatchObject({ status: 400, body: { title: 'Invalid Request' } });
  expect(early.body.errors[0].message).toContain('reset to that time or a later one');
  const beforeIds = await pipit.control('POST', '/reset', { time: '1970-01-01T00:00:00Z' });
  expect(beforeIds.body.errors[0].message).toContain(
    'The clock is between 2010-11-05T00:00:00.000Z and 2080',
  );
  const late = await pipit.control('POST', '/reset', { time: '9999-12-31T23:59:59Z' });
  expect(late).toMatchObject({ status: 400, body: { title: 'Invalid Request' } });
  expect((await pipit.control('GET', '/clock')).body.data.time).toBe('2027-05-01T12:00:00.000Z');
});
