import type { PollId } from '../core/ids.js';
import type { Poll } from '../core/post.js';
import { asId, asJson, asOptionalNumber, asOptionalText } from '../database/decode.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import { list, sql } from '../database/sql.js';

function decodePoll(row: Row): Poll {
  return {
    id: asId(row.id),
    options: asJson<Poll['options']>(row.options) ?? [],
    durationMinutes: asOptionalNumber(row.duration_minutes),
    endsAtMs: asOptionalNumber(row.ends_at),
    votingStatus: asOptionalText(row.voting_status) as Poll['votingStatus'],
  };
}

/** Returns the stored polls among `ids`, by id. */
export async function findPolls(db: Queryable, ids: readonly PollId[]): Promise<Map<PollId, Poll>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(sql`SELECT * FROM polls WHERE id IN ${list(ids)}`);
  return new Map(rows.map((row) => [asId<PollId>(row.id), decodePoll(row)]));
}

/** Stores a poll. Returns false and changes nothing if the id is taken. */
export async function insertPoll(tx: Tx, poll: Poll): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO polls (id, options, duration_minutes, ends_at, voting_status)
    VALUES (${poll.id}, ${JSON.stringify(poll.options)}, ${poll.durationMinutes}, ${poll.endsAtMs},
      ${poll.votingStatus})
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

export async function deletePoll(tx: Tx, id: PollId): Promise<void> {
  await tx.run(sql`DELETE FROM polls WHERE id = ${id}`);
}
