import { expect, test } from 'vitest';
import { createHousekeeping, enqueueHousekeeping } from '../../src/services/jobs/housekeeping.js';
import { createJobWorker } from '../../src/services/jobs/worker.js';
import type { JobId } from '../../src/core/ids.js';
import { createSnowflakes } from '../../src/core/snowflake.js';
import type { Engine } from '../../src/database/engine.js';
import { EXPIRABLE } from '../../src/stores/housekeeping.js';
import { createJobQueue } from '../../src/stores/job-queue.js';
import { pageJobs } from '../../src/stores/jobs.js';
import { asNumber, asText, sql, type Sql } from '../../src/database/sql.js';
import { encodeChanges } from '../../src/database/watchers.js';
import { startTestApp } from '../support/app.js';
import { openTestEngine } from '../support/test-database.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 5, 1);

async function openFixture() {
  let nowMs = START_MS;
  const clock = () => nowMs;
  const engine = await openTestEngine();
  const ids = createSnowflakes(clock, 1);
  const queue = createJobQueue({ ids, clock });
  const transactions: string[] = [];
  const watched: Engine = {
    ...engine,
    tx: (name, body) => {
      transactions.push(name);
      return engine.tx(name, body);
    },
  };
  const handlers = {
    housekeeping: createHousekeeping({ engine: watched, clock, queue, feedKeptMs: 2 * DAY_MS }),
  };
  const log = {
    warn: (fields: object, message: string) => expect.fail(`${message} ${JSON.stringify(fields)}`),
  };
  return {
    engine,
    transactions,
    worker: createJobWorker({ engine, ids, clock, log, handlers, queue }),
    order: () => engine.tx('order', (tx) => enqueueHousekeeping({ queue }, tx)),
    advance: (ms: number) => void (nowMs += ms),
    [Symbol.asyncDispose]: () => engine.close(),
  };
}

const insertTexts = (engine: Engine, userId: number, count: number, createdAtMs: number) =>
  engine.tx('texts', async (tx) => {
    for (let n = 0; n < count; n += 1) {
      await tx.run(sql`INSERT INTO recent_texts (user_id, text_hash, post_id, created_at)
        VALUES (${userId}, ${`h${n}`}, ${n}, ${createdAtMs})`);
    }
  });

const countTexts = async (engine: Engine) =>
  asNumber((await engine.get(sql`SELECT COUNT(*) AS n FROM recent_texts`))?.['n']);

test('duplicate-detection hashes older than 24 hours are deleted in chunks of 1,000, younger ones are kept', async () => {
  await using fixture = await openFixture();
  await insertTexts(fixture.engine, 1, 1_500, START_MS - DAY_MS - 1);
  await insertTexts(fixture.engine, 2, 700, START_MS - DAY_MS);
  await insertTexts(fixture.engine, 3, 900, START_MS - DAY_MS - 1);
  await fixture.order();
  await fixture.worker.runDue();
  expect(await countTexts(fixture.engine)).toBe(700);
  const left = await fixture.engine.all(sql`SELECT DISTINCT user_id FROM recent_texts`);
  expect(left.map((row) => asNumber(row['user_id']))).toEqual([2]);
  // 3,100 hashes are four chunks; expired rows, the feed, its new rows, deliveries and timelines, of which there are none, are one per kind.
  expect(fixture.transactions.filter((name) => name === 'housekeeping')).toHaveLength(
    4 + EXPIRABLE.length + 5,
  );
});

test('the feed loses what is older than its retention', async () => {
  await using fixture = await openFixture();
  const { engine } = fixture;
  const write = (created: number, from: number) =>
    engine.tx('entries', async (tx) => {
      for (let n = 0; n < 3_000; n += 1) {
        await tx.run(sql`INSERT INTO change_feed (position, created_at, changes)
          VALUES (${from + n}, ${created}, ${'[]'})`);
      }
    });
  await engine.tx('start', (tx) => tx.run(sql`DELETE FROM change_feed WHERE position > 0`));
  await write(START_MS - 2 * DAY_MS - 1, 1);
  await write(START_MS - 2 * DAY_MS - 1, 3_001);
  await write(START_MS - 2 * DAY_MS, 6_001);
  await fixture.order();
  await fixture.worker.runDue();
  const rows = await engine.get(sql`SELECT COUNT(*) AS n, MIN(position) AS oldest FROM change_feed
    WHERE position <= ${9_000}`);
  // The last of the old ones is where a reader of all of them reads on.
  expect([asNumber(rows?.['n']), asNumber(rows?.['oldest'])]).toEqual([3_001, 6_000]);
});

test('the feed loses the rows that it holds for caches after an hour', async () => {
  await using fixture = await openFixture();
  const { engine } = fixture;
  const changes = encodeChanges(
    [{ table: 'posts', kind: 'insert', keys: [1n], stored: { id: 1n, text: 'a text' } }],
    { forOthers: true },
  );
  const deletion = encodeChanges([{ table: 'posts', kind: 'delete', keys: [1n] }]);
  const [old, young] = [START_MS - HOUR_MS - 1, START_MS - HOUR_MS];
  await engine.tx('entries', async (tx) => {
    await tx.run(sql`DELETE FROM change_feed WHERE position > 0`);
    const insert = (position: number, created: number, text = '') =>
      tx.run(
        sql`INSERT INTO change_feed (position, created_at, changes) VALUES (${position}, ${created}, ${text})`,
      );
    for (let position = 1; position <= 6_000; position += 1) await insert(position, old, changes);
    await insert(6_001, old, deletion);
    await insert(6_002, young, changes);
  });
  await fixture.order();
  await fixture.worker.runDue();
  const rows = await engine.all(sql`SELECT changes, COUNT(*) AS n FROM change_feed
    WHERE position > 0 AND position <= ${6_002} GROUP BY changes ORDER BY changes`);
  const counted = new Map(rows.map((row) => [asText(row['changes']), asNumber(row['n'])]));
  expect(counted).toEqual(
    new Map([
      ['*', 6_000],
      [deletion, 1],
      [changes, 1],
    ]),
  );
});

test('bearer tokens that expired or were revoked over 30 days ago are deleted, others are kept', async () => {
  await using fixture = await openFixture();
  const before = START_MS - 30 * DAY_MS;
  await fixture.engine.tx('tokens', async (tx) => {
    const insert = (hash: string, expiresAtMs: number | undefined, revokedAtMs: number | undefined) =>
      tx.run(sql`INSERT INTO bearer_tokens (token_hash, app_id, created_at, expires_at, revoked_at)
        VALUES (${hash}, 1, 0, ${expiresAtMs}, ${revokedAtMs})`);
    await insert('for ever', undefined, undefined);
    await insert('live', START_MS + 1, undefined);
    await insert('expired lately', before, undefined);
    await insert('expired', before - 1, undefined);
    await insert('revoked', undefined, before - 1);
    await insert('revoked lately', undefined, before);
  });
  await fixture.order();
  await fixture.worker.runDue();
  const rows = await fixture.engine.all(sql`SELECT token_hash FROM bearer_tokens ORDER BY token_hash`);
  expect(rows.map((row) => asText(row['token_hash']))).toEqual([
    'expired lately',
    'for ever',
    'live',
    'revoked lately',
  ]);
});

test('the next clean-up is scheduled for an hour later, once, however often requested', async () => {
  await using fixture = await openFixture();
  await fixture.order();
  await fixture.order();
  await fixture.worker.runDue();
  await fixture.order();
  const jobs = await pageJobs(fixture.engine, 0n as JobId, 10);
  expect(jobs).toMatchObject([{ kind: 'housekeeping', state: 'waiting', freeAtMs: START_MS + HOUR_MS }]);
  await insertTexts(fixture.engine, 1, 1, START_MS - DAY_MS + 1);
  fixture.advance(HOUR_MS);
  await fixture.worker.runDue();
  expect(await countTexts(fixture.engine)).toBe(0);
  expect(await pageJobs(fixture.engine, 0n as JobId, 10)).toMatchObject([
    { freeAtMs: START_MS + 2 * HOUR_MS },
  ]);
});

test('the server has a handler for the clean-up', async () => {
  await using app = await startTestApp();
  const { backend, jobs } = app.pipit;
  await backend.engine.tx('order', (tx) => enqueueHousekeeping(jobs, tx));
  await jobs.worker.runDue();
  expect(await pageJobs(backend.engine, 0n as JobId, 10)).toMatchObject([{ state: 'waiting', attempts: 0 }]);
});

test('home timelines not read for 14 days become cold, others keep their newest 3,200 entries', async () => {
  await using fixture = await openFixture();
  await fixture.engine.tx('timelines', async (tx) => {
    for (const [userId, readAtMs] of [
      [1, START_MS - 14 * DAY_MS - 1],
      [2, START_MS - 14 * DAY_MS],
    ] as const) {
      await tx.run(sql`INSERT INTO home_timelines (user_id, is_built, revision, read_at)
        VALUES (${userId}, 1, 0, ${readAtMs})`);
      for (let n = 1; n <= 3_205; n += 1) {
        await tx.run(sql`INSERT INTO home_entries (user_id, post_id, author_id, created_at)
          VALUES (${userId}, ${n}, 9, 0)`);
      }
    }
  });
  await fixture.order();
  await fixture.worker.runDue();
  const rows = await fixture.engine.all(sql`
    SELECT user_id, COUNT(*) AS n, MIN(post_id) AS oldest FROM home_entries GROUP BY user_id`);
  expect(rows.map((row) => [row['user_id'], row['n'], row['oldest']].map(Number))).toEqual([[2, 3_200, 6]]);
  const warm = await fixture.engine.all(sql`SELECT user_id FROM home_timelines`);
  expect(warm.map((row) => asNumber(row['user_id']))).toEqual([2]);
});

test('codes, request tokens, sessions, refresh tokens and links that expired 30 days ago are deleted, others are kept', async () => {
  await using fixture = await openFixture();
  const before = START_MS - 30 * DAY_MS;
  const unusedFor = 182 * DAY_MS;
  await fixture.engine.tx('sign-ins', async (tx) => {
    for (const [key, expiresAtMs] of [
      ['live', START_MS + 1],
      ['dead lately', before],
      ['dead', before - 1],
    ] as const) {
      await tx.run(sql`INSERT INTO web_sessions (token_hash, user_id, created_at, seen_at, expires_at)
        VALUES (${key}, 1, 0, 0, ${expiresAtMs})`);
      await tx.run(sql`INSERT INTO authorization_codes (code_hash, app_id, user_id, redirect_uri, scopes,
          code_challenge, challenge_method, created_at, expires_at)
        VALUES (${key}, 1, 1, '', '', '', 'plain', 0, ${expiresAtMs})`);
      await tx.run(sql`INSERT INTO request_tokens (token, app_id, secret_sealed, callback, permission, created_at,
          expires_at, failures)
        VALUES (${key}, 1, '', '', 'read', 0, ${expiresAtMs}, 0)`);
      await tx.run(sql`INSERT INTO invitations (code_hash, note, created_by, created_at, expires_at, used_by)
        VALUES (${key}, '', 1, 0, ${expiresAtMs}, NULL), (${`used ${key}`}, '', 1, 0, ${expiresAtMs}, 2)`);
      await tx.run(sql`INSERT INTO password_resets (token_hash, user_id, expires_at)
        VALUES (${key}, 1, ${expiresAtMs})`);
      await tx.run(sql`INSERT INTO refresh_tokens (token_hash, app_id, user_id, scopes, access_token_hash, created_at,
          revoked_at)
        VALUES (${key}, 1, 1, '', '', ${START_MS}, ${expiresAtMs}),
          (${`unused ${key}`}, 1, 1, '', '', ${expiresAtMs - unusedFor}, NULL)`);
    }
  });
  await fixture.order();
  await fixture.worker.runDue();
  const keysOf = async (query: Sql) =>
    (await fixture.engine.all(query)).map((row) => asText(row['key'])).sort();
  const kept = ['dead lately', 'live'];
  expect(await keysOf(sql`SELECT token_hash AS key FROM web_sessions`)).toEqual(kept);
  expect(await keysOf(sql`SELECT code_hash AS key FROM authorization_codes`)).toEqual(kept);
  expect(await keysOf(sql`SELECT token AS key FROM request_tokens`)).toEqual(['live']);
  expect(await keysOf(sql`SELECT token_hash AS key FROM password_resets`)).toEqual(kept);
  const invitationsKept = [...kept, 'used dead lately', 'used live'];
  expect(await keysOf(sql`SELECT code_hash AS key FROM invitations`)).toEqual(invitationsKept);
  const refreshKept = [...kept, 'unused dead lately', 'unused live'];
  expect(await keysOf(sql`SELECT token_hash AS key FROM refresh_tokens`)).toEqual(refreshKept);
});
