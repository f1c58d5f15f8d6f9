import { MAX_ID, type PostId } from '../core/ids.js';
import type { KeyRange } from '../core/page.js';
import { asId } from './decode.js';
import type { Engine, Queryable, Tx } from './engine.js';
import { RowCache } from './row-cache.js';
import { sql } from './sql.js';

/** The one row there is, from the migration on. */
const ROW = 1;
const TABLE = 'search_untimed';

/** No id is in it. */
export const NO_IDS: KeyRange = { above: 0n, upTo: 0n };

/** Makes the range reach over the ids, which are ascending, of posts in the index whose ids do not carry their time. */
export async function widenUntimed(tx: Tx, ids: readonly PostId[]): Promise<void> {
  const [lowest, highest] = [ids[0], ids.at(-1)];
  if (lowest === undefined || highest === undefined) return;
  await tx.run(sql`
    UPDATE search_untimed SET
      lowest_id = CASE WHEN lowest_id < ${lowest} THEN lowest_id ELSE ${lowest} END,
      highest_id = CASE WHEN highest_id > ${highest} THEN highest_id ELSE ${highest} END
    WHERE id = ${ROW} AND (lowest_id > ${lowest} OR highest_id < ${highest})`);
}

/** There are none any more: for an index that is empty. */
export async function forgetUntimed(tx: Tx): Promise<void> {
  await tx.run(sql`UPDATE search_untimed SET lowest_id = ${MAX_ID}, highest_id = -1 WHERE id = ${ROW}`);
}

/**
 * Where such posts may be: their ids are all in this range, which is `NO_IDS` for as long as there never was one. Most
 * networks have none, and where an archive has them they are old; so searches need not look for them elsewhere.
 */
export async function findUntimed(db: Queryable): Promise<KeyRange> {
  const row = await db.get(sql`SELECT lowest_id, highest_id FROM search_untimed WHERE id = ${ROW}`);
  const [lowest, highest] = [asId(row?.lowest_id), asId(row?.highest_id)];
  return lowest > highest ? NO_IDS : { above: lowest - 1n, upTo: highest };
}

/** What `findUntimed` finds. */
export type UntimedIds = () => Promise<KeyRange>;

/** The same without asking the database each time: kept for as long as it is true (row-cache.ts). */
export function createUntimedIds(engine: Engine): UntimedIds {
  const cache = new RowCache<typeof ROW, KeyRange>(engine, [TABLE], 2);
  return async () => (await cache.read(ROW, () => findUntimed(engine))) ?? findUntimed(engine);
}
