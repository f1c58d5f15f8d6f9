import type { PollId, UserId } from '../core/ids.js';
import { asId, asNumber } from '../database/sql.js';
import { deleteBy, mapQuery, rowChange } from '../database/table.js';

/** Returns the numbers of the options that the user chose, from 1, by poll. */
export const findVotes = mapQuery<PollId, number, [UserId, readonly PollId[]]>(
  (row) => [asId(row.poll_id), asNumber(row.option_number)],
  'SELECT poll_id, option_number FROM poll_votes WHERE user_id = ? AND poll_id IN ?',
);

/** Stores a vote. Returns false and changes nothing if the user has voted in the poll. */
export const insertVote = rowChange<[PollId, UserId, option: number]>(
  'INSERT INTO poll_votes (poll_id, user_id, option_number) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
);

export const deletePollVotes = deleteBy<PollId>('poll_id', 'poll_votes');
