import type { Queryable, Tx } from '../../database/engine.js';
import type { Difference, Look, Part } from './part.js';
import {
  deleteRow,
  findRow,
  findRows,
  keyOf,
  nameOf,
  pagesOf,
  textOf,
  type Source,
  type Values,
} from './rows.js';

/** A reference: the columns of a row, and the tables of which one must have the row that they name. */
interface Reference {
  readonly columns: readonly string[];
  readonly targets: readonly Source[];
}

interface Referring {
  readonly table: string;
  readonly key: readonly string[];
  readonly references: readonly Reference[];
}

const byId = (table: string, key: string): Source => ({ table, columns: [key], key: [0] });
const USERS = byId('users', 'id');
const POSTS = byId('posts', 'id');
const LISTS = byId('lists', 'id');
const MEDIA = byId('media', 'id');
const UPLOADS = byId('media_uploads', 'media_id');
const SPACES = byId('spaces', 'id');
const COMMUNITIES = byId('communities', 'id');

/** Refers by one column to one table. */
const to = (column: string, target: Source): Reference => ({ columns: [column], targets: [target] });

const referring = (
  table: string,
  key: readonly string[],
  ...references: readonly Reference[]
): Referring => ({ table, key, references });

/** Returns a table of edges between users. */
const betweenUsers = (table: string, key: readonly [string, string]): Referring =>
  referring(table, key, ...key.map((column) => to(column, USERS)));

/** Rows that are deleted with what they refer to. The tables that repeat these rows are checked after them. */
const TABLES: readonly Referring[] = [
  betweenUsers('follows', ['user_id', 'target_id']),
  betweenUsers('follow_requests', ['target_id', 'user_id']),
  betweenUsers('blocks', ['user_id', 'target_id']),
  betweenUsers('mutes', ['user_id', 'target_id']),
  betweenUsers('dm_blocks', ['user_id', 'target_id']),
  referring('likes', ['post_id', 'user_id'], to('post_id', POSTS), to('user_id', USERS)),
  // Bookmarks of deleted posts stay (docs/api/posts.md#deletion).
  referring('bookmarks', ['user_id', 'post_id'], to('user_id', USERS)),
  referring('bookmark_folders', ['id'], to('user_id', USERS)),
  referring('folder_bookmarks', ['folder_id', 'post_id'], to('folder_id', byId('bookmark_folders', 'id')), {
    columns: ['user_id', 'post_id'],
    targets: [{ table: 'bookmarks', columns: ['user_id', 'post_id'], key: [0, 1] }],
  }),
  referring('list_members', ['list_id', 'user_id'], to('list_id', LISTS), to('user_id', USERS)),
  referring('list_followers', ['list_id', 'user_id'], to('list_id', LISTS), to('user_id', USERS)),
  referring('pinned_lists', ['user_id', 'list_id'], to('list_id', LISTS), to('user_id', USERS)),
  referring(
    'community_members',
    ['community_id', 'user_id'],
    to('community_id', COMMUNITIES),
    to('user_id', USERS),
  ),
  referring('hidden_replies', ['conversation_id', 'post_id'], to('post_id', POSTS)),
  referring('pending_fan_outs', ['post_id'], to('post_id', POSTS)),
  referring('poll_votes', ['poll_id', 'user_id'], to('poll_id', byId('polls', 'id')), to('user_id', USERS)),
  referring('space_posts', ['space_id', 'post_id'], to('space_id', SPACES)),
  referring('space_buyers', ['space_id', 'user_id'], to('space_id', SPACES)),
  referring(
    'dm_participants',
    ['conversation_id', 'user_id'],
    to('conversation_id', byId('dm_conversations', 'id')),
  ),
  referring('dm_inbox', ['user_id', 'position'], {
    columns: ['conversation_id', 'event_id'],
    targets: [{ table: 'dm_events', columns: ['conversation_id', 'id'], key: [0, 1] }],
  }),
  referring('user_counts', ['user_id'], to('user_id', USERS)),
  referring('post_counts', ['post_id'], to('post_id', POSTS)),
  referring('list_counts', ['list_id'], to('list_id', LISTS)),
  referring('community_counts', ['community_id'], to('community_id', COMMUNITIES)),
  referring('home_timelines', ['user_id'], to('user_id', USERS)),
  referring('notification_reads', ['user_id'], to('user_id', USERS)),
  referring('media_owners', ['media_id', 'user_id'], { columns: ['media_id'], targets: [MEDIA, UPLOADS] }),
  referring('media_bytes', ['media_id'], { columns: ['media_id'], targets: [MEDIA, UPLOADS] }),
  referring('media_segments', ['media_id', 'segment_index'], to('media_id', UPLOADS)),
  referring('media_subtitles', ['media_id', 'language_code'], to('media_id', MEDIA)),
  referring('reports', ['id'], to('case_id', byId('report_cases', 'id'))),
];

/** The checks for rows that refer to something that is not stored any more. */
export const STRAY_PARTS: readonly Part[] = TABLES.map((each) => ({
  kind: 'strays',
  of: each.table,
  look: (db) => look(db, each),
}));

async function* look(db: Queryable, each: Referring): AsyncGenerator<Look> {
  const source = sourceOf(each);
  for await (const rows of pagesOf(db, source)) {
    const strays = new Set<Values>();
    for (const reference of each.references)
      for (const row of await straysAmong(db, source, reference, rows)) strays.add(row);
    const suspects = [...strays].map((row) => ({
      name: nameOf(source, source.key, row),
      settle: (tx: Tx, mends: boolean) => settle(tx, each, row, mends),
    }));
    yield { checked: rows.length, suspects };
  }
}

/** Returns the table with its key and all columns that refer. */
function sourceOf({ table, key, references }: Referring): Source {
  const columns = [...new Set([...key, ...references.flatMap((each) => each.columns)])];
  return { table, columns, key: key.map((column) => columns.indexOf(column)) };
}

async function straysAmong(
  db: Queryable,
  source: Source,
  { columns, targets }: Reference,
  rows: readonly Values[],
): Promise<Values[]> {
  let left = [...rows];
  const named = (row: Values): Values => columns.map((column) => row[source.columns.indexOf(column)] ?? null);
  for (const target of targets) {
    const found = await findRows(db, target, left.map(named));
    left = left.filter((row) => !found.has(textOf(named(row))));
  }
  return left;
}

async function settle(tx: Tx, each: Referring, row: Values, mends: boolean): Promise<Difference | undefined> {
  const source = sourceOf(each);
  const key = keyOf(source, row);
  const stored = await findRow(tx, source, key);
  if (!stored) return undefined;
  for (const reference of each.references) {
    if ((await straysAmong(tx, source, reference, [stored])).length === 0) continue;
    if (mends) await deleteRow(tx, source, key);
    return { what: `refers to nothing in ${reference.targets.map(({ table }) => table).join(' or ')}` };
  }
  return undefined;
}
