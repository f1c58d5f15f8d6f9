import { userWords } from '../core/search-text/user-words.js';
import type { UserId } from '../core/ids.js';
import type { User } from '../core/user.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asId, sql } from '../database/sql.js';
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
  let condition = sql`w.word >= ${first} AND w.word < ${first + AFTER_EVERY_WORD}`;
  for (const other of others) {
    condition = sql`${condition} AND EXISTS (
      SELECT 1 FROM user_words o
      WHERE o.user_id = w.user_id AND o.word >= ${other} AND o.word < ${other + AFTER_EVERY_WORD})`;
  }
  const rows = await db.all(sql`
    SELECT w.user_id FROM user_words w WHERE ${condition} ORDER BY w.word, w.user_id LIMIT ${limit}`);
  return [...new Set(rows.map((row) => asId<UserId>(row.user_id)))];
}
