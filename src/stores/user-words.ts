import { userWords } from '../core/search-text/user-words.js';
import type { UserId } from '../core/ids.js';
import type { User } from '../core/user.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, sql, type Sql } from '../database/sql.js';
import { deleteBy, insertRows } from '../database/table.js';

type Named = Pick<User, 'id' | 'username' | 'name'>;

const insertWords = insertRows('INSERT INTO user_words (word, user_id)', 2, 'ON CONFLICT DO NOTHING');

/** Makes users findable by their words. */
export async function addUserWords(tx: Tx, users: readonly Named[]): Promise<void> {
  const rows = users.flatMap((user) => userWords(user).map((word) => [word, user.id] as const));
  await insertWords(tx, rows);
}

/** Removes the words of a user. */
export const deleteUserWords = deleteBy<UserId>('user_id', 'user_words');

/** Follows every word with the same beginning in the order of bytes. */
const AFTER_EVERY_WORD = '\u{10FFFF}';

/**
 * Returns up to `limit` distinct users who have, for each of `beginnings`, a word that starts with it: those with the
 * first words in the order of bytes, so that whole words come before longer ones.
 */
export async function findUsersByWords(
  db: Queryable,
  beginnings: readonly string[],
  limit: number,
): Promise<UserId[]> {
  // The longest has the fewest users, mostly.
  const [first, ...others] = [...beginnings].sort((one, other) => other.length - one.length);
  if (first === undefined) return [];
  const condition = sql`${startsWith(first)}${alsoStart(others)}`;
  const rows = await db.all(sql`
    SELECT w.user_id FROM user_words w WHERE ${condition} ORDER BY w.word, w.user_id LIMIT ${limit}`);
  return [...new Set(rows.map((row) => asId<UserId>(row.user_id)))];
}

/** Returns up to `limit` of these users whom a user follows, in no order. */
export async function findFollowedByWords(
  db: Queryable,
  followerId: UserId,
  beginnings: readonly string[],
  limit: number,
): Promise<UserId[]> {
  const [first, ...others] = beginnings;
  if (first === undefined) return [];
  const rows = await db.all(sql`
    SELECT DISTINCT f.target_id FROM (SELECT target_id FROM follows WHERE user_id = ${followerId}) f
      CROSS JOIN user_words w
    WHERE w.user_id = f.target_id AND ${startsWith(first)}${alsoStart(others)}
    LIMIT ${limit}`);
  return rows.map((row) => asId<UserId>(row.target_id));
}

function startsWith(beginning: string): Sql {
  return sql`w.word >= ${beginning} AND w.word < ${beginning + AFTER_EVERY_WORD}`;
}

/** Returns the conditions for further words of the same user. */
function alsoStart(beginnings: readonly string[]): Sql {
  return beginnings.reduce(
    (condition, other) => sql`${condition} AND EXISTS (
      SELECT 1 FROM user_words o
      WHERE o.user_id = w.user_id AND o.word >= ${other} AND o.word < ${other + AFTER_EVERY_WORD})`,
    sql``,
  );
}
