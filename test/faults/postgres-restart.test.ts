import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { asId } from '../../src/database/decode.js';
import type { Engine } from '../../src/database/engine.js';
import { StorageUnavailable } from '../../src/database/errors.js';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { sql } from '../../src/database/sql.js';
import { countNotes, insertNote, NOTES } from '../database/notes.js';
import { createDatabase, startPostgres, type PostgresServer } from '../support/postgres.js';

const WRITERS = 8;
const ACKNOWLEDGED_BEFORE = 100;

/** Commits notes until stopped, regardless of failures. */
function commitForever(engine: Engine) {
  const acknowledged: bigint[] = [];
  const failures: unknown[] = [];
  let nextId = 1n;
  let isStopped = false;
  const commit = async (): Promise<void> => {
    while (!isStopped) {
      const id = nextId;
      nextId += 1n;
      try {
        await engine.tx('note', (tx) => insertNote(tx, id));
        acknowledged.push(id);
      } catch (error) {
        failures.push(error);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  };
  const done = Promise.all(Array.from({ length: WRITERS }, commit));
  return {
    acknowledged,
    failures,
    stop: async () => {
      isStopped = true;
      await done;
    },
  };
}

/** A durable server for this test alone, since the shared one must keep running. */
describe.runIf(inject('postgres'))('when the PostgreSQL server is unavailable during writes', () => {
  let server: PostgresServer;
  let engine: Engine;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  beforeEach(async () => {
    const name = await createDatabase(server.url('postgres'));
    engine = await openPostgres({ url: server.url(name), durability: 'full', migrations: NOTES });
  });
  afterEach(() => engine.close());

  test.each(['stop', 'crash'] as const)(
    'by a %s, acknowledged commits persist, others throw StorageUnavailable, and the engine reconnects',
    async (end) => {
      const writers = commitForever(engine);
      const hasAcknowledged = (count: number) =>
        vi.waitFor(() => expect(writers.acknowledged.length).toBeGreaterThan(count), { timeout: 20_000 });
      await hasAcknowledged(ACKNOWLEDGED_BEFORE);
      await server[end]();
      await vi.waitFor(() => expect(writers.failures.length).toBeGreaterThan(WRITERS));
      await expect(countNotes(engine)).rejects.toThrow(StorageUnavailable);
      const before = writers.acknowledged.length;
      await server.start();
      await hasAcknowledged(before + ACKNOWLEDGED_BEFORE);
      await writers.stop();

      expect(writers.failures.filter((error) => !(error instanceof StorageUnavailable))).toEqual([]);
      const rows = await engine.all(sql`SELECT id FROM notes`);
      const stored = new Set(rows.map((row) => asId(row['id'])));
      expect(writers.acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    },
  );
});
