import type { Media, Place, Poll, Post, PostCounts } from '../../core/post.js';
import type { User } from '../../core/user.js';

/** A visible post as pages show it, with its related data. */
export interface PostCard {
  /** Never a repost whose original is stored. */
  readonly post: Post;
  /** Undefined for imported posts whose author is not stored. */
  readonly author: User | undefined;
  readonly counts: PostCounts;
  readonly media: readonly Media[];
  readonly poll?: Poll;
  readonly place?: Place;
  /** The quoted post; `unavailable` if it is missing or not visible to the viewer. */
  readonly quoted?: PostCard | 'unavailable';
  /** The reposting user, if the card represents a repost. */
  readonly repostedBy?: User;
  /** Existing accounts mentioned in the text, by id. */
  readonly mentioned: ReadonlyMap<string, User>;
}
