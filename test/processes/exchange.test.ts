import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createCountExchange,
  type CountExchange,
  type CountExchangeDeps,
} from '../../src/limits/exchange/count-exchange.js';
import { createCountRelay } from '../../src/limits/exchange/count-relay.js';
import type { SignedOnce } from '../../src/limits/nonces.js';
import type { ServerId } from '../../src/core/ids.js';
import type { Engine } from '../../src/database/engine.js';
import { StorageUnavailable } from '../../src/database/errors.js';
import { asNumber, sql } from '../../src/database/sql.js';
import { signHeader } from '../auth/support/sign.js';
import { startTestApp, TEST_URL } from '../support/app.js';
import { createSharedDatabase, openTestEngine } from '../support/test-database.js';
import { startServer } from '../wire/support/server-process.js';
import { channelTo } from './support/channel.js';
import { bearer, send } from './support/cluster.js';

vi.setConfig({ testTimeout: 60_000 });

const START_MS = 1_600_000_000_000;
const WINDOW_MS = 900_000;
const MINUTE_MS = 60_000;

describe('servers that exchange counts through one database', () => {
  let engine: Engine;
  let nowMs: number;
  let servers: number;

  beforeEach(async () => {
    nowMs = START_MS;
    servers = 0;
    engine = await openTestEngine();
  });

  afterEach(() => engine.close());

  const server = (deps: Partial<CountExchangeDeps> = {}, groupId = randomUUID()): CountExchange => {
    servers += 1;
    return createCountExchange({
      engine,
      clock: () => nowMs,
      log: { warn: () => undefined },
      server: { id: BigInt(servers) as ServerId, groupId },
      startedAtMs: nowMs,
      ...deps,
    });
  };
  /** Simulates one start whose workers join one after the other. */
  const startWorkers = (): (() => Promise<CountExchange>) => {
    const relay = createCountRelay<object>(() => nowMs);
    const [groupId, startedAtMs] = [randomUUID(), nowMs];
    return async () => {
      const worker = server({ startedAtMs, channel: channelTo(relay) }, groupId);
      await worker.begin();
      return worker;
    };
  };
  /** Waits until the workers of a start have received each other’s counts. */
  const relayed = () => pause(100);
  /** Makes each server publish, then each receive. */
  const exchange = async (...all: readonly CountExchange[]): Promise<void> => {
    for (const one of all) await one.run();
    for (const one of all) await one.run();
  };
  const count = ({ windows }: CountExchange, times = 1, key = 'key'): number => {
    for (let call = 1; call < times; call += 1) windows.count(key, WINDOW_MS, nowMs);
    return windows.count(key, WINDOW_MS, nowMs).used;
  };
  const usedOf = ({ windows }: CountExchange, key = 'key') => windows.find(key, WINDOW_MS, nowMs)?.used;
  const nonce = (text: string): SignedOnce => ({
    consumerKey: 'app',
    token: 'token',
    timestampSeconds: nowMs / 1000,
    nonce: text,
  });
  const rows = async (table: 'servers' | 'server_tallies'): Promise<number> => {
    const counted = {
      servers: sql`SELECT COUNT(*) AS n FROM servers`,
      server_tallies: sql`SELECT COUNT(*) AS n FROM server_tallies`,
    };
    return asNumber((await engine.get(counted[table]))?.['n']);
  };

  test('each counts on from the published counts, and resets when the first of their windows ends', async () => {
    const [one, other, third] = [server(), server(), server()];
    await exchange(one, other, third);
    count(one, 3);
    nowMs += 1000;
    count(other, 2);
    await exchange(one, other, third);
    expect([usedOf(one), usedOf(other), usedOf(third)]).toEqual([5, 5, 5]);
    for (const each of [one, other, third]) {
      expect(each.windows.find('key', WINDOW_MS, nowMs)?.endsMs).toBe(START_MS + WINDOW_MS);
    }
    expect(count(third)).toBe(6);
    expect(usedOf(one, 'another key')).toBeUndefined();
    await exchange(one, other, third);
    expect([usedOf(one), usedOf(other), usedOf(third)]).toEqual([6, 6, 6]);

    nowMs = START_MS + WINDOW_MS;
    expect([usedOf(third), count(other)]).toEqual([undefined, 1]);
  });

  test('refunds apply to all', async () => {
    const [one, other] = [server(), server()];
    await exchange(one, other);
    count(one, 3);
    await exchange(one, other);
    one.windows.uncount('key', WINDOW_MS, nowMs);
    await exchange(one, other);
    expect([usedOf(one), usedOf(other)]).toEqual([2, 2]);
  });

  test('a single server publishes nonces only; a second one receives the earlier counts', async () => {
    const first = server();
    await first.run();
    count(first, 4);
    first.nonces.claim(nonce('early'), nowMs);
    await first.run();
    expect(await rows('server_tallies')).toBe(1);
    await first.run();

    const second = server();
    await exchange(second, first, second);
    expect(usedOf(second)).toBe(4);
    expect(second.nonces.claim(nonce('early'), nowMs)).toBe('used');
    await exchange(first, second);
    expect(await rows('server_tallies')).toBe(2);
  });

  test('a third server receives the counts of both others, even if one has ended', async () => {
    const [one, other] = [server(), server()];
    await exchange(one, other);
    count(one, 2);
    count(other, 3);
    await exchange(one, other);
    nowMs += 10 * MINUTE_MS;
    await one.run();
    const third = server();
    await third.run();
    expect(usedOf(third)).toBe(5);
  });

  test('daily windows are received by a server started hours later', async () => {
    const dayMs = 86_400_000;
    const [one, other] = [server(), server()];
    await exchange(one, other);
    one.windows.count('day', dayMs, nowMs);
    for (let minute = 0; minute < 120; minute += 2) {
      nowMs += 2 * MINUTE_MS;
      await exchange(one, other);
    }
    const late = server();
    await late.run();
    expect(late.windows.find('day', dayMs, nowMs)).toEqual({ used: 1, endsMs: START_MS + dayMs });
  });

  test('a nonce used on one server is refused by the others while its timestamp is accepted', async () => {
    const [one, other] = [server(), server()];
    await exchange(one, other);
    const signed = nonce('a');
    expect(one.nonces.claim(signed, nowMs)).toBe('new');
    await exchange(one, other);
    nowMs += 299_000;
    expect(other.nonces.claim(signed, nowMs)).toBe('used');
    expect(other.nonces.claim(nonce('b'), nowMs)).toBe('new');
  });

  test('a nonce is refused after a restart, and older timestamps are accepted', async () => {
    const before = server();
    await before.begin();
    const signed = nonce('a');
    before.nonces.claim(signed, nowMs);
    await before.stop();
    nowMs += 5_000;
    const after = server();
    await after.begin();
    expect(after.nonces.claim(signed, nowMs)).toBe('used');
    expect(after.nonces.claim({ ...signed, nonce: 'b' }, nowMs)).toBe('new');
  });

  test('thousands of nonces are published before a server ends', async () => {
    const before = server();
    await before.begin();
    for (let number = 0; number < 10_000; number += 1) before.nonces.claim(nonce(`${number}`), nowMs);
    await before.stop();
    const after = server();
    await after.begin();
    expect(after.nonces.claim(nonce('9999'), nowMs)).toBe('used');
  });

  test('after a server is killed, timestamps before the start are refused while they matter', async () => {
    const killed = server();
    await killed.begin();
    killed.nonces.claim(nonce('unpublished'), nowMs);
    const early = nonce('unpublished');
    nowMs += 5_000;
    const after = server();
    await after.begin();
    expect(after.nonces.claim(early, nowMs)).toBe('forgotten');
    expect(after.nonces.claim(nonce('now'), nowMs)).toBe('new');
    await after.stop();

    nowMs += 8 * MINUTE_MS;
    const late = server();
    await late.begin();
    expect(late.nonces.claim({ ...nonce('slow'), timestampSeconds: nowMs / 1000 - 200 }, nowMs)).toBe('new');
  });

  test('a replacement worker accepts timestamps before its start', async () => {
    const killed = server();
    await killed.begin();
    nowMs += 5_000;
    const join = startWorkers();
    const old = await join();
    const signed = nonce('a');
    nowMs += 10_000;
    const fresh = await join();
    expect(fresh.nonces.claim(signed, nowMs)).toBe('new');
    await relayed();
    expect(old.nonces.claim(signed, nowMs)).toBe('used');
  });

  test('the workers of one start count together, and each publishes its own part to other servers', async () => {
    const join = startWorkers();
    const [one, two] = [await join(), await join()];
    const other = server();
    await exchange(one, two, other);
    count(one, 2);
    await relayed();
    expect(count(two, 3)).toBe(5);
    count(other, 4);
    await relayed();
    await exchange(one, two, other);
    expect([usedOf(one), usedOf(two), usedOf(other)]).toEqual([9, 9, 9]);
    // A replacement publishes only its own counts; those published by its predecessor remain.
    await one.stop();
    const successor = await join();
    expect(count(successor)).toBe(10);
    await relayed();
    await exchange(successor, two, other);
    expect([usedOf(successor), usedOf(two), usedOf(other)]).toEqual([10, 10, 10]);
  });

  test('thousands of keys and nonces are published in several tallies', async () => {
    const [one, other] = [server(), server()];
    await exchange(one, other);
    for (let key = 0; key < 5_000; key += 1) count(one, 1, `key ${key}`);
    for (let number = 0; number < 10_000; number += 1) one.nonces.claim(nonce(`${number}`), nowMs);
    for (let turn = 0; turn < 3; turn += 1) await exchange(one, other);
    expect([usedOf(other, 'key 0'), usedOf(other, 'key 4999')]).toEqual([1, 1]);
    expect([other.nonces.claim(nonce('0'), nowMs), other.nonces.claim(nonce('9999'), nowMs)]).toEqual([
      'used',
      'used',
    ]);
  });

  test('counts that could not be published during a database failure are published later', async () => {
    let isDown = false;
    const failing: Engine = {
      ...engine,
      tx: (...work) => (isDown ? Promise.reject(new StorageUnavailable('down')) : engine.tx(...work)),
    };
    const [one, other] = [server({ engine: failing }), server()];
    await exchange(one, other);
    count(one, 2);
    one.nonces.claim(nonce('a'), nowMs);
    isDown = true;
    await exchange(one, other);
    expect(usedOf(other)).toBeUndefined();
    isDown = false;
    await exchange(one, other);
    expect(usedOf(other)).toBe(2);
    expect(other.nonces.claim(nonce('a'), nowMs)).toBe('used');
  });

  test('old tallies and ended servers are removed', async () => {
    const [one, other] = [server(), server()];
    await exchange(one, other);
    count(one);
    count(other);
    await exchange(one, other);
    expect([await rows('servers'), await rows('server_tallies')]).toEqual([2, 2]);
    nowMs += 16 * MINUTE_MS;
    await one.run();
    expect([await rows('servers'), await rows('server_tallies')]).toEqual([1, 0]);
  });
});

describe('servers started separately on one database', () => {
  test('share a limit, and refuse requests signed for the other', async () => {
    const database = await createSharedDatabase();
    onTestFinished(database.remove);
    const start = async (world?: null) => {
      const app = await startTestApp({ database, world, flags: { rateLimits: '0.02' } });
      onTestFinished(app.close);
      return app;
    };
    const first = await start();
    const second = await start(null);
    const both = [first, second] as const;
    const exchange = async (): Promise<void> => {
      for (const { pipit } of [...both, ...both]) await pipit.exchange.run();
    };
    await exchange();
    const ask = (app: (typeof both)[number]) => app.get('/2/tweets?ids=1', first.bearer);

    const limit = Number((await ask(first)).headers['x-rate-limit-limit']);
    expect(limit).toBeGreaterThan(5);
    let admitted = 1;
    // Between exchanges each admits what it knows of: one call here.
    for (let turn = 0; turn < 2 * limit; turn += 1) {
      for (const app of both) admitted += (await ask(app)).status === 200 ? 1 : 0;
      await exchange();
    }
    expect(admitted).toBeGreaterThanOrEqual(limit);
    expect(admitted).toBeLessThanOrEqual(limit + 1);

    const { appKey, appSecret, accessToken, accessSecret } = await first.oauth1('alice');
    const authorization = signHeader({
      method: 'GET',
      url: `${TEST_URL}/2/users/me`,
      consumerKey: appKey,
      consumerSecret: appSecret,
      token: accessToken,
      tokenSecret: accessSecret,
      timestampSeconds: Math.floor(Date.now() / 1000),
      nonce: 'once',
    });
    const headers = { authorization, host: new URL(TEST_URL).host };
    const me = { method: 'GET', url: '/2/users/me', headers } as const;
    expect((await first.request(me)).status).toBe(200);
    await exchange();
    expect((await second.request(me)).status).toBe(401);
  });

  test('exchange on their own: one soon refuses when a limit is used up on the other', async () => {
    const database = await createSharedDatabase();
    onTestFinished(database.remove);
    const one = await startTestApp({ database, flags: { rateLimits: '0.05' } });
    onTestFinished(one.close);
    await one.pipit.exchange.begin();
    one.pipit.exchange.start();
    const args = ['--database', database.url, '--share-database', '--rate-limits', '0.05'];
    const other = await startServer({ args, folder: database.folder });
    onTestFinished(async () => void (await other.end('SIGTERM')));
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    let used = 0;
    while ((await one.get('/2/tweets?ids=1', one.bearer)).status === 200) used += 1;
    let admitted = 0;
    const asked = async (): Promise<number> => {
      const { status } = await send(`${other.url}/2/tweets?ids=1`, bearer(one.bearer), { agent });
      if (status === 200) admitted += 1;
      return status;
    };
    await expect.poll(asked, { interval: 100, timeout: 20_000 }).toBe(429);
    expect(admitted).toBeLessThan(used);
  });
});
