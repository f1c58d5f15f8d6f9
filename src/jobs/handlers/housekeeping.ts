import type { Clock } from '../../core/clock.js';
import type { UserId } from '../../core/ids.js';
import type { HousekeepingPayload } from '../../core/jobs.js';
import type { Engine, Tx } from '../../storage/engine.js';
import { deleteDeadBearerTokens, deleteOldTexts } from '../../storage/housekeeping.js';
import type { JobQueue } from '../../storage/job-queue.js';
import type { JobHandler } from '../handler.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What a duplicate is measured against: a day (reference/behaviours.md 1). */
const TEXTS_KEPT_MS = DAY_MS;
const DEAD_TOKENS_KEPT_MS = 30 * DAY_MS;
const CHUNK = 1_000;

export interface HousekeepingDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly queue: JobQueue;
}

/** Makes sure that the clean-up will run: now, or when its hour comes. */
export async function enqueueHousekeeping(
  { queue }: Pick<HousekeepingDeps, 'queue'>,
  tx: Tx,
  runAtMs?: number,
) {
  await queue.enqueue(tx, { kind: 'housekeeping', payload: {}, uniqueKey: 'housekeeping', runAtMs });
}

/** Removes what nobody asks for any more, a chunk of rows in each transaction, every hour. */
export function createHousekeeping(deps: HousekeepingDeps): JobHandler<HousekeepingPayload> {
  return async (run) => {
    await deps.engine.tx('housekeeping', async (tx) => {
      // The next hour's job is ordered first, so that a chain of failures does not end the clean-up for good.
      if (run.payload.step === undefined) await enqueueHousekeeping(deps, tx, deps.clock() + HOUR_MS);
      const next = await cleanChunk(tx, run.payload, deps.clock());
      await (next ? run.continueWith(tx, next) : run.completeIn(tx));
    });
  };
}

/** Resolves to what comes next; undefined at the end. */
async function cleanChunk(
  tx: Tx,
  { step = 'recent-texts', after }: HousekeepingPayload,
  nowMs: number,
): Promise<HousekeepingPayload | undefined> {
  if (step === 'bearer-tokens') {
    const last = await deleteDeadBearerTokens(tx, after?.[0], CHUNK, nowMs - DEAD_TOKENS_KEPT_MS);
    return last === undefined ? undefined : { step, after: [last] };
  }
  const [userId, hash] = after ?? [];
  const from =
    userId === undefined || hash === undefined ? undefined : { userId: BigInt(userId) as UserId, hash };
  const last = await deleteOldTexts(tx, from, CHUNK, nowMs - TEXTS_KEPT_MS);
  return last ? { step, after: [String(last.userId), last.hash] } : { step: 'bearer-tokens' };
}
