import type { ListId, UserId } from '../../core/ids.js';
import type { List, ListCounts } from '../../core/list.js';
import type { Space, SpaceId } from '../../core/space.js';
import { activityVisibility, isListVisible, type Visibility } from '../../core/visibility.js';
import { findLikedCounts } from '../../stores/likes.js';
import { findListCounts, findLists } from '../../stores/lists.js';
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
    return list && isListVisible(this.viewerId, list, this.accounts.find(list.ownerId)) ? list : undefined;
  }

  /** Returns the number of posts that a user likes. */
  likesOf(id: UserId): number {
    return this.lookup(findLikedCounts).find(id) ?? 0;
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
