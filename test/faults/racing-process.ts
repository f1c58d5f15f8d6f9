/**
 * Claims the same usernames as its competitors, then runs the same jobs. Before each race it prints a line and waits
 * for one; it prints its result as JSON. Arguments: the URL of the database, its worker id for snowflakes.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { systemClock } from '../../src/core/clock.js';
import { PipitError } from '../../src/core/errors.js';
import { createSnowflakes } from '../../src/core/snowflake.js';
import { createJobWorker } from '../../src/services/jobs/worker.js';
import { createAccount } from '../../src/services/accounts/sign-up.js';
import { silentLog } from '../../src/database/storage-log.js';
import { countOnce, openEffects } from '../jobs/support/effects.js';
import type { TestPayloads } from '../jobs/support/worker.js';

const [, , databaseUrl = '', workerId = ''] = process.argv;
const lines = createInterface({ input: process.stdin });
const engine = await openEffects(databaseUrl, systemClock);
const deps = { engine, ids: createSnowflakes(systemClock, Number(workerId)), clock: systemClock };

async function start(): Promise<void> {
  process.stdout.write('ready\n');
  await once(lines, 'line');
}

/** Reports whether this process got the username. */
async function claim(username: string): Promise<boolean> {
  const account = { username, name: username, protected: false };
  try {
    await engine.tx('create account', (tx) => createAccount(deps, tx, account));
    return true;
  } catch (error) {
    if (error instanceof PipitError && error.failure.code === 'conflict') return false;
    throw error;
  }
}

await start();
const usernames: string[] = [];
for (let n = 0; n < 100; n += 1) {
  if (await claim(`name${n}`)) usernames.push(`name${n}`);
}

await start();
let jobs = 0;
const worker = createJobWorker<TestPayloads>({
  ...deps,
  log: silentLog,
  handlers: {
    note: async (run) => {
      await countOnce(engine, run);
      jobs += 1;
    },
  },
});
await worker.runDue();

process.stdout.write(`${JSON.stringify({ usernames, jobs })}\n`);
lines.close();
await engine.close();
