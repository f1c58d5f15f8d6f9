import type { PostId } from '../../core/ids.js';
import type { KeyRange } from '../../core/page.js';
import type { Queryable, Tx } from '../engine.js';
import { insertRows } from '../table.js';
import { asId, asNumber, list, sql, type SqlValue } from '../sql.js';
import { hasSearchPending } from '../search-pending.js';
import {
  differingIds,
  type SearchDocument,
  type SearchIndex,
  type SearchLeaf,
  type SearchSelection,
  type WantedMatches,
} from '../search.js';

/**
 * A contentless FTS5 table (sqlite.org/fts5.html#contentless_delete_tables). A query is one MATCH, walked from the
 * newest post until the page is full. A post's rowid is its negated id, which makes this order ascending: descending,
 * FTS5 skips rows thirty times as slowly, in old pages and in intersections of words. The tokenizer treats every
 * character of our tokens as a letter, so it splits at blanks only.
 */
export const SQLITE_SEARCH_DDL: readonly string[] = [
  `CREATE VIRTUAL TABLE search_posts USING fts5(
    tokens, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_#*:%'"
  )`,
  // Two segments of one size are enough for a merge.
  "INSERT INTO search_posts (search_posts, rank) VALUES ('usermerge', 2)",
];

/** Databases older than migration 15 have rows keyed by the positive id. */
export const SQLITE_SEARCH_RESET: readonly string[] = [
  "INSERT INTO search_posts (search_posts) VALUES ('delete-all')",
  `INSERT INTO search_pending (created_at, post_id, revision)
  SELECT created_at, id, 0 FROM posts WHERE TRUE ON CONFLICT DO NOTHING`,
];

/** The number of index pages merged per step. */
const MERGED_PAGES = 16;

const putRows = insertRows('REPLACE INTO search_posts (rowid, tokens)', 2);

export const sqliteSearch: SearchIndex = {
  put: async (tx, documents) => {
    // FTS5 batches rows while rowids ascend.
    const upward = documents.toSorted((one, other) => (one.id > other.id ? -1 : 1));
    await putRows(
      tx,
      upward.map(({ id, runs, facets }) => [-id, `${runs} ${facets}`]),
    );
  },
  remove: async (tx, ids) => {
    if (ids.length === 0) return;
    await tx.run(sql`DELETE FROM search_posts WHERE rowid IN ${list(ids.map((id) => -id))}`);
  },
  page: (db, selection, range, limit) => findMatches(db, { selection, range, limit }),
  // The search runs after the check, so its result is at least as new.
  completePage: async (db, wanted, within) =>
    (await hasSearchPending(db, within)) ? undefined : findMatches(db, wanted),
  compare: async (db, documents, range) => {
    const lengths = await lengthsIn(db, range);
    const same = new Set(
      documents.filter((each) => lengths.get(each.id) === termsOf(each).length).map(({ id }) => id),
    );
    for (const [term, ids] of idsByTerm(documents.filter(({ id }) => same.has(id)))) {
      const found = new Set(await findWithTerm(db, term, range));
      for (const id of ids) if (!found.has(id)) same.delete(id);
    }
    return differingIds(documents, lengths.keys(), same);
  },
  // Each commit adds a segment, and a search reads all of them.
  tidy: async (tx) => {
    const before = await changesSoFar(tx);
    await tx.run(sql`INSERT INTO search_posts (search_posts, rank) VALUES ('merge', ${MERGED_PAGES})`);
    // The statement itself counts as one change (sqlite.org/fts5.html#the_merge_command).
    return (await changesSoFar(tx)) - before >= 2;
  },
  clear: async (tx) => {
    await tx.run(sql`INSERT INTO search_posts (search_posts) VALUES ('delete-all')`);
  },
};

async function findMatches(
  db: Queryable,
  { selection, range: { above, upTo }, limit }: WantedMatches,
): Promise<PostId[]> {
  const rows = await db.all(sql`
    SELECT -rowid AS id FROM search_posts
    WHERE search_posts MATCH ${matchOf(selection)} AND rowid >= ${-upTo} AND rowid < ${-above}
    ORDER BY rowid LIMIT ${limit}`);
  return rows.map((row) => asId<PostId>(row.id));
}

/** Returns the number of terms of each document of a range, which the index keeps beside the terms. */
async function lengthsIn(db: Queryable, { above, upTo }: KeyRange): Promise<Map<PostId, number>> {
  const rows = await db.all(sql`
    SELECT -id AS id, sz FROM search_posts_docsize WHERE id >= ${-upTo} AND id < ${-above}`);
  return new Map(rows.map((row) => [asId<PostId>(row.id), varintOf(row.sz)]));
}

/** Decodes a number of seven bits a byte, the highest first (sqlite.org/fileformat2.html#varint). */
function varintOf(bytes: SqlValue | undefined): number {
  let number = 0;
  for (const byte of bytes instanceof Uint8Array ? bytes : []) number = number * 128 + (byte & 127);
  return number;
}

function termsOf({ runs, facets }: SearchDocument): string[] {
  return `${runs} ${facets}`.trim().split(' ');
}

/**
 * Returns the documents of each term. The index does not tell the terms of a document, but the documents of a term, which
 * is fast for a range. So a document is the same if it has all of the terms, and as many; their order is not compared.
 */
function idsByTerm(documents: readonly SearchDocument[]): Map<string, Set<PostId>> {
  const ids = new Map<string, Set<PostId>>();
  for (const document of documents)
    for (const term of termsOf(document)) {
      const known = ids.get(term);
      if (known) known.add(document.id);
      else ids.set(term, new Set([document.id]));
    }
  return ids;
}

async function findWithTerm(db: Queryable, term: string, { above, upTo }: KeyRange): Promise<PostId[]> {
  const rows = await db.all(sql`
    SELECT -rowid AS id FROM search_posts
    WHERE search_posts MATCH ${`"${term}"`} AND rowid >= ${-upTo} AND rowid < ${-above}`);
  return rows.map((row) => asId<PostId>(row.id));
}

async function changesSoFar(tx: Tx): Promise<number> {
  return asNumber((await tx.get(sql`SELECT total_changes() AS changes`))?.changes);
}

/** Formats a selection as an FTS5 query (sqlite.org/fts5.html#full_text_query_syntax). Tokens contain no quotes. */
export function matchOf(selection: SearchSelection): string {
  switch (selection.kind) {
    case 'only':
      return leafOf(selection.leaf);
    case 'all':
      return grouped(selection.of, 'AND');
    case 'any':
      return grouped(selection.of, 'OR');
    case 'except':
      return `(${matchOf(selection.from)} NOT ${matchOf(selection.without)})`;
  }
}

function grouped(of: readonly SearchSelection[], operator: string): string {
  return `(${of.map(matchOf).join(` ${operator} `)})`;
}

function leafOf(leaf: SearchLeaf): string {
  if (leaf.kind === 'phrase') return `"${leaf.tokens.join(' ')}"${leaf.lastIsPrefix ? ' *' : ''}`;
  return `(${leaf.anyOf.map((facet) => `"${facet}"`).join(' OR ')})`;
}
