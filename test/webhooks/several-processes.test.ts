import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WebhookId } from '../../src/core/ids.js';
import type { Engine } from '../../src/database/engine.js';
import { sql } from '../../src/database/sql.js';
import type { NewDelivery, WebhookProducer } from '../../src/services/webhooks/producer.js';
import { DispatchLease } from '../../src/services/webhooks/dispatch-lease.js';
import { Dispatcher } from '../../src/services/webhooks/dispatcher.js';
import { createWebhookWork } from '../../src/services/webhooks/webhook-work.js';
import { createSignal } from '../../src/core/loop.js';
import { silentLog, type StorageLog } from '../../src/database/storage-log.js';
import { pruneFeed } from '../../src/database/feed-table.js';
import { createOutgoing } from '../../src/services/webhooks/outgoing/outgoing.js';
import { parseNamedTarget } from '../../src/services/webhooks/outgoing/named-target.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createSharedDatabase } from '../support/test-database.js';
import { APP } from '../support/world.js';
import { startReceiver, type Receiver } from './support/receiver.js';

/** Which process does the work for webhooks, and what it does with the feed (docs/design/webhooks.md). */

vi.setConfig({ testTimeout: 60_000 });

const LEASE_MS = 15_000;
const ALL_ENTRIES = { from: 0n, limit: 1_000, beforeMs: Number.MAX_SAFE_INTEGER };

let receiver: Receiver;
let nowMs: number;
const opened: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  nowMs = Date.now();
  receiver = await startReceiver(APP.api_secret);
});
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
  await receiver.close();
});

/** Two servers on one database, the first with a webhook for all posts about herons. */
async function twoServers(): Promise<[TestApp, TestApp]> {
  const database = await createSharedDatabase({ users: 'this process' });
  opened.push(database.remove);
  const flags = { webhooksTo: [`127.0.0.1:${receiver.port}`] };
  const start = async (world?: null): Promise<TestApp> => {
    const app = await startTestApp({
      database,
      clock: () => nowMs,
      flags,
      ...(world === null && { world }),
    });
    opened.push(app.close);
    return app;
  };
  const [here, there] = [await start(), await start(null)];
  const { body } = await here.post('/2/webhooks', APP.bearer_token, { url: receiver.url() });
  await here.post('/2/tweets/search/stream/rules', APP.bearer_token, { add: [{ value: 'heron' }] });
  expect((await here.post(`/2/tweets/search/webhooks/${body.data.id}`, APP.bearer_token)).status).toBe(200);
  return [here, there];
}

async function post(app: TestApp, text: string): Promise<void> {
  expect((await app.post('/2/tweets', await app.as('alice'), { text })).status).toBe(201);
}

const texts = () => receiver.received.map(({ body }) => body.data.text as string);

test('posts of both servers arrive once and in order, whichever does the work', async () => {
  const [here, there] = await twoServers();
  here.pipit.webhooks.start();
  there.pipit.webhooks.start();
  const sent: string[] = [];
  for (let n = 0; n < 30; n++) {
    const text = `heron ${n}`;
    await post(n % 2 === 0 ? here : there, text);
    sent.push(text);
  }
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(30), { timeout: 20_000 });
  expect(texts()).toEqual(sent);
});

test('another process goes on when the one that did the work is gone without a word', async () => {
  const [here, there] = await twoServers();
  receiver.answers.post = ({ body }) => (body.data.text === 'heron two' ? 500 : 200);
  await post(here, 'heron one');
  await post(here, 'heron two');
  expect(await here.pipit.webhooks.runDue()).toBe(true);
  expect(texts()).toEqual(['heron one', 'heron two']);
  receiver.answers.post = () => 200;
  nowMs += LEASE_MS - 1;
  expect(await there.pipit.webhooks.runDue()).toBe(false);
  await post(there, 'heron three');
  nowMs += 1;
  expect(await there.pipit.webhooks.runDue()).toBe(true);
  expect(texts()).toEqual(['heron one', 'heron two', 'heron two', 'heron three']);
  expect(await here.pipit.webhooks.runDue()).toBe(false);
});

test('a process that stops lets another one go on at once', async () => {
  const [here, there] = await twoServers();
  expect(await here.pipit.webhooks.runDue()).toBe(true);
  expect(await there.pipit.webhooks.runDue()).toBe(false);
  await here.pipit.webhooks.stop();
  expect(await there.pipit.webhooks.runDue()).toBe(true);
});

/** The work of a process with a producer of its own. */
function workOf(app: TestApp, producer: WebhookProducer, log: StorageLog = silentLog) {
  const { backend } = app.pipit;
  const targets = [parseNamedTarget(`127.0.0.1:${receiver.port}`)].flatMap((target) => target ?? []);
  return createWebhookWork({
    ...backend,
    clock: () => nowMs,
    log,
    producers: [producer],
    outgoing: createOutgoing({ targets }),
    registered: createSignal(),
  });
}

async function webhookOf(app: TestApp): Promise<WebhookId> {
  const { body } = await app.get('/2/webhooks', APP.bearer_token);
  return BigInt(body.data[0].id as string) as WebhookId;
}

test('what a process prepared before it lost the lease is not stored', async () => {
  const [here, there] = await twoServers();
  const webhookId = await webhookOf(here);
  const delivery: NewDelivery = { webhookId, subscription: 'test', body: '{"data":{"text":"late"}}' };
  let isTaken = false;
  const slow = workOf(here, {
    deliveriesFor: async () => {
      nowMs += LEASE_MS;
      isTaken = await there.pipit.webhooks.runDue();
      return [delivery];
    },
  });
  await post(here, 'heron one');
  await expect(slow.runDue()).rejects.toThrow('lost the lease');
  expect([isTaken, texts()]).toEqual([true, ['heron one']]);
});

/** Counts the most requests at a time. The first ones are not answered before this many run. */
function countRunning(expected: number): () => number {
  let running = 0;
  let most = 0;
  receiver.answers.post = async () => {
    most = Math.max(most, ++running);
    if (receiver.received.length <= expected) {
      await vi.waitFor(() => expect(most).toBeGreaterThanOrEqual(expected), { timeout: 5_000 });
    }
    running -= 1;
    return 200;
  };
  return () => most;
}

test('lanes are worked on side by side, and each in order', async () => {
  const [here] = await twoServers();
  const webhookId = await webhookOf(here);
  const bodyOf = (lane: number, n: number) => JSON.stringify({ data: { text: `${lane}.${n}` } });
  const lanes = [0, 1, 2, 3, 4];
  const producer = workOf(here, {
    deliveriesFor: () =>
      Promise.resolve(
        [0, 1, 2].flatMap((n) =>
          lanes.map((lane) => ({ webhookId, subscription: `lane ${lane}`, body: bodyOf(lane, n) })),
        ),
      ),
  });
  await post(here, 'heron');
  const most = countRunning(lanes.length);
  await producer.runDue();
  expect(most()).toBe(lanes.length);
  for (const lane of lanes) {
    expect(texts().filter((text) => text.startsWith(`${lane}.`))).toEqual(
      [0, 1, 2].map((n) => `${lane}.${n}`),
    );
  }
});

test('one webhook does not take all places', async () => {
  const [here] = await twoServers();
  const webhookId = await webhookOf(here);
  const deliveries = Array.from({ length: 30 }, (_, n) => ({
    webhookId,
    subscription: `lane ${n}`,
    body: JSON.stringify({ data: { text: String(n) } }),
  }));
  const producer = workOf(here, { deliveriesFor: () => Promise.resolve(deliveries) });
  await post(here, 'heron');
  const most = countRunning(8);
  await producer.runDue();
  expect([most(), receiver.received.length]).toEqual([8, 30]);
});

/** A delivery of a test to a lane of a webhook. */
const toLane = (webhookId: WebhookId, lane: string, text = lane): NewDelivery => ({
  webhookId,
  subscription: `lane ${lane}`,
  body: JSON.stringify({ data: { text } }),
});

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

async function anotherWebhook(app: TestApp, path: string): Promise<WebhookId> {
  const { body } = await app.post('/2/webhooks', APP.bearer_token, { url: receiver.url(path) });
  return BigInt(body.data.id as string) as WebhookId;
}

test('a webhook with many due lanes does not keep others waiting', async () => {
  const [here] = await twoServers();
  const [busy, quiet] = [await webhookOf(here), await anotherWebhook(here, '/quiet')];
  const deliveries = [...numbers(600).map((n) => toLane(busy, String(n))), toLane(quiet, 'quiet')];
  const work = workOf(here, { deliveriesFor: () => Promise.resolve(deliveries) });
  await post(here, 'heron');
  await work.runDue();
  expect(texts()).toHaveLength(601);
  expect(texts().indexOf('quiet')).toBeLessThan(9);
});

test('one app does not take all places', async () => {
  const [here] = await twoServers();
  const webhooks = [
    await webhookOf(here),
    await anotherWebhook(here, '/b'),
    await anotherWebhook(here, '/c'),
  ];
  const deliveries = webhooks.flatMap((id) => numbers(10).map((n) => toLane(id, String(n))));
  const work = workOf(here, { deliveriesFor: () => Promise.resolve(deliveries) });
  await post(here, 'heron');
  let release: (status: number) => void = () => undefined;
  const held = new Promise<number>((resolve) => (release = resolve));
  receiver.answers.post = () => held;
  const running = work.runDue();
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(16), { timeout: 5_000 });
  // All requests that may run at once have begun by now; these take longer than it takes others to arrive.
  for (const id of webhooks) await post(here, `nothing of interest ${id}`);
  expect(receiver.received).toHaveLength(16);
  release(200);
  await running;
  expect(receiver.received).toHaveLength(30);
});

test('lanes with much to send give their places to others', async () => {
  const [here] = await twoServers();
  const webhookId = await webhookOf(here);
  const long = numbers(60).flatMap((n) => numbers(8).map((lane) => toLane(webhookId, String(lane), `${n}`)));
  const deliveries = [...long, toLane(webhookId, 'z', 'short')];
  const work = workOf(here, { deliveriesFor: () => Promise.resolve(deliveries) });
  await post(here, 'heron');
  let hasCome = (): void => undefined;
  const short = new Promise<void>((resolve) => (hasCome = resolve));
  receiver.answers.post = async () => {
    nowMs += 1;
    if (texts().includes('short')) hasCome();
    // All lanes have had 20, so the short one has a place, however long it takes to be sent.
    else if (texts().length > 8 * 20) await short;
    return 200;
  };
  await work.runDue();
  expect(texts()).toHaveLength(481);
  expect(texts().indexOf('short')).toBeLessThan(8 * 20 + 9);
});

test('a position kept while deliveries are stored does not bring them twice', async () => {
  const [here] = await twoServers();
  const webhookId = await webhookOf(here);
  const { engine } = here.pipit.backend;
  /** Loses the answer to the commit of deliveries, after a position was kept. */
  let lost = 0;
  const faulty = new Proxy(engine, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (key !== 'tx') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return async (name: string, run: Parameters<Engine['tx']>[1]) => {
        const result = await engine.tx(name, run);
        if (name !== 'dispatch to webhooks' || lost > 0) return result;
        lost += 1;
        await dispatcher.keep();
        throw new Error('The connection was lost.');
      };
    },
  });
  let seen = 0;
  let isSending = false;
  const failures: string[] = [];
  const lease = new DispatchLease({ engine, clock: () => nowMs }, 77n);
  const dispatcher = new Dispatcher({
    engine: faulty,
    clock: () => nowMs,
    log: { warn: (_fields, message) => void failures.push(message) },
    lease,
    producers: [
      {
        deliveriesFor: (entries) => {
          seen += entries.length;
          return Promise.resolve(isSending ? [toLane(webhookId, 'x')] : []);
        },
      },
    ],
    onStored: () => undefined,
  });
  expect(await lease.take()).toBe(true);
  dispatcher.follow();
  await post(here, 'heron one');
  await vi.waitFor(() => expect(seen).toBeGreaterThan(0));
  isSending = true;
  await post(here, 'heron two');
  await vi.waitFor(() => expect(failures).toHaveLength(1));
  await dispatcher.runDue();
  expect([lost, lease.isHeld()]).toEqual([1, true]);
  const stored = await engine.all(sql`SELECT id FROM webhook_deliveries WHERE subscription = ${'lane x'}`);
  expect(stored).toHaveLength(1);
});

test('after the feed has expired, the work goes on at the present and says so', async () => {
  const [here] = await twoServers();
  await post(here, 'heron lost');
  const { engine } = here.pipit.backend;
  await engine.tx('note', (tx) => tx.run(sql`UPDATE users SET name = name WHERE id = ${1001n}`));
  await engine.tx('prune', (tx) => pruneFeed(tx, ALL_ENTRIES));
  const warnings: string[] = [];
  const work = workOf(
    here,
    { deliveriesFor: () => Promise.resolve([]) },
    { warn: (_fields, message) => void warnings.push(message) },
  );
  expect(await work.runDue()).toBe(true);
  expect(warnings).toEqual(['webhooks missed events that the feed does not hold any more']);
  await work.stop();
  await post(here, 'heron new');
  await here.pipit.webhooks.runDue();
  expect(texts()).toEqual(['heron new']);
});

test('the position follows the feed although nothing is sent', async () => {
  const [here] = await twoServers();
  await post(here, 'nothing of interest');
  await here.pipit.webhooks.runDue();
  const { engine } = here.pipit.backend;
  // A commit without events, which only caches need.
  await engine.tx('note', (tx) => tx.run(sql`UPDATE users SET name = name WHERE id = ${1001n}`));
  await here.pipit.webhooks.runDue();
  await here.pipit.webhooks.stop();
  await engine.tx('prune', (tx) => pruneFeed(tx, ALL_ENTRIES));
  const warnings: string[] = [];
  const warn = (_fields: object, message: string) => void warnings.push(message);
  const work = workOf(here, { deliveriesFor: () => Promise.resolve([]) }, { warn });
  expect(await work.runDue()).toBe(true);
  expect(warnings).toEqual([]);
});

test('without webhooks nobody reads the feed or takes the lease', async () => {
  const [here] = await twoServers();
  await here.delete(`/2/webhooks/${await webhookOf(here)}`, APP.bearer_token);
  expect(await here.pipit.webhooks.runDue()).toBe(false);
  const row = await here.pipit.backend.engine.get(
    sql`SELECT position, holder, held_until FROM webhook_dispatch`,
  );
  expect(Object.values(row ?? {}).map(String)).toEqual(['-1', 'null', '0']);
});
