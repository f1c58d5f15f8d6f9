/**
 * Runs the chunks of a job and prints each that is stored, until it is killed. Arguments: the URL of the database,
 * the lead of its clock in milliseconds.
 */
import { createSnowflakes } from '../../src/core/snowflake.js';
import { createJobWorker } from '../../src/services/jobs/worker.js';
import { silentLog } from '../../src/database/storage-log.js';
import type { TestPayloads } from './support/worker.js';
import { countChunk, openEffects } from './support/effects.js';

const [, , databaseUrl = '', aheadMs = '0'] = process.argv;
const clock = (): number => Date.now() + Number(aheadMs);
const engine = await openEffects(databaseUrl, clock);
const worker = createJobWorker<TestPayloads>({
  engine,
  ids: createSnowflakes(clock, 2),
  clock,
  log: silentLog,
  handlers: {
    chunks: async (run) => {
      await countChunk(engine, run);
      process.stdout.write(`${run.payload.next}\n`);
    },
  },
});
await worker.runDue();
await engine.close();
