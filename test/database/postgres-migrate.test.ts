import { inject, onTestFinished, test, expect } from 'vitest';
import type { Migration } from '../../src/database/migrations/migration.js';
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
