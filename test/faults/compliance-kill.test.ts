import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { openBackend, type Backend } from '../../src/server/backend.js';
import type { AppId, ComplianceJobId, UserId } from '../../src/core/ids.js';
import { createComplianceHandlers } from '../../src/services/compliance/compliance-work.js';
import { createJobWorker, JOB_LEASE_MS } from '../../src/services/jobs/worker.js';
import { createComplianceService } from '../../src/services/compliance/compliance-jobs.js';
import { insertDeletedUser } from '../../src/stores/deleted-users.js';
import { asNumber, sql } from '../../src/database/sql.js';
import { silentLog } from '../../src/database/storage-log.js';
import { builtScript } from '../support/program.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';

const SCRIPT = builtScript('checking-process.ts');
const APP = 1n as AppId;

/** Many parts of 2,000 ids; every hundredth id belongs to a deleted account. */
const IDS = 60_000;
const DELETED = Array.from({ length: IDS / 100 }, (_, n) => BigInt(100 * n + 100));

/** Kills a worker process after it has reported `count` parts; returns the last one reported. */
async function workUntilKilled(
  { url, dataFolder }: SharedDatabase,
  aheadMs: number,
  count: number,
): Promise<number> {
  const settings = [url, String(aheadMs), ...(dataFolder === undefined ? [] : [dataFolder])];
  const child = spawn(process.execPath, [SCRIPT, ...settings], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let reported = 0;
  let last = -1;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    reported += 1;
    if (reported === count) child.kill('SIGKILL');
  }
  // The signal ended it, not the program.
  expect(await exit).toEqual([null, 'SIGKILL']);
  return last;
}

function serviceOn(backend: Backend) {
  return createComplianceService({ ...backend, publicUrl: 'http://pipit.test' });
}

/** Writes each id twice, far apart. */
async function* idFile(): AsyncGenerator<Buffer> {
  for (let pass = 0; pass < 2; pass += 1) {
    const lines = Array.from({ length: IDS / 2 }, (_, n) => 2 * n + 1 + pass);
    yield Buffer.from(lines.map((id) => `${id}\n`).join(''));
  }
  yield Buffer.from(DELETED.map((id) => `${id}\n`).join(''));
}

/** Creates a job for accounts whose ids are uploaded. */
async function createJob(backend: Backend): Promise<ComplianceJobId> {
  await backend.engine.tx('accounts', async (tx) => {
    for (const id of DELETED) await insertDeletedUser(tx, { id: id as UserId, createdAtMs: 0 }, 1000);
  });
  const service = serviceOn(backend);
  const { id } = await service.create(APP, { subject: 'users', resumable: false });
  const { upload } = await service.uploads.start(id);
  await service.uploads.finish(await service.uploads.append(upload, idFile()));
  return id;
}

async function foundIds(backend: Backend, jobId: ComplianceJobId): Promise<bigint[]> {
  const ids: bigint[] = [];
  for await (const page of (await serviceOn(backend).results(jobId)) ?? []) {
    ids.push(...page.map(({ id }) => id));
  }
  return ids;
}

test('after SIGKILL in the middle of a compliance job another process completes it once', async () => {
  await using database = await createSharedDatabase();
  let aheadMs = 0;
  const clock = (): number => Date.now() + aheadMs;
  const { url, dataFolder } = database;
  const before = await openBackend(url, { clock, dataFolder });
  const jobId = await createJob(before);
  await before.close();

  let last = -1;
  for (const count of [3, 11]) {
    const reached = await workUntilKilled(database, aheadMs, count);
    // At most one more part than reported is stored, and none is repeated.
    expect(reached).toBeGreaterThanOrEqual(last + count);
    last = reached;
    aheadMs += JOB_LEASE_MS + 1;
  }

  const backend = await openBackend(url, { clock, dataFolder });
  const { engine } = backend;
  expect((await serviceOn(backend).find(APP, jobId))?.status).toBe('in_progress');
  const handlers = createComplianceHandlers(backend);
  await createJobWorker({ ...backend, log: silentLog, handlers }).runDue();
  const job = await serviceOn(backend).find(APP, jobId);
  const found = await foundIds(backend, jobId);
  const parts = await engine.get(sql`SELECT COUNT(*) AS n FROM compliance_parts`);
  const jobs = await engine.all(sql`SELECT id FROM jobs WHERE kind = 'check-compliance'`);
  await backend.close();
  expect(job?.status).toBe('complete');
  expect(found).toEqual(DELETED);
  expect([asNumber(parts?.n), jobs]).toEqual([0, []]);
});
