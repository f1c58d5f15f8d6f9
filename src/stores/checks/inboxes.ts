import type { Queryable, Tx } from '../../database/engine.js';
import { asId, asText, sql } from '../../database/sql.js';
import type { Difference, Look, Part } from './part.js';
import { pagesOf, type Source, type Values } from './rows.js';

const THREADS: Source = {
  table: 'dm_threads',
  columns: ['user_id', 'conversation_id', 'last_position'],
  key: [0, 1],
};

const INBOX: Source = { table: 'dm_inbox', columns: ['user_id', 'position', 'conversation_id'], key: [0, 1] };

/** The checks of the conversations of each user, which are the newest events of the inbox. */
export const THREAD_PARTS: readonly Part[] = [{ kind: 'messages', of: 'dm_threads', look }];

async function* look(db: Queryable): AsyncGenerator<Look> {
  for await (const rows of pagesOf(db, THREADS))
    yield { checked: rows.length, suspects: await wrong(db, rows) };
  for await (const rows of pagesOf(db, INBOX)) {
    const keys = new Map(rows.map(([user, , id]) => [`${user} ${id}`, [user ?? null, id ?? null]]));
    yield { checked: 0, suspects: await wrong(db, [...keys.values()]) };
  }
}

async function wrong(db: Queryable, keys: readonly Values[]): Promise<Look['suspects']> {
  const suspects: Look['suspects'][number][] = [];
  for (const [user, id] of keys) {
    const key = { userId: asId(user), id: asText(id) };
    if ((await differenceOf(db, key)) === undefined) continue;
    const name = `dm_threads user_id=${key.userId} conversation_id=${key.id}`;
    suspects.push({ name, settle: (tx, mends) => settle(tx, key, mends) });
  }
  return suspects;
}

interface Key {
  readonly userId: bigint;
  readonly id: string;
}

interface Thread {
  readonly newest?: bigint;
  readonly stored?: bigint;
}

/** Returns the newest event of a conversation in an inbox and the one that is stored as such, if they differ. */
async function differenceOf(db: Queryable, { userId, id }: Key): Promise<Thread | undefined> {
  const ofUser = sql`user_id = ${userId} AND conversation_id = ${id}`;
  const event = await db.get(
    sql`SELECT position FROM dm_inbox WHERE ${ofUser} ORDER BY position DESC LIMIT 1`,
  );
  const thread = await db.get(sql`SELECT last_position FROM dm_threads WHERE ${ofUser}`);
  const newest = event && asId(event.position);
  const stored = thread && asId(thread.last_position);
  return newest === stored ? undefined : { newest, stored };
}

async function settle(tx: Tx, key: Key, mends: boolean): Promise<Difference | undefined> {
  const thread = await differenceOf(tx, key);
  if (!thread) return undefined;
  const { newest, stored } = thread;
  if (mends) {
    const ofUser = sql`user_id = ${key.userId} AND conversation_id = ${key.id}`;
    if (newest === undefined) await tx.run(sql`DELETE FROM dm_threads WHERE ${ofUser}`);
    else
      // What is not known to be read counts as read, as when this table came.
      await tx.run(sql`
        INSERT INTO dm_threads (user_id, conversation_id, last_position, read_up_to)
        VALUES (${key.userId}, ${key.id}, ${newest}, ${newest})
        ON CONFLICT (user_id, conversation_id) DO UPDATE SET last_position = excluded.last_position`);
  }
  if (newest === undefined) return { what: 'has no events' };
  return { what: stored === undefined ? 'is missing' : 'has another newest event' };
}
