import type { PostId } from '../../core/ids.js';
import { isReply, type Post } from '../../core/post.js';
import type { Queryable, Tx } from '../../database/engine.js';
import { asId, type SqlValue } from '../../database/sql.js';
import type { Difference, Look, Part } from '../../stores/checks/part.js';
import {
  deleteRow,
  findRow,
  findRows,
  insertRow,
  keyOf,
  nameOf,
  pagesOf,
  textOf,
  type Source,
  type Values,
} from '../../stores/checks/rows.js';
import { findPost, findPosts, pagePosts } from '../../stores/posts.js';
import { findUsers } from '../../stores/users.js';
import { mentionedUsers } from '../posts/delete-post.js';

/** A post, with the original that is stored if it is a repost. */
interface Listed {
  readonly post: Post;
  readonly original?: Post;
}

/** A table that lists posts for those who look for them from elsewhere. */
interface PostList extends Source {
  /** The place of the column with the post. */
  readonly post: number;
  /** Returns the rows of a post. */
  rowsOf(listed: Listed): readonly Values[];
  /** Reports whether a row may be there although `rowsOf` does not return it. */
  allows?(listed: Listed): boolean;
}

const LISTS: readonly PostList[] = [
  {
    table: 'user_posts',
    columns: ['user_id', 'post_id', 'created_at', 'is_reply', 'is_repost'],
    key: [0, 1],
    post: 1,
    rowsOf: ({ post }) => [
      [post.authorId, post.id, post.createdAtMs, bit(isReply(post)), bit(post.repostedPostId !== undefined)],
    ],
  },
  {
    table: 'replies',
    columns: ['post_id', 'reply_id'],
    key: [0, 1],
    post: 1,
    rowsOf: ({ post: { id, inReplyToPostId } }) => rowIf(inReplyToPostId, id),
    allows: isSuperseded,
  },
  {
    table: 'quotes',
    columns: ['post_id', 'quote_id'],
    key: [0, 1],
    post: 1,
    // Reposts of quotes are listed with the quotes.
    rowsOf: ({ post, original }) => rowIf((original ?? post).quotedPostId, post.id),
    allows: isSuperseded,
  },
  {
    table: 'reposts',
    columns: ['post_id', 'user_id', 'repost_id'],
    key: [0, 1],
    post: 2,
    rowsOf: ({ post: { id, authorId, repostedPostId } }) => rowIf(repostedPostId, authorId, id),
    allows: isSuperseded,
  },
  {
    table: 'mentions',
    columns: ['user_id', 'post_id', 'created_at'],
    key: [0, 1],
    post: 1,
    rowsOf: ({ post }) => mentionsIn(post),
    allows: () => true,
  },
];

function bit(is: boolean): number {
  return is ? 1 : 0;
}

function rowIf(target: PostId | undefined, ...more: readonly SqlValue[]): Values[] {
  return target === undefined ? [] : [[target, ...more]];
}

/** The mentions of a repost are those of its original, and an edited post has those of its newest version. */
function mentionsIn(post: Post): Values[] {
  if (post.repostedPostId !== undefined || post.detail.firstVersion) return [];
  const others = new Set(mentionedUsers(post).filter((id) => id !== post.authorId));
  return [...others].map((id) => [id, post.id, post.createdAtMs]);
}

/** Reports whether lists show another version: the first of those edited here, the newest of imported ones. */
function isSuperseded({ post: { id, detail } }: Listed): boolean {
  const listed = detail.firstVersion?.id ?? detail.editHistory?.at(-1);
  return listed !== undefined && listed !== String(id);
}

/** Reports whether archives tell the versions of a post: those of different times contradict each other. */
export function hasArchivedVersions({ detail: { firstVersion, editHistory = [] } }: Post): boolean {
  return firstVersion === undefined && editHistory.length > 1;
}

function mustBeListed(listed: Listed): boolean {
  return !isSuperseded(listed) && !hasArchivedVersions(listed.post);
}

/** The checks of the lists of posts. */
export const POST_LIST_PARTS: readonly Part[] = LISTS.map((each) => ({
  kind: 'lists',
  of: each.table,
  look: (db) => look(db, each),
}));

const CHUNK = 1_000;

async function* look(db: Queryable, list: PostList): AsyncGenerator<Look> {
  let after: PostId | undefined = -1n as PostId;
  while (after !== undefined) {
    const posts: Post[] = await pagePosts(db, after, CHUNK);
    yield { checked: 0, suspects: await missing(db, list, posts) };
    after = posts.length < CHUNK ? undefined : posts.at(-1)?.id;
  }
  for await (const rows of pagesOf(db, list))
    yield { checked: rows.length, suspects: await superfluous(db, list, rows) };
}

async function listedOf(db: Queryable, posts: readonly Post[]): Promise<Listed[]> {
  const originals = await findPosts(
    db,
    posts.flatMap(({ repostedPostId }) => repostedPostId ?? []),
  );
  return posts.map((post) => ({
    post,
    original: post.repostedPostId === undefined ? undefined : originals.get(post.repostedPostId),
  }));
}

/** Returns the rows of posts that are not stored, or not so. */
async function missing(db: Queryable, list: PostList, posts: readonly Post[]): Promise<Look['suspects']> {
  const shown = (await listedOf(db, posts)).filter(mustBeListed);
  const wanted = shown.flatMap((each) => list.rowsOf(each).map((row) => ({ row, id: each.post.id })));
  const rows = wanted.map(({ row }) => keyOf(list, row));
  const found = await findRows(db, list, rows);
  return wanted
    .filter(({ row }) => !isSame(list, row, found.get(textOf(keyOf(list, row)))))
    .map(({ row, id }) => ({
      name: nameOf(list, list.key, row),
      settle: (tx, mends) => settleMissing(tx, list, id, row, mends),
    }));
}

/** Of two reposts of a post by the same user, which archives may have, one is listed. */
function isSame({ table }: PostList, row: Values, found: Values | undefined): boolean {
  return found !== undefined && (table === 'reposts' || textOf(found) === textOf(row));
}

async function settleMissing(
  tx: Tx,
  list: PostList,
  id: PostId,
  row: Values,
  mends: boolean,
): Promise<Difference | undefined> {
  const post = await findPost(tx, id);
  const [listed] = post ? await listedOf(tx, [post]) : [];
  const key = keyOf(list, row);
  const wanted = listed && list.rowsOf(listed).find((each) => textOf(keyOf(list, each)) === textOf(key));
  if (!listed || !mustBeListed(listed) || !wanted) return undefined;
  const found = await findRow(tx, list, key);
  if (isSame(list, wanted, found)) return undefined;
  // Posts name users who were deleted since.
  if (list.table === 'mentions' && (await findUsers(tx, [asId(wanted[0])])).size === 0) return undefined;
  if (mends && found) await deleteRow(tx, list, key);
  if (mends) await insertRow(tx, list, wanted);
  return { what: found ? 'is not as in posts' : 'is missing' };
}

/** Returns the rows that no stored post has. */
async function superfluous(
  db: Queryable,
  list: PostList,
  rows: readonly Values[],
): Promise<Look['suspects']> {
  const posts = await findPosts(
    db,
    rows.map((row) => asId<PostId>(row[list.post])),
  );
  const listed = new Map((await listedOf(db, [...posts.values()])).map((each) => [each.post.id, each]));
  return rows
    .filter((row) => !belongs(list, row, listed.get(asId(row[list.post]))))
    .map((row) => ({
      name: nameOf(list, list.key, row),
      settle: (tx, mends) => settleSuperfluous(tx, list, row, mends),
    }));
}

function belongs(list: PostList, row: Values, listed: Listed | undefined): boolean {
  if (!listed) return false;
  const key = textOf(keyOf(list, row));
  const isOwn = list.rowsOf(listed).some((each) => textOf(keyOf(list, each)) === key);
  if (list.allows?.(listed)) return true;
  return isOwn && !isSuperseded(listed);
}

async function settleSuperfluous(
  tx: Tx,
  list: PostList,
  row: Values,
  mends: boolean,
): Promise<Difference | undefined> {
  const found = await findRow(tx, list, keyOf(list, row));
  const post = found && (await findPost(tx, asId(found[list.post])));
  const [listed] = post ? await listedOf(tx, [post]) : [];
  if (!found || belongs(list, found, listed)) return undefined;
  if (mends) await deleteRow(tx, list, keyOf(list, row));
  return { what: listed ? 'is not as in posts' : 'is of no stored post' };
}
