import type { PostId, UserId } from '../../core/ids.js';
import type { Post } from '../../core/post.js';
import type { User } from '../../core/user.js';
import type { AccountState } from '../../core/visibility.js';
import type { Engine, Queryable } from '../../storage/engine.js';
import { findPosts } from '../../storage/posts.js';
import { RowCache } from '../../storage/row-cache.js';
import { findAccountStates, findUsers } from '../../storage/users.js';

/**
 * What views read with: the database, and what nearly every view needs from memory as long as it is true. The maps are
 * the caller's own.
 */
export interface ViewReads {
  /** For reading only. */
  readonly db: Queryable;
  findPosts(ids: readonly PostId[]): Promise<Map<PostId, Post>>;
  findAccountStates(ids: readonly UserId[]): Promise<Map<UserId, AccountState>>;
  findUsers(ids: readonly UserId[]): Promise<Map<UserId, User>>;
}

/** Some 2 KiB each. */
const MAX_POSTS = 4096;
const MAX_ACCOUNTS = 16_384;
const MAX_USERS = 4096;

export function createViewReads(engine: Engine): ViewReads {
  const posts = new RowCache<PostId, Post>(engine, ['posts'], MAX_POSTS);
  const accounts = new RowCache<UserId, AccountState>(engine, ['users'], MAX_ACCOUNTS);
  const users = new RowCache<UserId, User>(engine, ['users'], MAX_USERS);
  return {
    db: engine,
    findPosts: (ids) => posts.readAll(ids, (missing) => findPosts(engine, missing)),
    findAccountStates: (ids) => accounts.readAll(ids, (missing) => findAccountStates(engine, missing)),
    findUsers: (ids) => users.readAll(ids, (missing) => findUsers(engine, missing)),
  };
}
