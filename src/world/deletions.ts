import type { PostId, UserId } from '../core/ids.js';
import type { Post } from '../core/post.js';
import { timeOfId } from '../core/snowflake.js';
import * as v from '../core/validators.js';
import { removeUncounted } from '../stores/account-removal.js';
import { insertDeletedUser } from '../stores/deleted-users.js';
import { insertDeletedPost } from '../stores/deleted-posts.js';
import { deletePostCounts } from '../stores/posts.js';
import { findUsers } from '../stores/users.js';
import type { WorldFaults } from './faults.js';
import { referencesIn } from './known.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { idOf, listOf, objectOf, valuesOf } from './readers.js';
import { versionsOf, type WorldPost } from './post-entry.js';
import { anyUser, type WorldUser } from './users.js';
import { worldTime } from './world-time.js';

/** As many ancestors of a reply can limit replies. */
const MAX_LIMITS = 50;

const deletedUser = objectOf({
  id: v.required(idOf<UserId>()),
  created_at: worldTime,
  deleted_at: worldTime,
});
export const readDeletedUsers = listOf(deletedUser);

const deletedPost = objectOf({
  id: v.required(idOf<PostId>()),
  author: v.required(anyUser),
  created_at: worldTime,
  deleted_at: worldTime,
  conversation: idOf<PostId>(),
  reply_limited_by: valuesOf(idOf<PostId>(), { max: MAX_LIMITS }),
});
export const readDeletedPosts = listOf(deletedPost);
type WorldDeletedPost = v.ValueOf<typeof deletedPost>;

/** The sections of what was deleted. */
interface Deletions {
  readonly deleted_posts: readonly WorldDeletedPost[];
  readonly deleted_users: readonly v.ValueOf<typeof deletedUser>[];
}

/** The sections that declare what exists. */
interface Present {
  readonly users: readonly WorldUser[];
  readonly posts: readonly WorldPost[];
}

/** Checks that nothing is deleted and declared, and that authors exist or were deleted. */
export async function checkDeletions(
  { deleted_posts: posts, deleted_users: users, ...world }: Deletions & Present,
  { known, faults }: Check,
): Promise<void> {
  requireUnique(users, 'id', ({ id }) => id, faults);
  requireUnique(posts, 'id', ({ id }) => id, faults);
  requireAbsent(users, world.users, faults);
  requireAbsent(posts, versionsOf(world.posts), faults);
  await known.requireUsers(referencesIn(posts, 'author'), faults);
  await known.lookups.posts.load(posts.map(({ id }) => id));
  for (const { id, deleted_at: deletedAt } of posts) known.deletedPosts.set(id, deletedAt);
}

interface Identified {
  readonly id: bigint;
  readonly path: string;
}

function requireAbsent(
  deleted: readonly Identified[],
  present: readonly Identified[],
  faults: WorldFaults,
): void {
  const paths = new Map(present.map(({ id, path }) => [id, path]));
  for (const { id, path } of deleted) {
    const other = paths.get(id);
    if (other !== undefined) faults.add(`${path}.id`, `stands at ${other}.id already, not deleted`);
  }
}

/** Records the deleted users and posts that the database does not have. */
export async function storeDeletions(
  { deleted_posts: posts, deleted_users: users }: Deletions,
  load: Load,
): Promise<void> {
  const { tx, nowMs, known } = load;
  for (const { id, created_at: createdAt, deleted_at: deletedAt } of users) {
    const createdAtMs = createdAt?.at(nowMs) ?? timeOfId(id) ?? nowMs;
    if (await insertDeletedUser(tx, { id, createdAtMs }, deletedAt?.at(nowMs) ?? nowMs))
      load.added('deleted_users');
  }
  for (const entry of posts) {
    if (known.isStoredPost(entry.id)) continue;
    const post = asDeleted(entry, load);
    if (await insertDeletedPost(tx, post, entry.deleted_at?.at(nowMs) ?? nowMs)) load.added('deleted_posts');
    load.formerUsers.add(post.authorId);
  }
}

/** Runs `store` while replies and quotes find the deleted posts that they refer to. */
export async function withDeletedPosts(
  entries: readonly WorldDeletedPost[],
  load: Load,
  store: () => Promise<void>,
): Promise<void> {
  const { tx, known } = load;
  const missing = entries.filter(({ id }) => !known.isStoredPost(id));
  for (const entry of missing) known.lookups.posts.set(entry.id, asDeleted(entry, load));
  await store();
  for (const { id } of missing) {
    known.lookups.posts.set(id, undefined);
    await deletePostCounts(tx, id);
  }
}

/** Returns what replies to a deleted post and quotes of it take from it. */
function asDeleted(entry: WorldDeletedPost, { known, nowMs }: Load): Post {
  const { id, conversation = id, reply_limited_by: limits } = entry;
  return {
    id,
    authorId: known.userId(entry.author),
    createdAtMs: entry.created_at?.at(nowMs) ?? timeOfId(id) ?? nowMs,
    conversationId: conversation,
    text: '',
    lang: 'und',
    replySettings: 'everyone',
    superFollowersOnly: false,
    possiblySensitive: false,
    nullcast: false,
    detail: { replyLimitedBy: limits?.map(String) },
  };
}

/** Removes what this load gave to users who were deleted: mentions and notifications. */
export async function removeFormerUsers({ tx, formerUsers }: Load): Promise<void> {
  const ids = [...formerUsers];
  const present = await findUsers(tx, ids);
  for (const id of ids) if (!present.has(id)) await removeUncounted(tx, id);
}
