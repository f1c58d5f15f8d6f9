import { afterEach, describe, expect, test } from 'vitest';
import { USAGE_FIELDS } from '../../src/api/params/fields.js';
import type { AppId } from '../../src/core/ids.js';
import { usageDay } from '../../src/core/usage-period.js';
import { sql } from '../../src/database/sql.js';
import { listUsage } from '../../src/stores/usage.js';
import { startTestApp, type TestApp, type TestAppOptions } from '../support/app.js';
import { createSharedDatabase, type TestDatabaseUrl } from '../support/test-database.js';
import { APP, POSTS, standardWorld, USERS } from '../support/world.js';
import { PROBLEMS } from './support/errors.js';

/**
 * The monthly post cap and its report (docs/api/limits.md#monthly-post-cap,
 * docs/api/authentication.md#levels-and-tracks).
 */

const START = Date.parse('2022-10-07T22:42:12Z');
const DAY_MS = 24 * 60 * 60 * 1000;

const time = { nowMs: START };
const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  time.nowMs = START;
  for (const close of opened.splice(0).reverse()) await close();
});

async function start(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await startTestApp({ clock: () => time.nowMs, ...options });
  opened.push(app.close);
  return app;
}

async function sharedDatabase(): Promise<TestDatabaseUrl> {
  const database = await createSharedDatabase({ users: 'this process' });
  opened.push(database.remove);
  return database;
}

/** alice has one post. */
const ALICE = `/2/users/${USERS.alice}/tweets`;
/** bob has a reply and a repost. */
const BOB = `/2/users/${USERS.bob}/tweets`;

interface Usage {
  readonly project_usage: string;
  readonly project_cap: string;
  readonly cap_reset_day: number;
}

async function usageOf(app: TestApp, query = ''): Promise<Usage & Record<string, unknown>> {
  const { status, body } = await app.get(`/2/usage/tweets${query}`, app.bearer);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data as Usage & Record<string, unknown>;
}

const used = async (app: TestApp): Promise<number> => Number((await usageOf(app)).project_usage);

async function read(app: TestApp, path: string, token = app.bearer): Promise<void> {
  const { status, body } = await app.get(path, token);
  expect([status, (body.data as unknown[]).length > 0], path).toEqual([200, true]);
}

/** Adds posts to today’s usage of the app. */
function spend({ pipit }: TestApp, posts: number): Promise<unknown> {
  return pipit.backend.engine.tx('spend', (tx) =>
    tx.run(sql`
      INSERT INTO usage_days (app_id, day, posts) VALUES (${BigInt(APP.id)}, ${usageDay(time.nowMs)}, ${posts})`),
  );
}

describe('usage', () => {
  test('has defaults, and daily counts on request', async () => {
    const app = await start();
    expect((await app.get('/2/usage/tweets', app.bearer)).body).toEqual({
      data: { project_id: APP.id, project_cap: '10000000', project_usage: '0', cap_reset_day: 31 },
    });
    await read(app, ALICE);
    time.nowMs += DAY_MS;
    await read(app, BOB);
    const fields = '?usage.fields=daily_project_usage,daily_client_app_usage';
    const usage = [
      { date: '2022-10-07T00:00:00.000Z', usage: '1' },
      { date: '2022-10-08T00:00:00.000Z', usage: '2' },
    ];
    expect(await usageOf(app, fields)).toEqual({
      project_id: APP.id,
      project_cap: '10000000',
      project_usage: '3',
      cap_reset_day: 30,
      daily_project_usage: { project_id: APP.id, usage },
      daily_client_app_usage: [{ client_app_id: APP.id, usage_result_count: 2, usage }],
    });
    expect(await usageOf(app, `${fields}&days=1`)).toMatchObject({
      project_usage: '3',
      daily_project_usage: { usage: usage.slice(1) },
    });
  });

  test('starts a new day at midnight UTC, to the millisecond', async () => {
    const app = await start();
    const midnight = Date.parse('2022-10-08T00:00:00Z');
    for (const nowMs of [midnight - 1, midnight]) {
      time.nowMs = nowMs;
      await read(app, ALICE);
      await read(app, ALICE);
    }
    const { project_usage, daily_project_usage } = await usageOf(app, '?usage_fields=daily_project_usage');
    const dates = (daily_project_usage as { usage: { date: string }[] }).usage.map(({ date }) => date);
    expect([project_usage, dates]).toEqual(['2', ['2022-10-07T00:00:00.000Z', '2022-10-08T00:00:00.000Z']]);
  });

  test.each(['?days=0', '?days=91', '?usage.fields=colour'])('returns 400 with %s', async (query) => {
    const app = await start();
    expect((await app.get(`/2/usage/tweets${query}`, app.bearer)).status).toBe(400);
  });

  test('accepts every field by name', async () => {
    const app = await start();
    for (const field of USAGE_FIELDS)
      expect(await usageOf(app, `?usage.fields=${field}`)).toHaveProperty(field);
  });

  test('requires an app token', async () => {
    const app = await start();
    expect((await app.get('/2/usage/tweets', await app.as('alice'))).status).toBe(403);
  });

  test('is that of the calling app', async () => {
    const app = await start();
    const other = { ...APP, id: '2002', api_key: 'k2', client_id: 'c2', bearer_token: 'other' };
    await app.load({
      apps: [{ ...other, name: 'other', owner: 'bob', permissions: 'read', redirect_uris: [] }],
    });
    await read(app, ALICE, 'other');
    expect(await used(app)).toBe(0);
    expect((await app.get('/2/usage/tweets', 'other')).body.data).toMatchObject({
      project_id: '2002',
      project_cap: '2000000',
      project_usage: '1',
    });
  });
});

describe('requests', () => {
  /** Requests by day; reading usage is a request too. */
  const requestsOf = async (app: TestApp): Promise<number[]> => {
    await usageOf(app);
    const days = await listUsage(app.pipit.backend.engine, BigInt(APP.id) as AppId, 0, usageDay(time.nowMs));
    return days.map(({ requests }) => requests);
  };

  test('are counted by day for every token of the app, whatever their status', async () => {
    const app = await start();
    await read(app, ALICE);
    await read(app, ALICE, await app.as('carol'));
    expect((await app.get(`${ALICE}?max_results=1`, app.bearer)).status).toBe(400);
    expect((await app.get('/2/users/me', app.bearer)).status).toBe(403);
    time.nowMs += DAY_MS;
    expect((await app.get(ALICE, 'nobody')).status).toBe(401);
    await read(app, ALICE);
    expect(await requestsOf(app)).toEqual([4, 2]);
  });

  test('do not add days to the reported post usage', async () => {
    const app = await start();
    expect((await app.get(`/2/tweets/${POSTS.hello}`, app.bearer)).status).toBe(200);
    expect(await usageOf(app, '?usage.fields=daily_client_app_usage')).toMatchObject({
      daily_client_app_usage: [{ client_app_id: APP.id, usage_result_count: 0 }],
    });
    expect(await requestsOf(app)).toEqual([3]);
  });

  test('of all processes add up', async () => {
    const database = await sharedDatabase();
    const first = await start({ database });
    const second = await start({ database, world: null });
    await read(first, ALICE);
    await read(second, ALICE);
    expect(await requestsOf(first)).toEqual([2]);
    expect(await requestsOf(second)).toEqual([4]);
  });
});

describe('a post counts', () => {
  test('once a day, for every user and endpoint, and again on the next day (docs/api/limits.md#monthly-post-cap)', async () => {
    const app = await start();
    const carol = await app.as('carol');
    for (let time = 0; time < 2; time += 1) {
      await read(app, ALICE);
      await read(app, ALICE, carol);
      await read(app, `/2/users/${USERS.carol}/liked_tweets`);
    }
    expect(await used(app)).toBe(1);
    await read(app, ALICE);
    expect(await used(app)).toBe(1);
    time.nowMs += DAY_MS;
    await read(app, ALICE);
    expect(await used(app)).toBe(2);
  });

  test('on the six capped endpoints, in data only', async () => {
    const app = await start();
    await read(app, `/2/tweets/${POSTS.hello}/quote_tweets?expansions=referenced_tweets.id`);
    expect(await used(app)).toBe(1);
    const alice = await app.as('alice');
    for (const [path, token] of [
      [`/2/tweets?ids=${POSTS.hello}`, app.bearer],
      [`/2/users/${USERS.alice}/timelines/reverse_chronological`, alice],
      [`/2/users/${USERS.bob}/bookmarks`, await app.as('bob')],
    ] as const) {
      await read(app, path, token);
    }
    expect(await used(app)).toBe(1);
  });

  test('not when the request fails', async () => {
    const app = await start();
    expect((await app.get(`${ALICE}?max_results=1`, app.bearer)).status).toBe(400);
    expect((await app.get(`/2/users/${USERS.dave}/tweets`, app.bearer)).body.data).toBeUndefined();
    expect(await used(app)).toBe(0);
  });

  test('in the month that starts on the day of the project’s creation', async () => {
    const app = await start();
    await read(app, ALICE);
    time.nowMs = Date.parse('2022-11-06T23:59:59Z');
    expect(await usageOf(app)).toMatchObject({ project_usage: '1', cap_reset_day: 1 });
    time.nowMs = Date.parse('2022-11-07T00:00:00Z');
    expect(await usageOf(app)).toMatchObject({ project_usage: '0', cap_reset_day: 30 });
  });
});

describe('over the cap', () => {
  const CAPPED = {
    title: 'UsageCapExceeded',
    detail: 'Usage cap exceeded: Monthly product cap',
    type: `${PROBLEMS}usage-capped`,
    status: 429,
    account_id: APP.id,
    product_name: 'standard-basic',
    period: 'Monthly',
    scope: 'Product',
  };

  test('capped endpoints return 429 to apps and users until the month ends', async () => {
    const app = await start();
    await spend(app, 9_999_999);
    await read(app, ALICE);
    const alice = await app.as('alice');
    for (const [path, token] of [
      [ALICE, app.bearer],
      [BOB, alice],
      [`/2/users/${USERS.carol}/liked_tweets`, alice],
    ] as const) {
      const { status, body, headers } = await app.get(path, token);
      expect([status, body]).toEqual([429, CAPPED]);
      expect(headers['x-rate-limit-remaining']).toBeDefined();
    }
    expect((await app.get(`/2/tweets/${POSTS.hello}`, app.bearer)).status).toBe(200);
    expect(await used(app)).toBe(10_000_000);
    expect((await app.get(ALICE, app.bearer)).status).toBe(429);
    time.nowMs += 31 * DAY_MS;
    await read(app, ALICE);
  });

  test('the page that crosses the cap is returned and counted completely', async () => {
    const app = await start();
    await spend(app, 9_999_999);
    const { status, body } = await app.get(BOB, app.bearer);
    expect([status, (body.data as unknown[]).length]).toEqual([200, 2]);
    expect((await app.get(ALICE, app.bearer)).body).toEqual(CAPPED);
    expect(await used(app)).toBe(10_000_001);
  });

  test('posts already counted are returned, also by a process that did not count them', async () => {
    const database = await sharedDatabase();
    const first = await start({ database });
    await spend(first, 9_999_996);
    await read(first, ALICE);
    await read(first, BOB);
    expect(await used(first)).toBe(9_999_999);
    const second = await start({ database, world: null });
    for (const path of [BOB, ALICE, BOB]) await read(second, path);
    expect(await used(second)).toBe(9_999_999);
    await read(second, `/2/tweets/${POSTS.hello}/quote_tweets`);
    expect((await second.get(BOB, second.bearer)).status).toBe(429);
  });

  test('a higher access level raises the cap', async () => {
    const app = await start();
    const { apps } = app.pipit.backend;
    const id = BigInt(APP.id) as AppId;
    await spend(app, 600_000);
    await apps.update(id, { accessLevel: 'essential', track: 'standard' });
    expect((await app.get(ALICE, app.bearer)).status).toBe(429);
    await apps.update(id, { accessLevel: 'elevated' });
    expect((await app.get(ALICE, app.bearer)).status).toBe(200);
    await apps.update(id, { accessLevel: 'basic' });
    expect((await app.get(ALICE, app.bearer)).status).toBe(429);
    expect((await usageOf(app)).project_cap).toBe('10000');
  });

  test('--post-cap off refuses nothing and counts everything', async () => {
    const app = await start({ flags: { postCap: 'off' } });
    await spend(app, 10_000_000);
    await read(app, ALICE);
    expect(await used(app)).toBe(10_000_001);
  });

  test('parameter errors precede the cap (docs/api/errors.md#order-of-checks)', async () => {
    const app = await start();
    await spend(app, 10_000_000);
    expect((await app.get(`${ALICE}?max_results=1`, app.bearer)).status).toBe(400);
  });
});

describe('counted usage', () => {
  test('survives a restart', async () => {
    const database = await sharedDatabase();
    const first = await startTestApp({ clock: () => time.nowMs, database });
    await read(first, BOB);
    await first.close();
    expect(await used(await start({ database, world: null }))).toBe(2);
  });

  test('is shared by all processes: a post returned by two of them counts once', async () => {
    const database = await sharedDatabase();
    const first = await start({ database });
    const second = await start({ database, world: null });
    await read(first, BOB);
    await read(second, BOB);
    await read(second, ALICE);
    expect([await used(first), await used(second), await used(first)]).toEqual([2, 3, 3]);
  });

  test('of one process reaches the others within a second', async () => {
    const database = await sharedDatabase();
    const first = await start({ database });
    const second = await start({ database, world: null });
    await read(first, ALICE);
    await spend(second, 10_000_000);
    time.nowMs += 1000;
    expect((await first.get(ALICE, first.bearer)).status).toBe(429);
  });

  test('of an app that is deleted before the flush is discarded', async () => {
    const database = await sharedDatabase();
    const first = await startTestApp({ clock: () => time.nowMs, database });
    await read(first, ALICE);
    await first.pipit.backend.apps.delete(BigInt(APP.id) as AppId);
    await first.close();
    const { engine } = (await start({ database, world: null })).pipit.backend;
    expect(await engine.all(sql`SELECT 1 FROM usage_days`)).toEqual([]);
  });

  test('is deleted with the app', async () => {
    const app = await start();
    await read(app, ALICE);
    await usageOf(app);
    const { engine, apps } = app.pipit.backend;
    await apps.delete(BigInt(APP.id) as AppId);
    for (const table of [sql`SELECT 1 FROM usage_days`, sql`SELECT 1 FROM usage_posts`])
      expect(await engine.all(table)).toEqual([]);
  });

  test('is reduced from posts to a number after its day', async () => {
    const app = await start({ world: standardWorld() });
    await read(app, ALICE);
    await usageOf(app);
    time.nowMs += 2 * DAY_MS;
    await read(app, BOB);
    expect(await used(app)).toBe(3);
    const rows = await app.pipit.backend.engine.all(sql`SELECT day FROM usage_posts`);
    expect(rows.map(({ day }) => Number(day))).toEqual([usageDay(time.nowMs), usageDay(time.nowMs)]);
  });
});
