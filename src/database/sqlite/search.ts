import type { PostId } from '../../core/ids.js';
import { asId, asNumber } from '../decode.js';
import type { Queryable, Tx } from '../engine.js';
import { insertRows } from '../many-rows.js';
import { list, sql } from '../sql.js';
import { hasSearchPending } from '../search-pending.js';
import type { SearchIndex, SearchLeaf, SearchSelection, WantedMatches } from '../search.js';

/**
 * FTS5 without the texts (sqlite.org/fts5.html#contentless_delete_tables): a query is one MATCH, walked from the newest
 * post on and left when the page is full. A post's row is its id below zero, so that this is upward: down, FTS5 skips
 * rows thirty times as slowly, in a page of long ago and in what two words have in common. The tokenizer takes everything for a letter that our tokens
 * are made of, so that it finds exactly them between the blanks.
 */
export const SQLITE_SEARCH_DDL: readonly string[] = [
  `CREATE VIRTUAL TABLE search_posts USING fts5(
    tokens, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_#*:%'"
  )`,
  // Two pieces of a size are enough to be merged when there is time.
  "INSERT INTO search_posts (search_posts, rank) VALUES ('usermerge', 2)",
];

/** Databases from before step 15 of the schema have rows by the ids themselves. */
export const SQLITE_SEARCH_ANEW: readonly string[] = [
  "INSERT INTO search_posts (search_posts) VALUES ('delete-all')",
  `INSERT INTO search_pending (created_at, post_id, revision)
  SELECT created_at, id, 0 FROM posts WHERE TRUE ON CONFLICT DO NOTHING`,
];

/** So many pages of the index are merged in one step. */
const MERGED_PAGES = 16;

const putRows = insertRows('REPLACE INTO search_posts (rowid, tokens)', 2);

export const sqliteSearch: SearchIndex = {
  put: async (tx, documents) => {
    // FTS5 gathers rows for as long as they go up.
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
  // What is found afterwards is at least as new.
  completePage: async (db, wanted, within) =>
    (await hasSearchPending(db, within)) ? undefined : findMatches(db, wanted),
  // Each commit adds a piece of index, and what is searched for is looked up in all of them.
  tidy: async (tx) => {
    const before = await changesSoFar(tx);
    await tx.run(sql`INSERT INTO search_posts (search_posts, rank) VALUES ('merge', ${MERGED_PAGES})`);
    // One change is the statement itself (sqlite.org/fts5.html#the_merge_command).
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

async function changesSoFar(tx: Tx): Promise<number> {
  return asNumber((await tx.get(sql`SELECT total_changes() AS changes`))?.changes);
}

/** The selection in FTS5's language (sqlite.org/fts5.html#full_text_query_syntax). Tokens hold no quotes. */
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
