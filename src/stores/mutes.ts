import type { PostId, UserId } from '../core/ids.js';
import { asId } from '../database/decode.js';
import { edgeList } from './edge-lists.js';
import type { Queryable, Tx } from '../database/engine.js';
import type { UserEdge } from './follows.js';
import { list, sql } from '../database/sql.js';
import { amongEdges } from './user-edges.js';

/** Mutes `to`. Returns false and changes nothing if the mute exists. */
export async function insertMute(tx: Tx, edge: UserEdge): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO mutes (user_id, target_id, edge_id) VALUES (${edge.from}, ${edge.to}, ${edge.edgeId})
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/** Deletes a mute. Returns false if there was none. */
export async function deleteMute(tx: Tx, from: UserId, to: UserId): Promise<boolean> {
  return (await tx.run(sql`DELETE FROM mutes WHERE user_id = ${from} AND target_id = ${to}`)) === 1;
}

/** Lists the users that the owner mutes, newest first. */
export const listMuted = edgeList<UserId, UserId>('mutes', 'user_id', 'target_id');

/** Returns the candidates that the user mutes. */
export const mutedAmong = amongEdges('mutes', 'user_id', 'target_id');

/** Returns the posts whose authors the user mutes and does not follow. */
export async function postsOfMutedStrangers(
  db: Queryable,
  userId: UserId,
  postIds: readonly PostId[],
): Promise<Set<PostId>> {
  if (postIds.length === 0) return new Set();
  const rows = await db.all(sql`
    SELECT id FROM posts WHERE id IN ${list(postIds)}
      AND author_id IN (SELECT target_id FROM mutes WHERE user_id = ${userId})
      AND author_id NOT IN (SELECT target_id FROM follows WHERE user_id = ${userId})`);
  return new Set(rows.map((row) => asId<PostId>(row.id)));
}
