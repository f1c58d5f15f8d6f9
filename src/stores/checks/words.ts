import { userWords } from '../../core/search-text/user-words.js';
import { titleTokens } from '../../core/space.js';
import type { Queryable, Tx } from '../../database/engine.js';
import { asText, rawSql, sql, statement, type SqlValue } from '../../database/sql.js';
import { hasJobWith } from '../jobs.js';
import type { Difference, Look, Part } from './part.js';
import { findRow, insertRow, keyOf, pagesOf, textOf, type Source, type Values } from './rows.js';
import { grouped } from '../../core/grouped.js';

/** A table of the words by which objects are found: its columns are the word and the id of the object. */
interface WordTable {
  readonly table: string;
  readonly word: string;
  readonly id: string;
  readonly objects: Source;
  /** Returns the words of an object; `row` has the columns of `objects`. */
  wordsOf(row: Values): readonly string[];
  /** The kind of the job that adds the words of objects from before the table. */
  readonly job?: string;
}

const TABLES: readonly WordTable[] = [
  {
    table: 'user_words',
    word: 'word',
    id: 'user_id',
    objects: { table: 'users', columns: ['id', 'username', 'name'], key: [0] },
    wordsOf: ([, username, name]) =>
      userWords({ username: asText(username ?? ''), name: asText(name ?? '') }),
    job: 'index-users',
  },
  {
    table: 'community_words',
    word: 'word',
    id: 'community_id',
    objects: { table: 'communities', columns: ['id', 'name', 'description'], key: [0] },
    wordsOf: ([, name, description]) => titleTokens(`${name} ${description}`),
  },
  {
    table: 'space_tokens',
    word: 'token',
    id: 'space_id',
    objects: { table: 'spaces', columns: ['id', 'state', 'title'], key: [0] },
    wordsOf: ([, state, title]) => (state === 'ended' ? [] : titleTokens(asText(title ?? ''))),
  },
];

/** The checks of the words by which users, communities and Spaces are found. */
export const WORD_PARTS: readonly Part[] = TABLES.map((each) => ({
  kind: 'words',
  of: each.table,
  look: (db) => look(db, each),
}));

async function* look(db: Queryable, table: WordTable): AsyncGenerator<Look> {
  if (table.job !== undefined && (await hasJobWith(db, table.job, ''))) return;
  for await (const rows of pagesOf(db, table.objects)) {
    const stored = await storedWords(db, table, rows[0]?.[0] ?? null, rows.at(-1)?.[0] ?? null);
    const wrong = rows.filter(
      (row) => sorted(table.wordsOf(row)) !== sorted(stored.get(String(row[0])) ?? []),
    );
    const suspects = wrong.map((row) => ({
      name: `${table.table} ${table.id}=${String(row[0])}`,
      settle: (tx: Tx, mends: boolean) => settle(tx, table, row, mends),
    }));
    yield { checked: rows.length, suspects };
  }
}

/** Returns the words of the objects from one id to another one, by id. */
async function storedWords(
  db: Queryable,
  { table, word, id }: WordTable,
  from: SqlValue,
  to: SqlValue,
): Promise<Map<string, string[]>> {
  const column = rawSql(id);
  const rows = await db.all(sql`SELECT ${column} AS id, ${rawSql(word)} AS word FROM ${rawSql(table)}
    WHERE ${column} >= ${from} AND ${column} <= ${to}`);
  return grouped(rows.map((row) => [String(row.id), asText(row.word)]));
}

function sorted(words: readonly string[]): string {
  return textOf([...new Set(words)].sort());
}

async function settle(
  tx: Tx,
  table: WordTable,
  row: Values,
  mends: boolean,
): Promise<Difference | undefined> {
  const object = await findRow(tx, table.objects, keyOf(table.objects, row));
  if (!object) return undefined;
  const [id = null] = object;
  const stored = (await storedWords(tx, table, id, id)).get(String(id)) ?? [];
  const words = [...new Set(table.wordsOf(object))];
  if (sorted(words) === sorted(stored)) return undefined;
  if (mends) {
    await tx.run(statement(`DELETE FROM ${table.table} WHERE ${table.id} = ?`)(id));
    const target = { table: table.table, columns: [table.word, table.id], key: [0, 1] };
    for (const word of words) await insertRow(tx, target, [word, id]);
  }
  return { what: 'has other words' };
}
