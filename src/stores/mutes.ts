import type { PostId, UserId } from '../core/ids.js';
import type { Queryable } from '../database/engine.js';

import { asId, list, sql } from '../database/sql.js';
import { readValues } from '../database/table.js';
import { amongEdges, edgeList, userEdgeWriter } from './edges.js';

const MUTES = userEdgeWriter('mute-made', 'mute-undone', ['mutes', 'user_id', 'target_id', 'edge_id']);

export const insertMute = MUTES.insert;
export const deleteMute = MUTES.delete;

/** Lists the users that the owner mutes, newest first. */
export const listMuted = edgeList<UserId, UserId>('mutes', 'user_id', 'target_id');

/** Returns the candidates that the user mutes. */
export const mutedAmong = amongEdges<UserId>('mutes', 'user_id', 'target_id');

/** Returns the posts whose authors the user mutes and does not follow. */
export async function postsOfMutedStrangers(
  db: Queryable,
  userId: UserId,
  postIds: readonly PostId[],
): Promise<Set<PostId>> {
  if (postIds.length === 0) return new Set();
  const query = sql`
    SELECT id FROM posts WHERE id IN ${list(postIds)}
      AND author_id IN (SELECT target_id FROM mutes WHERE user_id = ${userId})
      AND author_id NOT IN (SELECT target_id FROM follows WHERE user_id = ${userId})`;
  return new Set(await readValues(db, asId<PostId>, query));
}
