import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { deactivateAccount } from '../../src/services/accounts/standing.js';
import { scrubPlaces } from '../../src/services/accounts/scrub-places.js';
import { asNumber, rawSql, sql } from '../../src/database/sql.js';
import {
  DAY_MS,
  MINUTE_MS,
  NOW_MS,
  startComplianceServer,
  shareComplianceServer,
  type ComplianceServer,
} from './support/compliance.js';
import { importMany } from './support/many-posts.js';
import { POSTS, USERS } from '../support/world.js';
import { hasTwarcFiles, TWARC_FOLDER } from '../archive/twarc-files.js';

/** The results of compliance jobs (docs/api/compliance.md, docs/api/objects.md#visibility). */

const CREATED = '2022-03-05T10:20:30.000Z';
const NOW = new Date(NOW_MS).toISOString();

async function check(server: ComplianceServer, type: 'tweets' | 'users', lines: readonly string[]) {
  const job = await server.create(type);
  await server.upload(job, lines);
  await server.runJobs();
  expect(await server.status(job)).toBe('complete');
  return server.results(job);
}

describe('posts', () => {
  test('that are public or unknown give no row', async () => {
    const server = await startComplianceServer();
    expect(await check(server, 'tweets', [POSTS.hello, POSTS.reply, POSTS.repost, '123'])).toEqual([]);
  });

  test('that were deleted give "deleted" with both times, as do their reposts', async () => {
    const server = await startComplianceServer({
      posts: [{ id: '700', author: 'alice', text: 'Soon gone', created_at: '2022-03-05T10:20:30Z' }],
    });
    expect((await server.app.delete('/2/tweets/700', await server.app.as('alice'))).status).toBe(200);
    await server.app.delete(`/2/tweets/${POSTS.hello}`, await server.app.as('alice'));
    const rows = await check(server, 'tweets', [POSTS.hello, POSTS.repost, '700', POSTS.reply]);
    expect(rows[0]).toEqual({
      id: '700',
      action: 'delete',
      created_at: CREATED,
      redacted_at: NOW,
      reason: 'deleted',
    });
    expect(rows.map(({ id, reason }) => [id, reason])).toEqual([
      ['700', 'deleted'],
      [POSTS.hello, 'deleted'],
      [POSTS.repost, 'deleted'],
    ]);
  });

  test('of protected authors give "protected", as do their reposts', async () => {
    const server = await startComplianceServer({
      posts: [{ id: '700', author: 'carol', text: 'For all', created_at: '2022-03-05T10:20:30Z' }],
    });
    const bob = await server.app.as('bob');
    const repost = await server.app.post(`/2/users/${USERS.bob}/retweets`, bob, { tweet_id: '700' });
    expect(repost.status).toBe(200);
    const reposts = await server.app.get(`/2/users/${USERS.bob}/tweets`, server.app.bearer);
    const [repostId = ''] = (reposts.body.data as { id: string }[]).map(({ id }) => id);
    await server.protect(USERS.carol);
    const rows = await check(server, 'tweets', ['700', POSTS.secret, repostId, POSTS.reply]);
    expect(rows[0]).toEqual({ id: '700', action: 'delete', created_at: CREATED, reason: 'protected' });
    expect(rows.map(({ id }) => id)).toEqual(['700', POSTS.secret, repostId]);
    expect(new Set(rows.map(({ reason }) => reason))).toEqual(new Set(['protected']));
  });

  test('of suspended authors give "suspended", which precedes "protected"', async () => {
    const server = await startComplianceServer();
    await server.suspend(USERS.dave);
    await server.suspend(USERS.alice);
    const rows = await check(server, 'tweets', [POSTS.hello, POSTS.secret, POSTS.repost]);
    expect(rows.map(({ id, reason }) => [id, reason])).toEqual([
      [POSTS.hello, 'suspended'],
      [POSTS.secret, 'suspended'],
      [POSTS.repost, 'suspended'],
    ]);
    expect(rows[0]).not.toHaveProperty('redacted_at');
  });

  test('of deactivated accounts give "deactivated", as do the accounts', async () => {
    const server = await startComplianceServer();
    await deactivateAccount(server.app.pipit.backend, BigInt(USERS.bob) as UserId);
    const posts = await check(server, 'tweets', [POSTS.reply]);
    expect(posts.map(({ reason }) => reason)).toEqual(['deactivated']);
    const users = await check(server, 'users', [USERS.bob]);
    expect(users.map(({ reason }) => reason)).toEqual(['deactivated']);
  });

  test('deleted with their account give "deactivated"; posts deleted earlier give "deleted"', async () => {
    const server = await startComplianceServer({ posts: [{ id: '700', author: 'carol', text: 'Early' }] });
    await server.app.delete('/2/tweets/700', await server.app.as('carol'));
    server.advance(MINUTE_MS);
    await server.deleteAccount(USERS.carol);
    server.advance(MINUTE_MS);
    const rows = await check(server, 'tweets', ['700', POSTS.quote]);
    expect(rows).toEqual([
      expect.objectContaining({ id: '700', reason: 'deleted', redacted_at: NOW }),
      expect.objectContaining({
        id: POSTS.quote,
        reason: 'deactivated',
        redacted_at: new Date(NOW_MS + MINUTE_MS).toISOString(),
      }),
    ]);
  });
});

describe('posts whose place was removed', () => {
  const places = [
    {
      id: 'abc',
      full_name: 'Harbour, Island',
      name: 'Harbour',
      country: 'Island',
      country_code: 'IS',
      place_type: 'city',
      bbox: [-1, 50, 1, 51],
    },
  ];
  const posts = [
    { id: '700', author: 'carol', text: 'Here', place: 'abc', created_at: '2022-03-05T10:20:30Z' },
    { id: '701', author: 'carol', text: 'Somewhere', created_at: '2022-03-05T10:20:31Z' },
    { id: '702', author: 'carol', text: 'There', place: 'abc' },
    { id: '703', author: 'alice', text: 'There too', place: 'abc' },
  ];

  test('give a row with scrub_geo; posts without a place and posts of others give none', async () => {
    const server = await startComplianceServer({ places, posts });
    const carol = BigInt(USERS.carol) as UserId;
    expect(await scrubPlaces(server.app.pipit.backend, carol)).toBe(2);
    const found = await check(server, 'tweets', ['700', '701', '703']);
    expect(found).toEqual([
      { id: '700', action: 'delete', created_at: CREATED, redacted_at: NOW, reason: 'scrub_geo' },
    ]);
    const { body } = await server.app.get('/2/tweets?ids=700,703&tweet.fields=geo', server.app.bearer);
    expect((body.data as { geo?: unknown }[]).map(({ geo }) => geo)).toEqual([
      undefined,
      { place_id: 'abc' },
    ]);
    server.advance(MINUTE_MS);
    expect(await scrubPlaces(server.app.pipit.backend, carol)).toBe(0);
  });

  test('and that were then deleted or protected give the later reason only', async () => {
    const server = await startComplianceServer({ places, posts });
    await scrubPlaces(server.app.pipit.backend, BigInt(USERS.carol) as UserId);
    await server.app.delete('/2/tweets/700', await server.app.as('carol'));
    await server.protect(USERS.carol);
    const rows = await check(server, 'tweets', ['700', '702']);
    expect(rows.map(({ id, reason }) => [id, reason])).toEqual([
      ['700', 'deleted'],
      ['702', 'protected'],
    ]);
  });
});

describe('users', () => {
  test('that are protected, suspended or deleted give a row, others none', async () => {
    const server = await startComplianceServer();
    await server.suspend(USERS.mallory);
    await server.deleteAccount(USERS.carol);
    const rows = await check(server, 'users', [...Object.values(USERS), '99']);
    expect(rows).toEqual([
      {
        id: USERS.carol,
        action: 'delete',
        created_at: '2020-01-03T00:00:00.000Z',
        redacted_at: NOW,
        reason: 'deactivated',
      },
      { id: USERS.dave, action: 'delete', created_at: '2020-01-04T00:00:00.000Z', reason: 'protected' },
      { id: USERS.mallory, action: 'delete', created_at: '2020-01-05T00:00:00.000Z', reason: 'suspended' },
    ]);
  });

  test('an id of the other type gives no row', async () => {
    const server = await startComplianceServer();
    expect(await check(server, 'users', [POSTS.secret])).toEqual([]);
    expect(await check(server, 'tweets', [USERS.dave])).toEqual([]);
  });
});

describe.skipIf(!hasTwarcFiles)('recorded rows (../shared/data/twarc)', () => {
  const rows = hasTwarcFiles ? [...recordedRows('tweets'), ...recordedRows('users')] : [];

  test('have the same members in the same order', async () => {
    const server = await startComplianceServer();
    await server.app.delete(`/2/tweets/${POSTS.hello}`, await server.app.as('alice'));
    const [secret, hello] = [
      await check(server, 'tweets', [POSTS.secret]),
      await check(server, 'tweets', [POSTS.hello]),
    ].flat();
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const ours = row.redacted_at === undefined ? secret : hello;
      expect(Object.keys(ours ?? {})).toEqual(Object.keys(row));
      expect(row.action).toBe(ours?.action);
    }
  });
});

describe('files', () => {
  let shared: Awaited<ReturnType<typeof shareComplianceServer>>;
  beforeAll(async () => {
    shared = await shareComplianceServer();
  });
  afterAll(() => shared.app.close());

  test('an id gives one row, however often and in whatever form it is uploaded', async () => {
    const server = shared.open();
    const lines = [...Array<string>(5_000).fill(POSTS.secret), `000${POSTS.secret}`.slice(-19), '1', ''];
    expect(await check(server, 'tweets', lines)).toHaveLength(1);
  });

  test('lines without an id are skipped; CRLF and a missing final newline are accepted', async () => {
    const server = shared.open();
    const lines = ['id', '', 'dave', '1.5', `${USERS.dave}\r`, '99999999999999999999', '-5'];
    expect(await check(server, 'users', lines)).toHaveLength(1);
    expect(await check(server, 'users', [USERS.dave])).toHaveLength(1);
  });

  test('an empty file completes without rows', async () => {
    const server = shared.open();
    expect(await check(server, 'tweets', [])).toEqual([]);
  });

  test('thousands of ids, over several transactions and pages, all give their rows', async () => {
    const ids = Array.from({ length: 2_100 }, (_, n) => String(800_000 + n));
    const server = await startComplianceServer();
    await importMany(
      server.app,
      ids.map((id) => ({ id, authorId: USERS.dave })),
    );
    const rows = await check(server, 'tweets', [...ids].reverse());
    expect(rows.map(({ id }) => id)).toEqual(ids);
  });
});

test('a job fails after repeated errors and allows the next one', async () => {
  const server = await startComplianceServer();
  const job = await server.create('tweets');
  await server.upload(job, ['1']);
  const { engine } = server.app.pipit.backend;
  await engine.tx('break', async (tx) => {
    await tx.run(sql`UPDATE compliance_parts SET ids = 'no ids'`);
  });
  const errors = vi.spyOn(console, 'error').mockReturnValue();
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    expect(await server.status(job)).toBe('in_progress');
    await server.runJobs();
    server.advance(10 * MINUTE_MS);
  }
  errors.mockRestore();
  expect(await server.status(job)).toBe('failed');
  expect((await server.send(job.download_url)).status).toBe(404);
  await server.create('tweets');
});

test('the clean-up removes results 7 days after creation, and the job after 30 days', async () => {
  const server = await startComplianceServer();
  await check(server, 'tweets', [POSTS.secret]);
  const abandoned = await server.create('tweets', { resumable: true });
  const headers = { 'x-goog-resumable': 'start' };
  const { location } = (await server.send(abandoned.upload_url, { method: 'POST', headers })).headers;
  const range = { 'content-range': 'bytes 0-3/*' };
  await server.send(String(location), { method: 'PUT', headers: range, payload: '123\n' });
  const { engine } = server.app.pipit.backend;
  const counts = async () => {
    const tables = ['jobs', 'uploads', 'parts', 'findings', 'slots'];
    const rows = await Promise.all(
      tables.map((table) => engine.get(sql`SELECT COUNT(*) AS n FROM ${rawSql(`compliance_${table}`)}`)),
    );
    return rows.map((row) => asNumber(row?.n));
  };
  expect(await counts()).toEqual([2, 1, 1, 1, 1]);
  server.advance(15 * MINUTE_MS);
  await server.runJobs();
  expect(await counts()).toEqual([2, 0, 0, 1, 1]);
  server.advance(7 * DAY_MS);
  await server.runJobs();
  expect(await counts()).toEqual([2, 0, 0, 0, 1]);
  server.advance(23 * DAY_MS);
  await server.runJobs();
  expect(await counts()).toEqual([0, 0, 0, 0, 0]);
});

function recordedRows(type: 'tweets' | 'users'): Record<string, string>[] {
  return gunzipSync(readFileSync(join(TWARC_FOLDER, `${type}_compliance.jsonl.gz`)))
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, string>);
}
