/**
 * Runs compliance jobs and prints the part that each transaction has stored, until it is killed. Arguments: the URL
 * of the database, the lead of its clock in milliseconds, the data folder if any.
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
