import type { MediaId, PostId, UserId } from '../../core/ids.js';
import type { Media, Place, Poll, Post, PostCounts } from '../../core/post.js';
import type { User } from '../../core/user.js';

/** A post as pages show it, with all that belongs to it. The viewer may see it. */
export interface PostCard {
  /** Never a repost whose original is stored. */
  readonly post: Post;
  /** Undefined for imported posts whose author is not stored. */
  readonly author: User | undefined;
  readonly counts: PostCounts;
  readonly media: readonly Media[];
  readonly poll?: Poll;
  readonly place?: Place;
  /** The quoted post; `unavailable` when it is missing, or not for the viewer. */
  readonly quoted?: PostCard | 'unavailable';
  /** Who reposted it, where the card stands for a repost. */
  readonly repostedBy?: User;
  /** Accounts that the text mentions and that are there, by id. */
  readonly mentioned: ReadonlyMap<string, User>;
}

/** What cards are put together from: everything loaded, by id. */
export interface CardParts {
  readonly users: ReadonlyMap<UserId, User>;
  readonly media: ReadonlyMap<MediaId, Media>;
  readonly polls: ReadonlyMap<bigint, Poll>;
  readonly places: ReadonlyMap<string, Place>;
  countsOf(id: PostId): PostCounts;
  /** The quoted post when the viewer may see it. */
  findVisible(id: PostId): Post | undefined;
}
