import type { PostId } from '../core/ids.js';
import type { Tx } from './engine.js';
import { asId, sql } from './sql.js';
import { valueQuery } from './table.js';

/** Returns the last post indexed by the running rebuild, or undefined if none is running. */
export const findSearchRebuild = valueQuery<PostId, []>(asId, 'SELECT after_id FROM search_rebuild');

export async function putSearchRebuild(tx: Tx, afterId: PostId): Promise<void> {
  // The only row: there is one rebuild at a time.
  await tx.run(sql`
    INSERT INTO search_rebuild (id, after_id) VALUES (1, ${afterId})
    ON CONFLICT (id) DO UPDATE SET after_id = excluded.after_id`);
}

export async function deleteSearchRebuild(tx: Tx): Promise<void> {
  await tx.run(sql`DELETE FROM search_rebuild`);
}
