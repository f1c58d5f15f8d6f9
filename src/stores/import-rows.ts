import type { PostId, UserId } from '../core/ids.js';
import type { Post, PostHead } from '../core/post.js';
import { asText } from '../database/sql.js';
import type { Tx } from '../database/engine.js';
import { defineTable, insertRows } from '../database/table.js';
import { POST_COLUMNS, userPostsWriter } from './posts.js';

/** Bulk inserts for imports. Rows go into each table by ascending key, the cheapest way to grow it. */

/** A post whose `detail` is already serialized. */
export interface PackedPost extends PostHead {
  readonly detailJson: string;
}

/** The fields of a post that its list entries depend on. */
export type ListedPost = Omit<Post, 'detail'>;

const PACKED_POSTS = defineTable<ListedPost & Pick<PackedPost, 'detailJson'>, PostId>('posts', 'id', {
  ...POST_COLUMNS,
  detailJson: ['detail', asText],
});

/** Stores only the rows of posts. The ids must be free, and `listPosts` must follow in the same transaction. */
export async function insertPostRows(tx: Tx, posts: readonly PackedPost[]): Promise<void> {
  await PACKED_POSTS.insertAll(
    tx,
    posts.toSorted((one, other) => byId(one.id, other.id)),
  );
}

const addUserPosts = userPostsWriter(
  `ON CONFLICT (user_id, post_id) DO UPDATE SET created_at = excluded.created_at,
    is_reply = excluded.is_reply, is_repost = excluded.is_repost`,
);

/** Adds posts to their authors' lists or updates the entries there. */
export function insertUserPosts(tx: Tx, posts: readonly ListedPost[]): Promise<void> {
  const sorted = posts.toSorted((one, other) => byId(one.authorId, other.authorId) || byId(one.id, other.id));
  return addUserPosts(tx, sorted);
}

const addMentions = insertRows(
  'INSERT INTO mentions (user_id, post_id, created_at)',
  3,
  'ON CONFLICT DO NOTHING',
);

/** A user mentioned in a post. */
export interface Mention {
  readonly userId: UserId;
  readonly post: Pick<Post, 'id' | 'createdAtMs'>;
}

/** Adds posts to the mention lists of users. Existing entries stay unchanged. */
export async function insertMentions(tx: Tx, mentions: readonly Mention[]): Promise<void> {
  const rows = mentions.toSorted(
    (one, other) => byId(one.userId, other.userId) || byId(one.post.id, other.post.id),
  );
  await addMentions(
    tx,
    rows.map(({ userId, post }) => [userId, post.id, post.createdAtMs]),
  );
}

const addReposts = insertRows(
  'INSERT INTO reposts (post_id, user_id, repost_id)',
  3,
  'ON CONFLICT DO NOTHING',
);
const addQuotes = insertRows('INSERT INTO quotes (post_id, quote_id)', 2, 'ON CONFLICT DO NOTHING');
const addReplies = insertRows('INSERT INTO replies (post_id, reply_id)', 2, 'ON CONFLICT DO NOTHING');

/** Adds reposts, quotes and replies to the lists of the posts that they refer to. */
export async function insertReferences(tx: Tx, posts: readonly ListedPost[]): Promise<void> {
  const reposts: [PostId, UserId, PostId][] = [];
  const quotes: [PostId, PostId][] = [];
  const replies: [PostId, PostId][] = [];
  for (const { id, authorId, repostedPostId, quotedPostId, inReplyToPostId } of posts) {
    if (repostedPostId !== undefined) reposts.push([repostedPostId, authorId, id]);
    if (quotedPostId !== undefined) quotes.push([quotedPostId, id]);
    if (inReplyToPostId !== undefined) replies.push([inReplyToPostId, id]);
  }
  await addReposts(tx, reposts);
  await addQuotes(tx, quotes);
  await addReplies(
    tx,
    replies.toSorted(([one, oneId], [other, otherId]) => byId(one, other) || byId(oneId, otherId)),
  );
}

export type ImportedKind = 'post' | 'user' | 'media' | 'poll';

/** The observation from which an object was stored. */
export interface ImportedObject {
  /** When it was fetched; 0 if the file did not say. */
  readonly observedAtMs: number;
  /** False if most of its fields were missing. */
  readonly isFull: boolean;
}

const putObjects = insertRows(
  'INSERT INTO imported_objects (id, kind, observed_at, is_full)',
  4,
  'ON CONFLICT (id, kind) DO UPDATE SET observed_at = excluded.observed_at, is_full = excluded.is_full',
);

/** Records by id the observations from which objects were stored. */
export async function putImportedObjects(
  tx: Tx,
  kind: ImportedKind,
  objects: ReadonlyMap<bigint, ImportedObject>,
): Promise<void> {
  const rows = [...objects].sort(([one], [other]) => byId(one, other));
  await putObjects(
    tx,
    rows.map(([id, { observedAtMs, isFull }]) => [id, kind, observedAtMs, isFull]),
  );
}

function byId(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
