import type { Clock } from './clock.js';

/** X's epoch, so that ids contain the same times (docs/api/requests.md#ids). */
export const SNOWFLAKE_EPOCH_MS = 1_288_834_974_657;

/** Worker ids are 10 bits: 0 to 1023. */
export const MAX_WORKER_ID = 1023;

const SEQUENCE_BITS = 12n;
/** The bits of a snowflake below its time. */
export const TIME_SHIFT = 22n;
const MAX_SEQUENCE = 4095;

/** Ids below this are sequential ids from before November 2010 and contain no time. */
const FIRST_SNOWFLAKE = 1n << 34n;

/** The last id that contains no time. */
export const LAST_UNTIMED_ID = FIRST_SNOWFLAKE - 1n;

/** Returns the smallest snowflake of a millisecond, or 0 for a time before the epoch. Converts times to id bounds. */
export function firstIdAt(timeMs: number): bigint {
  return timeMs <= SNOWFLAKE_EPOCH_MS ? 0n : BigInt(Math.floor(timeMs) - SNOWFLAKE_EPOCH_MS) << TIME_SHIFT;
}

/** Returns the time in a snowflake, in milliseconds; undefined for older ids. */
export function timeOfId(id: bigint): number | undefined {
  return id < FIRST_SNOWFLAKE ? undefined : Number(id >> TIME_SHIFT) + SNOWFLAKE_EPOCH_MS;
}

/** Generates ids, each greater than the previous one, whatever the clock does. */
export interface IdSource {
  next<T extends bigint>(): T;
}

/**
 * Creates a snowflake source: 41 bits of time, 10 of worker, 12 of sequence. If the clock steps back or more than
 * 4096 ids are needed per millisecond, it runs ahead of the clock instead of repeating or reordering ids.
 *
 * Ids exceed all ids of the time `floorMs`, which an earlier process may have used. Throws RangeError for a worker id
 * outside 0 to 1023.
 */
export function createSnowflakes(
  clock: Clock,
  workerId: number,
  floorMs = 0,
): IdSource & { lastMs(): number } {
  if (!Number.isInteger(workerId) || workerId < 0 || workerId > MAX_WORKER_ID) {
    throw new RangeError(`worker id ${workerId} is not between 0 and ${MAX_WORKER_ID}`);
  }
  const worker = BigInt(workerId) << SEQUENCE_BITS;
  let timeMs = Math.max(floorMs, SNOWFLAKE_EPOCH_MS);
  let sequence = MAX_SEQUENCE;
  return {
    lastMs: () => timeMs,
    next: <T extends bigint>() => {
      const nowMs = clock();
      if (nowMs > timeMs) {
        timeMs = nowMs;
        sequence = 0;
      } else if (sequence < MAX_SEQUENCE) {
        sequence += 1;
      } else {
        timeMs += 1;
        sequence = 0;
      }
      return ((BigInt(timeMs - SNOWFLAKE_EPOCH_MS) << TIME_SHIFT) | worker | BigInt(sequence)) as T;
    },
  };
}
