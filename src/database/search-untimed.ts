import { MAX_ID, type PostId } from '../core/ids.js';
import type { KeyRange } from '../core/page.js';
import type { Engine, Queryable, Tx } from './engine.js';
import { RowCache } from './row-cache.js';
import { asId, sql } from './sql.js';

/** The id of the only row, which the migration inserts. */
const ROW = 1n;
const TABLE = 'search_untimed';

/** A range without ids. */
export const NO_IDS: KeyRange = { above: 0n, upTo: 0n };

/** Extends the range to the ids, which ascend, of indexed posts whose ids do not contain their time. */
export async function widenUntimed(tx: Tx, ids: readonly PostId[]): Promise<void> {
  const [lowest, highest] = [ids[0], ids.at(-1)];
  if (lowest === undefined || highest === undefined) return;
  await tx.run(sql`
    UPDATE search_untimed SET
      lowest_id = CASE WHEN lowest_id < ${lowest} THEN lowest_id ELSE ${lowest} END,
      highest_id = CASE WHEN highest_id > ${highest} THEN highest_id ELSE ${highest} END
    WHERE id = ${ROW} AND (lowest_id > ${lowest} OR highest_id < ${highest})`);
}

/** Empties the range, for an empty index. */
export async function clearUntimed(tx: Tx): Promise<void> {
  await tx.run(sql`UPDATE search_untimed SET lowest_id = ${MAX_ID}, highest_id = -1 WHERE id = ${ROW}`);
}

/**
 * Returns the range that contains the ids of all such posts; `NO_IDS` if there never was one. Most networks have
 * none, and in archives they are old, so searches skip them outside the range.
 */
export async function findUntimed(db: Queryable): Promise<KeyRange> {
  const row = await db.get(sql`SELECT lowest_id, highest_id FROM search_untimed WHERE id = ${ROW}`);
  const [lowest, highest] = [asId(row?.lowest_id), asId(row?.highest_id)];
  return lowest > highest ? NO_IDS : { above: lowest - 1n, upTo: highest };
}

/** Returns the same as `findUntimed`. */
export type UntimedIds = () => Promise<KeyRange>;

/** Creates a cached `findUntimed` (row-cache.ts). */
export function createUntimedIds(engine: Engine): UntimedIds {
  const cache = new RowCache<typeof ROW, KeyRange>(engine, [TABLE], 2);
  return async () => (await cache.read(ROW, () => findUntimed(engine))) ?? findUntimed(engine);
}
