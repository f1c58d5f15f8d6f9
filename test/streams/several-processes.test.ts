import { afterEach, expect, test } from 'vitest';
import { systemClock, type Clock } from '../../src/core/clock.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { LooseJson } from '../support/loose-json.js';
import { createSharedDatabase } from '../support/test-database.js';
import { readStream, STREAM as PATH } from './support/read-stream.js';

/** Filtered streams with several servers on one database, and across a restart (docs/api/streams.md#messages). */

const opened: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** Listens and opens a stream; returns a function that returns its next message. */
async function read(app: TestApp, query = ''): Promise<() => Promise<LooseJson>> {
  const { response, next, close } = await readStream(await app.listen(), app.bearer, query);
  opened.push(close);
  expect(response.statusCode).toBe(200);
  return next;
}

async function servers() {
  const database = await createSharedDatabase({ users: 'this process' });
  opened.push(database.remove);
  return async (world?: null, clock?: Clock): Promise<TestApp> => {
    const app = await startTestApp({ database, clock, ...(world === null && { world }) });
    opened.push(app.close);
    return app;
  };
}

async function addRule(app: TestApp, value: string): Promise<void> {
  expect((await app.post(`${PATH}/rules`, app.bearer, { add: [{ value }] })).status).toBe(201);
}

async function post(app: TestApp, text: string): Promise<string> {
  const { status, body } = await app.post('/2/tweets', await app.as('alice'), { text });
  expect(status).toBe(201);
  return body.data.id as string;
}

test('a stream carries posts and follows rules of another server', async () => {
  const start = await servers();
  const [here, there] = [await start(), await start(null)];
  await addRule(there, 'heron');
  const next = await read(here);
  const heron = await post(there, 'a heron');
  expect((await next()).data.id).toBe(heron);
  await addRule(there, 'pond');
  const pond = await post(there, 'a pond');
  expect((await next()).data.id).toBe(pond);
  await there.post(`${PATH}/rules`, there.bearer, { delete: { values: ['heron'] } });
  await post(there, 'another heron');
  const last = await post(there, 'another pond');
  expect((await next()).data.id).toBe(last);
});

test('a client that comes back after a restart misses nothing', async () => {
  const start = await servers();
  const first = await start();
  await addRule(first, 'heron');
  const next = await read(first);
  const seen = [await post(first, 'heron one')];
  expect((await next()).data.id).toBe(seen[0]);
  await first.close();
  expect((await next()).errors[0].disconnect_type).toBe('OperationalDisconnect');
  const second = await start(null);
  seen.push(await post(second, 'heron two'));
  const again = await read(second, '?backfill_minutes=5');
  seen.push(await post(second, 'heron three'));
  const got = [await again(), await again(), await again()];
  expect(got.map(({ data }) => data.id)).toEqual(seen);
});

test('the most connections of an app hold for all servers together', async () => {
  const start = await servers();
  const [here, there] = [await start(), await start(null)];
  await addRule(here, 'heron');
  const first = await readStream(await here.listen(), here.bearer);
  const refused = await there.get(PATH, there.bearer);
  expect([refused.status, refused.body.connection_issue]).toEqual([429, 'TooManyConnections']);
  first.close();
  const url = await there.listen();
  await expect
    .poll(async () => {
      const reader = await readStream(url, there.bearer);
      opened.push(reader.close);
      return reader.response.statusCode;
    })
    .toBe(200);
});

test('the connections of a server that stops count no longer', async () => {
  const start = await servers();
  const [here, there] = [await start(), await start(null)];
  await addRule(here, 'heron');
  await read(here);
  expect((await there.get(PATH, there.bearer)).status).toBe(429);
  await here.close();
  await read(there);
});

test('a connection that its process no longer renews counts as open for half a minute', async () => {
  const start = await servers();
  let laterMs = 0;
  const clock = (): number => systemClock() + laterMs;
  const [here, there] = [await start(), await start(null, clock)];
  await addRule(here, 'heron');
  await read(here);
  laterMs = 29_000;
  expect((await there.get(PATH, there.bearer)).status).toBe(429);
  laterMs = 31_000;
  await read(there);
});

test('another server ends a connection, at once', async () => {
  const start = await servers();
  const [here, there] = [await start(), await start(null)];
  await addRule(here, 'heron');
  const reader = await readStream(await here.listen(), here.bearer);
  const killed = await there.delete('/2/connections/all', there.bearer);
  expect(killed.body.data.successful_kills).toBe(1);
  // Before the other process has closed it.
  await read(there);
  expect(await reader.rest()).toMatchObject([{ errors: [{ disconnect_type: 'ForceDisconnect' }] }]);
  const { body } = await there.get('/2/connections?status=all', there.bearer);
  expect(body.data).toMatchObject([{}, { disconnect_reason: 'ForceDisconnect' }]);
});
