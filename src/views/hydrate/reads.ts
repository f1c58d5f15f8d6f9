import { defaultPictureUrl } from '../../core/default-picture.js';
import type { PostId, UserId } from '../../core/ids.js';
import { NO_POST_COUNTS, type Post, type PostCounts } from '../../core/post.js';
import type { User, UserCounts } from '../../core/user.js';
import type { AccountState } from '../../core/visibility.js';
import type { Engine, Queryable } from '../../database/engine.js';
import { findPostCounts, findPosts, POST_COUNT_TABLES, POST_TABLES } from '../../stores/posts.js';
import type { RelationCache } from '../../stores/relation-cache.js';
import { byKey, RowCache } from '../../database/row-cache.js';
import type { Relations } from '../../stores/user-edges.js';
import {
  findAccountStates,
  findUserCounts,
  findUsers,
  USER_COUNT_TABLES,
  USER_TABLES,
} from '../../stores/users.js';

/** The data sources of views: the database, and cached data that most views need. Callers own the returned maps. */
export interface ViewReads {
  /** For reads only. */
  readonly db: Queryable;
  findPosts(ids: readonly PostId[]): Promise<Map<PostId, Post>>;
  /** Returns counts for every id; zeros if nothing was counted. */
  findPostCounts(ids: readonly PostId[]): Promise<ReadonlyMap<PostId, PostCounts>>;
  findAccountStates(ids: readonly UserId[]): Promise<Map<UserId, AccountState>>;
  findUserCounts(ids: readonly UserId[]): Promise<ReadonlyMap<UserId, UserCounts>>;
  /** Returns users, each with a picture, by default a generated one. */
  findUsers(ids: readonly UserId[]): Promise<Map<UserId, User>>;
  /** Returns a user's relations to the others; the sets may contain more ids than requested. */
  findRelations(userId: UserId, others: readonly UserId[]): Promise<Relations>;
}

/** About 2 KiB per post. */
const MAX_POSTS = 32_768;
const MAX_COUNTS = 65_536;
const MAX_ACCOUNTS = 65_536;
const MAX_USERS = 16_384;

/** Creates the data sources. `publicUrl` is the public URL of the server. */
export function createViewReads(engine: Engine, relations: RelationCache, publicUrl: string): ViewReads {
  const posts = new RowCache<PostId, Post>(engine, POST_TABLES, MAX_POSTS, byKey);
  const accounts = new RowCache<UserId, AccountState>(engine, USER_TABLES, MAX_ACCOUNTS, byKey);
  const users = new RowCache<UserId, User>(engine, USER_TABLES, MAX_USERS, byKey);
  const userCounts = new RowCache<UserId, UserCounts>(engine, USER_COUNT_TABLES, MAX_USERS, byKey);
  const counts = new RowCache<PostId, PostCounts>(engine, POST_COUNT_TABLES, MAX_COUNTS, byKey);
  return {
    db: engine,
    findPosts: (ids) => posts.readAll(ids, (missing) => findPosts(engine, missing)),
    findPostCounts: (ids) => counts.readAll(ids, (missing) => completeCounts(engine, missing)),
    findAccountStates: (ids) => accounts.readAll(ids, (missing) => findAccountStates(engine, missing)),
    findUserCounts: (ids) => userCounts.readAll(ids, (missing) => findUserCounts(engine, missing)),
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
