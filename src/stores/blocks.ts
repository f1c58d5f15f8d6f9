import type { UserId } from '../core/ids.js';
import { amongEdges, edgeList, userEdgeWriter } from './edges.js';

const BLOCKS = userEdgeWriter(
  'block-made',
  'block-undone',
  ['blocks', 'user_id', 'target_id', 'edge_id'],
  ['blocked_by', 'blocker_id', 'user_id'],
);

export const insertBlock = BLOCKS.insert;
export const deleteBlock = BLOCKS.delete;

/** Lists the users that the owner blocks, newest first. */
export const listBlocked = edgeList<UserId, UserId>('blocks', 'user_id', 'target_id');

/** Returns the candidates that the user blocks. */
export const blockedAmong = amongEdges<UserId>('blocks', 'user_id', 'target_id');

/** Returns the candidates that block the user. */
export const blockersAmong = amongEdges<UserId>('blocked_by', 'user_id', 'blocker_id');
