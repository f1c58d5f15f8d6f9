import type { PollId, UserId } from '../core/ids.js';
import type { Queryable } from '../database/engine.js';
import { asId, asNumber, list, sql } from '../database/sql.js';
import { deleteBy, rowChange } from '../database/table.js';

/** Returns the numbers of the options that the user chose, from 1, by poll. */
export async function findVotes(
  db: Queryable,
  userId: UserId,
  pollIds: readonly PollId[],
): Promise<Map<PollId, number>> {
  if (pollIds.length === 0) return new Map();
  const rows = await db.all(sql`
    SELECT poll_id, option_number FROM poll_votes WHERE poll_id IN ${list(pollIds)} AND user_id = ${userId}`);
  return new Map(rows.map((row) => [asId<PollId>(row.poll_id), asNumber(row.option_number)]));
}

/** Stores a vote. Returns false and changes nothing if the user has voted in the poll. */
export const insertVote = rowChange<[PollId, UserId, option: number]>(
  'INSERT INTO poll_votes (poll_id, user_id, option_number) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
);

export const deletePollVotes = deleteBy<PollId>('poll_id', 'poll_votes');
