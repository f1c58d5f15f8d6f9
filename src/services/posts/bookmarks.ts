import type { UserPrincipal } from '../../core/access.js';
import type { EdgeId, PostId, UserId } from '../../core/ids.js';
import { EVERY_KEY, type Page, type PageRequest } from '../../core/page.js';
import type { IdSource } from '../../core/snowflake.js';
import { deleteBookmark, findBookmarkKey, insertBookmark, listBookmarks } from '../../stores/bookmarks.js';
import type { Engine, Tx } from '../../database/engine.js';
import { decrementPostCount, incrementPostCount } from '../../stores/posts.js';
import { lockUsers } from '../../stores/user-locks.js';
import { originalId, requirePostTarget } from './post-target.js';

/** The number of bookmarks that listing can reach (docs/api/limits.md#sizes). */
const MAX_REACHABLE = 800;

/** Bookmarks (docs/api/timelines.md#likes-and-bookmarks). Each change is one transaction. */
export interface BookmarkService {
  /**
   * Adds a bookmark. Idempotent: keeps an existing one. Throws 'resource-not-found' for an unknown post and
   * 'forbidden' for one that the user may not see.
   */
  add(principal: UserPrincipal, postId: PostId): Promise<void>;
  /** Removes a bookmark. Idempotent. */
  remove(principal: UserPrincipal, postId: PostId): Promise<void>;
  /**
   * Lists the newest 800 bookmarks of the user, without visibility filtering. The first page fixes the limit;
   * bookmarks of deleted posts do not count towards it.
   */
  list(userId: UserId, request: PageRequest): Promise<Page<PostId>>;
}

export function createBookmarkService({
  engine,
  ids,
}: {
  readonly engine: Engine;
  readonly ids: IdSource;
}): BookmarkService {
  return {
    add: ({ userId }, id) => engine.tx('bookmark', (tx) => add(tx, ids, userId, id), 'read-committed'),
    remove: ({ userId }, id) =>
      engine.tx('remove bookmark', (tx) => remove(tx, userId, id), 'read-committed'),
    list: async (userId, request) => {
      const oldest = request.cursor
        ? request.cursor.extra[0]
        : await findBookmarkKey(engine, userId, MAX_REACHABLE);
      if (oldest === undefined) return listBookmarks(engine, userId, request);
      const window = { ...EVERY_KEY, above: oldest - 1n };
      return listBookmarks(engine, userId, request, { window, extra: [oldest] });
    },
  };
}

async function add(tx: Tx, ids: IdSource, userId: UserId, id: PostId): Promise<void> {
  const { id: postId } = await requirePostTarget(tx, userId, id);
  const isNew = await insertBookmark(tx, userId, postId, ids.next<EdgeId>());
  if (isNew) await incrementPostCount(tx, postId, 'bookmarks');
}

/**
 * Safe under read-committed: only the transaction that deletes the row updates the count. The lock serializes changes
 * by one user.
 */
async function remove(tx: Tx, userId: UserId, id: PostId): Promise<void> {
  await lockUsers(tx, [userId]);
  const postId = await originalId(tx, id);
  if (await deleteBookmark(tx, userId, postId)) await decrementPostCount(tx, postId, 'bookmarks');
}
