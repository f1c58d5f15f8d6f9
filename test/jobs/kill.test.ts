import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { createSnowflakes } from '../../src/core/snowflake.js';
import { createJobWorker, JOB_LEASE_MS } from '../../src/services/jobs/worker.js';
import { createJobQueue } from '../../src/stores/job-queue.js';
import { sql } from '../../src/database/sql.js';
import { silentLog } from '../../src/database/storage-log.js';
import { builtScript } from '../support/program.js';
import { createSharedDatabase } from '../support/test-database.js';
import { CHUNKS, countChunk, listEffects, openEffects } from './support/effects.js';
import type { TestPayloads } from './support/worker.js';

const SCRIPT = builtScript('counting-process.ts');

/** Kills a worker process after it has reported `count` chunks; returns the last one reported. */
async function workUntilKilled(databaseUrl: string, aheadMs: number, count: number): Promise<number> {
  const child = spawn(process.execPath, [SCRIPT, databaseUrl, String(aheadMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let reported = 0;
  let last = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    reported += 1;
    if (reported === count) child.kill('SIGKILL');
  }
  expect(await exit).toEqual([null, 'SIGKILL']);
  return last;
}

test('after SIGKILL in the middle of a chunked job another process completes it, with each chunk run once', async () => {
  await using database = await createSharedDatabase();
  let aheadMs = 0;
  const clock = (): number => Date.now() + aheadMs;
  const ids = createSnowflakes(clock, 1);
  const queue = createJobQueue<TestPayloads>({ ids, clock });
  const before = await openEffects(database.url, clock);
  await before.tx('order', (tx) => queue.enqueue(tx, { kind: 'chunks', payload: { next: 1 } }));
  await before.close();

  let last = 0;
  for (const count of [7, 20]) {
    const reached = await workUntilKilled(database.url, aheadMs, count);
    expect(reached).toBeGreaterThanOrEqual(last + count);
    expect(reached).toBeLessThan(CHUNKS);
    last = reached;
    aheadMs += JOB_LEASE_MS + 1;
  }

  const engine = await openEffects(database.url, clock);
  const handlers = {
    chunks: (run: Parameters<typeof countChunk>[1]) => countChunk(engine, run),
  };
  await createJobWorker<TestPayloads>({ engine, ids, clock, log: silentLog, handlers }).runDue();
  const effects = await listEffects(engine);
  const jobs = await engine.all(sql`SELECT id FROM jobs`);
  await engine.close();
  expect(effects).toEqual(Array.from({ length: CHUNKS }, (_, n) => ({ chunk: n + 1, times: 1 })));
  expect(jobs).toEqual([]);
});
