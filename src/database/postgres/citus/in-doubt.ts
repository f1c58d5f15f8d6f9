import { systemTimers } from '../../../core/timers.js';
import type { Engine, Queryable } from '../../engine.js';
import { asBoolean, asText, rawSql, sql } from '../../sql.js';
import type { StorageLog } from '../../storage-log.js';

/** The beginning of Citus's warning, after which the commit is acknowledged all the same. */
const UNCONFIRMED = /^failed to commit transaction on /;

const CHECKED_EVERY_MS = 250;

/** What a statement of any kind is taken for: a change of every table (effect.ts). */
const EVERYTHING = rawSql('SET LOCAL search_path TO DEFAULT');

export interface DoubtParts {
  readonly reads: Queryable;
  readonly tx: Engine['tx'];
  readonly log: StorageLog;
}

/** What follows commits that a worker did not confirm. */
export interface Doubts {
  /** Takes a notice of the server. */
  take(notice: string): void;
  close(): void;
}

/**
 * A worker may be lost between the two phases of a commit. Its part is prepared on its disk, and Citus commits it after
 * the worker is back (`citus.recover_2pc_interval`). Until then reads find the rows as they were before, and caches
 * would keep those. So when nothing is left in doubt, the caches of all processes are emptied.
 */
export function createDoubts({ reads, tx, log }: DoubtParts): Doubts {
  let isWaiting = false;
  let isClosed = false;
  const wait = async (since: string): Promise<void> => {
    try {
      if (await isSettled(reads, since)) {
        await tx('settle commits', async (open) => void (await open.run(EVERYTHING)), 'read-committed');
        isWaiting = false;
        return;
      }
    } catch {
      // The worker, or the coordinator, is not back yet.
    }
    if (!isClosed) systemTimers.after(CHECKED_EVERY_MS, () => void wait(since));
  };
  const begin = async (): Promise<void> => {
    const row = await reads.get(sql`SELECT CAST(clock_timestamp() AS TEXT) AS now`).catch(() => undefined);
    await wait(row ? asText(row['now']) : 'infinity');
  };
  return {
    take: (notice) => {
      if (!UNCONFIRMED.test(notice)) return;
      log.warn({}, `${notice}: it follows when the worker is back`);
      if (isWaiting) return;
      isWaiting = true;
      void begin();
    },
    close: () => {
      isClosed = true;
    },
  };
}

async function isSettled(reads: Queryable, since: string): Promise<boolean> {
  const row = await reads.get(rawSql(settledSince(since)));
  return asBoolean(row?.['is_settled']);
}

/** Returns the query for 1 if every worker answers and has finished what was prepared before a time; otherwise 0. */
export function settledSince(time: string): string {
  return `SELECT CASE WHEN bool_and(success AND result = '0') THEN 1 ELSE 0 END AS is_settled
    FROM run_command_on_workers($$SELECT COUNT(*) FROM pg_prepared_xacts
      WHERE database = current_database() AND gid LIKE 'citus%' AND prepared <= '${time}'$$)`;
}
