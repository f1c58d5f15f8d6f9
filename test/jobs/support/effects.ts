import type { Clock } from '../../../src/core/clock.js';
import type { JobRun } from '../../../src/services/jobs/handler.js';
import type { Engine, Queryable, Tx } from '../../../src/database/engine.js';
import { migrations } from '../../../src/database/migrations/all.js';
import type { Migration } from '../../../src/database/migrations/migration.js';
import { openEngine } from '../../../src/database/open-engine.js';
import { asNumber, sql } from '../../../src/database/sql.js';

export const CHUNKS = 400;

const effects: Migration = {
  version: migrations.length + 1,
  name: 'effects',
  statements: (ddl) => [`CREATE TABLE effects (chunk ${ddl.idKey}, times BIGINT NOT NULL)`],
};

/** Opens Pipit’s database with a table that counts the runs of each chunk. */
export function openEffects(databaseUrl: string, clock: Clock): Promise<Engine> {
  return openEngine(databaseUrl, { durability: 'full', migrations: [...migrations, effects], clock });
}

/** Runs one chunk and continues with the next, in one transaction. */
export async function countChunk(engine: Engine, run: JobRun<{ readonly next: number }>): Promise<void> {
  const { next } = run.payload;
  await engine.tx('chunk', async (tx) => {
    await count(tx, next);
    await (next === CHUNKS ? run.completeIn(tx) : run.continueWith(tx, { next: next + 1 }));
  });
}

/** Runs a job whose text is a number as its only chunk. */
export async function countOnce(engine: Engine, run: JobRun<{ readonly text: string }>): Promise<void> {
  await engine.tx('note', async (tx) => {
    await count(tx, Number(run.payload.text));
    await run.completeIn(tx);
  });
}

/** Returns how often each chunk was run, in order of chunks. */
export async function listEffects(db: Queryable): Promise<{ chunk: number; times: number }[]> {
  const rows = await db.all(sql`SELECT chunk, times FROM effects ORDER BY chunk`);
  return rows.map(({ chunk, times }) => ({ chunk: asNumber(chunk), times: asNumber(times) }));
}

async function count(tx: Tx, chunk: number): Promise<void> {
  await tx.run(sql`INSERT INTO effects (chunk, times) VALUES (${chunk}, 1)
    ON CONFLICT (chunk) DO UPDATE SET times = effects.times + 1`);
}
