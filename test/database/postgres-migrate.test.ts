import { inject, onTestFinished, test, expect } from 'vitest';
import type { Migration } from '../../src/database/migrations/migration.js';
import { deferred } from '../../src/core/deferred.js';
import type { Queryable } from '../../src/database/engine.js';
import { sql } from '../../src/database/sql.js';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { createDatabase, databaseUrl, dropDatabase } from '../support/postgres.js';
import { countNotes, notesMigration } from './notes.js';

const slow: Migration = { version: 2, name: 'slow', statements: () => ['SELECT pg_sleep(0.6)'] };

test.skipIf(!inject('postgres'))(
  'a migration, and waiting for one, can take longer than the statement timeout',
  async () => {
    const server = inject('postgres')?.server ?? '';
    const name = await createDatabase(server);
    onTestFinished(() => dropDatabase(server, name));
    const open = () =>
      openPostgres({
        url: databaseUrl(server, name),
        durability: 'relaxed',
        migrations: [notesMigration, slow],
        answerLimitMs: 300,
        busyLimitMs: 300,
      });
    const engines = await Promise.all([open(), open()]);
    for (const engine of engines) {
      expect(await countNotes(engine)).toBe(0);
      await engine.close();
    }
  },
);

test.skipIf(!inject('postgres'))(
  'a step that waits for a table lets others use it between its tries',
  async () => {
    const server = inject('postgres')?.server ?? '';
    const name = await createDatabase(server);
    onTestFinished(() => dropDatabase(server, name));
    const open = (migrations: readonly Migration[]) =>
      openPostgres({ url: databaseUrl(server, name), durability: 'relaxed', migrations });
    const expand: Migration = {
      version: 2,
      name: 'expand',
      statements: () => ['ALTER TABLE notes ADD COLUMN colour TEXT'],
    };
    const old = await open([notesMigration]);
    const [started, ended] = [deferred(), deferred()];
    const dump = old.tx('long, as a dump', async (tx) => {
      await countNotes(tx);
      started.resolve();
      await ended.promise;
    });
    await started.promise;
    const opening = open([notesMigration, expand]);
    await waitForLock(old);
    // Waits behind the step, until that gives way.
    expect(await countNotes(old)).toBe(0);
    ended.resolve();
    await dump;
    await (await opening).close();
    await old.close();
  },
);

async function waitForLock(db: Queryable): Promise<void> {
  for (;;) {
    const waiting = await db.get(
      sql`SELECT 1 AS one FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'ALTER%'`,
    );
    if (waiting) return;
  }
}
