import type { PostId } from '../../core/ids.js';
import type { Queryable, Tx } from '../../database/engine.js';
import { asId, asNumber, asOptionalId, list, rawSql, sql, statement } from '../../database/sql.js';
import { findImportedObjects } from '../imports.js';
import type { ImportedKind } from '../import-rows.js';
import type { Difference, Look, Part } from './part.js';

/** Counts above one id and up to another one, by id; ids without any are absent. */
type Recount = (db: Queryable, above: bigint, upTo: bigint) => Promise<Map<bigint, number>>;

/** A table of counts, one row for each object. */
interface CountTable {
  readonly table: string;
  readonly key: string;
  /** The table of the objects. */
  readonly objects: string;
  /** Imported objects have the counts of their archive, which nothing here tells. */
  readonly imported?: ImportedKind;
  /** Whether an object without a row of counts is broken; otherwise its counts are zero. */
  readonly needsRow: boolean;
  readonly counts: Readonly<Record<string, Recount>>;
}

/** Counts the rows of a table by a column. */
function rowsOf(table: string, by: string, value = 'COUNT(*)'): Recount {
  const query = statement(
    `SELECT ${by} AS id, ${value} AS n FROM ${table} WHERE ${by} > ? AND ${by} <= ? GROUP BY ${by}`,
  );
  return async (db, above, upTo) => {
    const rows = await db.all(query(above, upTo));
    return new Map(rows.map((row) => [asId(row.id), asNumber(row.n)]));
  };
}

/** Counts the rows of a table by a column, those whose column `other` is in what `select` returns. */
function selectedOf(
  table: string,
  by: string,
  other: string,
  select: (db: Queryable, others: readonly bigint[]) => Promise<ReadonlySet<bigint>>,
): Recount {
  const query = statement(
    `SELECT ${by} AS id, ${other} AS other FROM ${table} WHERE ${by} > ? AND ${by} <= ?`,
  );
  return async (db, above, upTo) => {
    const counts = new Map<bigint, number>();
    const rows = await db.all(query(above, upTo));
    const others = [...new Set(rows.map((row) => asId(row.other)))];
    const selected = new Set<bigint>();
    for (let at = 0; at < others.length; at += ASKED)
      for (const id of await select(db, others.slice(at, at + ASKED))) selected.add(id);
    for (const row of rows) {
      const id = asId(row.id);
      if (selected.has(asId(row.other))) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  };
}

/** Ids in one lookup. */
const ASKED = 1_000;

/** Imported posts were not counted when they came: the counts of their archive count them, or nobody does. */
async function writtenHere(db: Queryable, ids: readonly bigint[]): Promise<Set<bigint>> {
  const imported = await findImportedObjects(db, 'post', ids);
  return new Set(ids.filter((id) => !imported.has(id)));
}

/** Reposts of quotes are in the lists of quotes, but do not count (docs/api/posts.md#replies-quotes-and-reposts). */
async function quotesHere(db: Queryable, ids: readonly bigint[]): Promise<Set<bigint>> {
  const rows = await db.all(sql`SELECT id, reposted_post_id FROM posts WHERE id IN ${list(ids)}`);
  const quotes = rows.filter((row) => asOptionalId<PostId>(row.reposted_post_id) === undefined);
  return writtenHere(
    db,
    quotes.map((row) => asId(row.id)),
  );
}

/** Only public Lists count (services/lists/list-changes.ts). */
async function publicLists(db: Queryable, ids: readonly bigint[]): Promise<Set<bigint>> {
  const rows = await db.all(sql`SELECT id FROM lists WHERE id IN ${list(ids)} AND is_private = 0`);
  return new Set(rows.map((row) => asId(row.id)));
}

const TABLES: readonly CountTable[] = [
  {
    table: 'user_counts',
    key: 'user_id',
    objects: 'users',
    imported: 'user',
    needsRow: true,
    counts: {
      followers: rowsOf('followers', 'user_id'),
      following: rowsOf('follows', 'user_id'),
      posts: selectedOf('user_posts', 'user_id', 'post_id', writtenHere),
      listed: selectedOf('list_memberships', 'user_id', 'list_id', publicLists),
    },
  },
  {
    table: 'post_counts',
    key: 'post_id',
    objects: 'posts',
    imported: 'post',
    needsRow: false,
    counts: {
      reposts: selectedOf('reposts', 'post_id', 'repost_id', writtenHere),
      replies: selectedOf('replies', 'post_id', 'reply_id', writtenHere),
      likes: rowsOf('likes', 'post_id'),
      quotes: selectedOf('quotes', 'post_id', 'quote_id', quotesHere),
      bookmarks: rowsOf('bookmarks', 'post_id'),
    },
  },
  {
    table: 'list_counts',
    key: 'list_id',
    objects: 'lists',
    needsRow: true,
    counts: {
      members: rowsOf('list_members', 'list_id'),
      followers: rowsOf('list_followers', 'list_id'),
    },
  },
  {
    table: 'community_counts',
    key: 'community_id',
    objects: 'communities',
    needsRow: true,
    counts: { members: rowsOf('community_members', 'community_id') },
  },
  {
    table: 'media_usage',
    key: 'user_id',
    objects: 'users',
    needsRow: false,
    counts: { size_bytes: rowsOf('media_bytes', 'owner_id', 'SUM(size_bytes)') },
  },
];

/** The checks of counts that writes keep up. */
export const COUNT_PARTS: readonly Part[] = TABLES.map((each) => ({
  kind: 'counts',
  of: each.table,
  look: (db) => look(db, each),
}));

/** Objects at a time: each table of rows is asked for the range of their ids. */
const CHUNK = 5_000;

async function* look(db: Queryable, table: CountTable): AsyncGenerator<Look> {
  let above = -1n;
  for (;;) {
    const ids = await idsAbove(db, table, above);
    const last = ids.at(-1);
    if (last === undefined) return;
    const differing = await differencesAmong(db, table, ids, { above, upTo: last });
    const suspects = [...differing.keys()].map((id) => ({
      name: `${table.table} ${table.key}=${id}`,
      settle: (tx: Tx, mends: boolean) => settle(tx, table, id, mends),
    }));
    yield { checked: ids.length, suspects };
    if (ids.length < CHUNK) return;
    above = last;
  }
}

async function idsAbove(db: Queryable, { objects }: CountTable, above: bigint): Promise<bigint[]> {
  const rows = await db.all(
    sql`SELECT id FROM ${rawSql(objects)} WHERE id > ${above} ORDER BY id LIMIT ${CHUNK}`,
  );
  return rows.map((row) => asId(row.id));
}

/** The counts of an object as they are stored, absent without a row, and as they should be. */
interface Compared {
  readonly stored?: readonly number[];
  readonly actual: readonly number[];
}

/** Returns the objects whose counts are wrong. `range` spans their ids. */
async function differencesAmong(
  db: Queryable,
  table: CountTable,
  ids: readonly bigint[],
  { above, upTo }: { readonly above: bigint; readonly upTo: bigint },
): Promise<Map<bigint, Compared>> {
  const exempt = await importedAmong(db, table, ids);
  const own = ids.filter((id) => !exempt.has(id));
  if (own.length === 0) return new Map();
  const stored = await storedCounts(db, table, above, upTo);
  const actual = await Promise.all(Object.values(table.counts).map((recount) => recount(db, above, upTo)));
  const compared = own.map(
    (id) => [id, { stored: stored.get(id), actual: actual.map((counts) => counts.get(id) ?? 0) }] as const,
  );
  return new Map(compared.filter(([, each]) => isWrong(table, each)));
}

function isWrong({ needsRow }: CountTable, { stored, actual }: Compared): boolean {
  if (!stored) return needsRow || actual.some((count) => count > 0);
  return actual.some((count, place) => count !== stored[place]);
}

async function importedAmong(
  db: Queryable,
  { imported }: CountTable,
  ids: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  const found = new Set<bigint>();
  if (imported === undefined) return found;
  for (let at = 0; at < ids.length; at += ASKED)
    for (const id of (await findImportedObjects(db, imported, ids.slice(at, at + ASKED))).keys())
      found.add(id);
  return found;
}

async function storedCounts(
  db: Queryable,
  { table, key, counts }: CountTable,
  above: bigint,
  upTo: bigint,
): Promise<Map<bigint, number[]>> {
  const names = Object.keys(counts);
  const rows = await db.all(
    sql`SELECT ${rawSql([key, ...names].join(', '))} FROM ${rawSql(table)}
      WHERE ${rawSql(key)} > ${above} AND ${rawSql(key)} <= ${upTo}`,
  );
  return new Map(rows.map((row) => [asId(row[key]), names.map((name) => asNumber(row[name]))]));
}

async function settle(
  tx: Tx,
  table: CountTable,
  id: bigint,
  mends: boolean,
): Promise<Difference | undefined> {
  const object = await tx.get(sql`SELECT id FROM ${rawSql(table.objects)} WHERE id = ${id}`);
  const compared = object && (await differencesAmong(tx, table, [id], { above: id - 1n, upTo: id })).get(id);
  if (!compared) return undefined;
  if (mends) await store(tx, table, id, compared);
  const { stored, actual } = compared;
  if (!stored) return { what: 'has no counts' };
  const names = Object.keys(table.counts);
  const wrong = names.flatMap((name, place) =>
    stored[place] === actual[place] ? [] : `${name} is ${stored[place]}, not ${actual[place]}`,
  );
  return { what: wrong.join('; ') };
}

/**
 * Writes counts that were just counted. Who changes the rows that were counted changes this row too, so that one of both
 * transactions runs again.
 */
async function store(tx: Tx, { table, key, counts }: CountTable, id: bigint, { actual, stored }: Compared) {
  const names = Object.keys(counts);
  const columns = [key, ...names].join(', ');
  const text = stored
    ? `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE ${key} = ?`
    : `INSERT INTO ${table} (${columns}) VALUES (${[key, ...names].map(() => '?').join(', ')})`;
  await tx.run(statement(text)(...(stored ? [...actual, id] : [id, ...actual])));
}
