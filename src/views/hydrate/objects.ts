import type { BookmarkFolderId, ListId, PollId, PostId, UserId } from '../../core/ids.js';
import type { List, ListCounts } from '../../core/list.js';
import type { Space, SpaceId } from '../../core/space.js';
import { activityVisibility, isListVisible, type Visibility } from '../../core/visibility.js';
import { findFoldersOfPosts } from '../../stores/bookmark-folders.js';
import { bookmarkedAmong } from '../../stores/bookmarks.js';
import { findLikedCounts, likedAmong } from '../../stores/likes.js';
import type { Queryable } from '../../database/engine.js';
import { findListCounts, findLists } from '../../stores/lists.js';
import { findVotes } from '../../stores/poll-votes.js';
import { repostedAmong } from '../../stores/post-links.js';
import { countSpaceBuyers, findSpaces } from '../../stores/spaces.js';
import { PostSet } from './posts.js';

/** Objects of all kinds by id, with the data that visibility rules and presenters need. */
export class ObjectSet extends PostSet {
  /** Returns whether the viewer may see the activity of a user; undefined for users who are not stored. */
  activityOf(id: UserId): Visibility | undefined {
    const account = this.stateOf(id);
    return account && activityVisibility(this.viewer, id, account);
  }

  /** Returns undefined also for a List that the viewer may not see, whose existence is not disclosed. */
  findList(id: ListId): List | undefined {
    const list = this.lookup(findLists).find(id);
    return list && isListVisible(this.viewerId, list, this.users.find(list.ownerId)) ? list : undefined;
  }

  /** Returns the number of posts that a user likes. */
  likesOf(id: UserId): number {
    return this.lookup(findLikedCounts).find(id) ?? 0;
  }

  /** Reports whether the viewer likes a post. */
  isLiked(id: PostId): boolean {
    return this.lookup(this.loadLiked).find(id) ?? false;
  }

  /** Reports whether the viewer reposted a post. */
  isReposted(id: PostId): boolean {
    return this.lookup(this.loadReposted).find(id) ?? false;
  }

  /** Reports whether the viewer bookmarked a post. */
  isBookmarked(id: PostId): boolean {
    return this.lookup(this.loadBookmarked).find(id) ?? false;
  }

  /** Returns the folder of the viewer with a bookmarked post: of several, the one that it was put into last. */
  bookmarkFolderOf(id: PostId): BookmarkFolderId | undefined {
    return this.lookup(this.loadFolders).find(id);
  }

  /** Returns the option that the viewer chose in a poll, counted from 1. */
  voteIn(id: PollId): number | undefined {
    return this.lookup(this.loadVotes).find(id);
  }

  private readonly loadBookmarked = this.loadActs(bookmarkedAmong);
  private readonly loadFolders = this.ofViewer(findFoldersOfPosts);
  private readonly loadVotes = this.ofViewer(findVotes);
  private readonly loadLiked = this.loadActs(likedAmong);
  private readonly loadReposted = this.loadActs(repostedAmong);

  /** Returns the reader of what the viewer did with posts; its identity names the lookup. */
  private loadActs(among: typeof likedAmong) {
    return async (db: Queryable, ids: readonly PostId[]): Promise<Map<PostId, true>> => {
      const { viewerId } = this;
      const acted = viewerId === undefined ? [] : await among(db, viewerId, ids);
      return new Map([...acted].map((id) => [id, true]));
    };
  }

  /** Returns the reader of values that belong to the viewer. */
  private ofViewer<K, V>(find: (db: Queryable, viewerId: UserId, keys: readonly K[]) => Promise<Map<K, V>>) {
    return async (db: Queryable, keys: readonly K[]): Promise<Map<K, V>> =>
      this.viewerId === undefined ? new Map() : find(db, this.viewerId, keys);
  }

  countsOfList(id: ListId): ListCounts | undefined {
    return this.lookup(findListCounts).find(id);
  }

  /** Returns the stored Space regardless of visibility, which is that of its creator's activity. */
  findSpace(id: SpaceId): Space | undefined {
    return this.lookup(findSpaces).find(id);
  }

  /**
   * Returns the ticket count of the viewer's own Space; undefined for Spaces of others (docs/api/objects.md#space).
   */
  subscribersOf({ id, creatorId }: Space): number | undefined {
    return creatorId === this.viewerId ? (this.lookup(countSpaceBuyers).find(id) ?? 0) : undefined;
  }
}
