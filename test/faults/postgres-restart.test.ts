import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import type { Engine } from '../../src/database/engine.js';
import { StorageUnavailable } from '../../src/database/errors.js';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { asId, sql } from '../../src/database/sql.js';
import { worldDeps } from '../../src/server/backend.js';
import { readConfig } from '../../src/server/config.js';
import { buildPipit, type Pipit } from '../../src/server/start.js';
import { loadWorld } from '../../src/world/load-world.js';
import { countNotes, insertNote, NOTES } from '../database/notes.js';
import { createDatabase, startPostgres, type PostgresServer } from '../support/postgres.js';
import { standardWorld } from '../support/world.js';
import { CLIENT_TOKEN } from './clients.js';
import { surviveOutage } from './outage.js';

const ENOUGH = 30;
/** Also for a machine that runs other tests (docs/running.md#outages). */
const RECOVERY_MS = 5_000;

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

/** A durable server for these tests alone, since the shared one must keep running. */
describe.runIf(inject('postgres'))('when the PostgreSQL server is unavailable', () => {
  let server: PostgresServer;
  let pipit: Pipit;
  let folder: string;
  let url: string;

  beforeAll(async () => {
    server = await startPostgres();
    folder = await mkdtemp(join(tmpdir(), 'pipit-'));
    const database = server.url(await createDatabase(server.url('postgres')));
    const log = { error: () => undefined, warn: () => undefined };
    pipit = await buildPipit(readConfig({ database, rateLimits: 'off' }, {}), { log, dataFolder: folder });
    await loadWorld(worldDeps(pipit.backend, pipit.writer), { ...standardWorld(), tokens: [CLIENT_TOKEN] });
    url = `http://127.0.0.1:${await pipit.app.listen({ host: '127.0.0.1', port: 0 })}`;
  });
  afterAll(async () => {
    await pipit.close();
    await server.remove();
    await rm(folder, { recursive: true });
  });

  test.each(['stop', 'crash'] as const)(
    'during requests by a %s, these get 503 with Retry-After, then succeed again, and no acknowledged post is lost',
    async (end) => {
      const recoveryMs = await surviveOutage(url, {
        topic: end,
        enough: ENOUGH,
        refusesReads: true,
        begin: server[end],
        end: server.start,
      });
      console.info(`recovered ${Math.round(recoveryMs)} ms after the server was back`);
      expect(recoveryMs).toBeLessThan(RECOVERY_MS);
    },
  );

  test.each(['stop', 'crash'] as const)(
    'during writes by a %s, acknowledged commits persist, others throw StorageUnavailable, and the engine reconnects',
    async (end) => {
      const name = await createDatabase(server.url('postgres'));
      const engine = await openPostgres({ url: server.url(name), durability: 'full', migrations: NOTES });
      onTestFinished(engine.close);
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
