import { defaultPictureUrl } from '../../core/default-picture.js';
import type { PostId, UserId } from '../../core/ids.js';
import { NO_POST_COUNTS, type Post, type PostCounts } from '../../core/post.js';
import type { User } from '../../core/user.js';
import type { AccountState } from '../../core/visibility.js';
import type { Engine, Queryable } from '../../database/engine.js';
import { findPostCounts, findPosts, POST_COUNT_TABLES, POST_TABLES } from '../../stores/posts.js';
import { RelationCache } from '../../stores/relation-cache.js';
import { RowCache } from '../../database/row-cache.js';
import type { Relations } from '../../stores/user-edges.js';
import { findAccountStates, findUsers, USER_TABLES } from '../../stores/users.js';

/**
 * What views read with: the database, and what nearly every view needs from memory as long as it is true. The maps are
 * the caller's own.
 */
export interface ViewReads {
  /** For reading only. */
  readonly db: Queryable;
  findPosts(ids: readonly PostId[]): Promise<Map<PostId, Post>>;
  /** Of every id: zeros for what nothing was counted of. */
  findPostCounts(ids: readonly PostId[]): Promise<ReadonlyMap<PostId, PostCounts>>;
  findAccountStates(ids: readonly UserId[]): Promise<Map<UserId, AccountState>>;
  /** Each with a picture: a default one where the user has none. */
  findUsers(ids: readonly UserId[]): Promise<Map<UserId, User>>;
  /** How a user stands to others, each of them named once; the sets may have more than was asked for. */
  findRelations(userId: UserId, others: readonly UserId[]): Promise<Relations>;
}

/** Some 2 KiB each; what is counted of posts is asked for with them, so as many of these are kept. */
const MAX_POSTS = 4096;
const MAX_ACCOUNTS = 16_384;
const MAX_USERS = 4096;

/** `publicUrl` is where clients reach the server. */
export function createViewReads(engine: Engine, publicUrl: string): ViewReads {
  const posts = new RowCache<PostId, Post>(engine, POST_TABLES, MAX_POSTS);
  const accounts = new RowCache<UserId, AccountState>(engine, USER_TABLES, MAX_ACCOUNTS);
  const users = new RowCache<UserId, User>(engine, USER_TABLES, MAX_USERS);
  const counts = new RowCache<PostId, PostCounts>(engine, POST_COUNT_TABLES, MAX_POSTS);
  const relations = new RelationCache(engine);
  return {
    db: engine,
    findPosts: (ids) => posts.readAll(ids, (missing) => findPosts(engine, missing)),
    findPostCounts: (ids) => counts.readAll(ids, (missing) => completeCounts(engine, missing)),
    findAccountStates: (ids) => accounts.readAll(ids, (missing) => findAccountStates(engine, missing)),
    findUsers: (ids) =>
      users.readAll(ids, async (missing) => withPictures(await findUsers(engine, missing), publicUrl)),
    findRelations: (userId, others) => relations.read(userId, others),
  };
}

function withPictures(users: Map<UserId, User>, publicUrl: string): Map<UserId, User> {
  for (const [id, user] of users) {
    if (user.profileImageUrl === undefined)
      users.set(id, { ...user, profileImageUrl: defaultPictureUrl(publicUrl, user) });
  }
  return users;
}

async function completeCounts(db: Queryable, ids: readonly PostId[]): Promise<Map<PostId, PostCounts>> {
  const counts = await findPostCounts(db, ids);
  for (const id of ids) if (!counts.has(id)) counts.set(id, NO_POST_COUNTS);
  return counts;
}
