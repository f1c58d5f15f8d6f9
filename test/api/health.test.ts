import { expect, test } from 'vitest';
import { insertJob } from '../../src/stores/jobs.js';
import type { JobId } from '../../src/core/ids.js';
import { migrations } from '../../src/database/migrations/all.js';
import { sql } from '../../src/database/sql.js';
import { startTestApp } from '../support/app.js';

const HOUR_MS = 3_600_000;

test('a working server is live and ready, with the result of each check', async () => {
  await using app = await startTestApp();
  expect(await app.get('/livez')).toMatchObject({ status: 200, body: { live: true } });
  const { status, body, headers } = await app.get('/readyz');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    ready: true,
    checks: { database: { ok: true }, disk: { ok: true }, migrations: { ok: true }, jobs: { ok: true } },
  });
  expect(headers['cache-control']).toContain('no-store');
});

test('a server with a newer schema and a stuck job queue is live but not ready', async () => {
  await using app = await startTestApp();
  const { engine, clock } = app.pipit.backend;
  await engine.tx('spoil', async (tx) => {
    await tx.run(
      sql`INSERT INTO pipit_migrations (version, name, applied_at) VALUES (${9999}, ${'later'}, ${0})`,
    );
    await insertJob(tx, {
      id: 1n as JobId,
      kind: 'housekeeping',
      payload: {},
      createdAtMs: clock() - HOUR_MS,
      runAtMs: clock() - HOUR_MS,
      maxAttempts: 3,
    });
  });
  const { status, body } = await app.get('/readyz');
  expect(status).toBe(503);
  expect(body.ready).toBe(false);
  expect(body.checks.database).toEqual({ ok: true });
  expect(body.checks.migrations.detail).toMatch(/^schema version 9999; this server needs \d+$/);
  expect(body.checks.jobs).toEqual({ ok: false, detail: 'a job has been due for 60 minutes' });
  expect((await app.get('/livez')).status).toBe(200);
});

test('a server stays ready when a newer build lets it go on beside it', async () => {
  await using app = await startTestApp();
  const { engine } = app.pipit.backend;
  const newer = migrations.length + 1;
  await engine.tx('a newer build', (tx) =>
    tx.run(
      sql`INSERT INTO pipit_migrations (version, name, applied_at, oldest_build)
        VALUES (${newer}, ${'later'}, ${0}, ${migrations.length})`,
    ),
  );
  const { status, body } = await app.get('/readyz');
  expect([status, body.checks.migrations.detail]).toEqual([200, `schema version ${newer} of a newer build`]);
});

test('a server that stops says so before it stops answering', async () => {
  await using app = await startTestApp();
  app.pipit.operations.leave();
  const { status, body } = await app.get('/readyz');
  expect([status, body.ready, Object.keys(body.checks)]).toEqual([503, false, ['stopping']]);
  expect((await app.get('/2/users/me', app.bearer)).status).toBe(403);
});

test('a server whose database is closed answers both checks at once, also under load', async () => {
  const app = await startTestApp();
  await app.pipit.backend.engine.close();
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.get('/readyz')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(answers[0]?.body.checks.database).toEqual({ ok: false, detail: 'failed; see the log' });
  expect((await app.get('/livez')).status).toBe(200);
  // Closing fails in the database.
  await app.close().catch(() => undefined);
});
