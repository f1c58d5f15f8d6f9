import type { EdgeId, UserId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { sql } from '../database/sql.js';
import { amongEdges, edgeWriter } from './edges.js';

const DM_BLOCKS = edgeWriter<UserId, UserId, [EdgeId]>(['dm_blocks', 'user_id', 'target_id', 'edge_id']);

export const insertDmBlock = DM_BLOCKS.insert;
export const deleteDmBlock = DM_BLOCKS.delete;

/** Returns the candidates whose messages the user blocks. */
export const dmBlockedAmong = amongEdges<UserId>('dm_blocks', 'user_id', 'target_id');

/** Returns the candidates who block messages of the user. */
export const dmBlockersAmong = amongEdges<UserId>('dm_blocks', 'target_id', 'user_id');

/** Deletes the blocks of messages by and of a user. */
export async function deleteDmBlocksOf(tx: Tx, userId: UserId): Promise<void> {
  await tx.run(sql`DELETE FROM dm_blocks WHERE user_id = ${userId}`);
  await tx.run(sql`DELETE FROM dm_blocks WHERE target_id = ${userId}`);
}
