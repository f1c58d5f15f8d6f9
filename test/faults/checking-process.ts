/**
 * Works on compliance jobs and prints the part of each transaction that is on disk. It is killed from outside.
 * Arguments: the database's URL, by how many milliseconds its clock is ahead, the data folder if there is one.
 */
import { openBackend } from '../../src/server/backend.js';
import type { JobPayloads } from '../../src/core/jobs.js';
import { createComplianceHandlers } from '../../src/services/compliance/compliance-work.js';
import { createJobWorker } from '../../src/services/jobs/worker.js';
import { silentLog } from '../../src/database/storage-log.js';

const [, , databaseUrl = '', aheadMs = '0', dataFolder] = process.argv;
const clock = (): number => Date.now() + Number(aheadMs);
const backend = await openBackend(databaseUrl, { clock, dataFolder });
const handlers = createComplianceHandlers(backend);
const worker = createJobWorker<JobPayloads>({
  ...backend,
  log: silentLog,
  handlers: {
    'check-compliance': async (run) => {
      await handlers['check-compliance'](run);
      process.stdout.write(`${run.payload.part ?? 0}\n`);
    },
  },
});
await worker.runDue();
await backend.close();
