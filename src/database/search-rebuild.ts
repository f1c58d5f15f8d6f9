import type { PostId } from '../core/ids.js';
import type { Queryable, Tx } from './engine.js';
import { asOptionalId, sql } from './sql.js';

/** The id of the only row: there is one rebuild at a time. */
const ROW = 1;

/** Returns the last post indexed by the running rebuild, or undefined if none is running. */
export async function findSearchRebuild(db: Queryable): Promise<PostId | undefined> {
  const row = await db.get(sql`SELECT after_id FROM search_rebuild WHERE id = ${ROW}`);
  return asOptionalId<PostId>(row?.after_id);
}

export async function putSearchRebuild(tx: Tx, afterId: PostId): Promise<void> {
  await tx.run(sql`
    INSERT INTO search_rebuild (id, after_id) VALUES (${ROW}, ${afterId})
    ON CONFLICT (id) DO UPDATE SET after_id = excluded.after_id`);
}

export async function deleteSearchRebuild(tx: Tx): Promise<void> {
  await tx.run(sql`DELETE FROM search_rebuild WHERE id = ${ROW}`);
}
