import { memoized } from '../core/memoized.js';
import type { PostId } from '../core/ids.js';
import { newestVersionId, type Post } from '../core/post.js';
import type { User } from '../core/user.js';
import type { WireJson } from '../core/wire-json.js';
import { expandPost } from './expand-posts.js';
import type { PostSet } from './hydrate/posts.js';
import { userWriter, type UserWriter } from './include-users.js';
import { Includes, type Collected } from './includes.js';
import type { PostOrigin } from './page-rules.js';
import { dataPostFields, includedPostFields, type Selection } from './selection.js';
import { postWriter } from './post-writer.js';
import { wantsPrivateMetrics, type Reading } from './wire/post-metrics.js';

/**
 * What a post adds to a page. It repeats what pages need of the post: a page reads hundreds of values that are no longer
 * in the processor's cache, so fewer objects make it faster.
 */
interface PostPart extends PostOrigin {
  readonly post: Post;
  /** False for a version that an edit replaced. */
  readonly isNewest: boolean;
  readonly wire: WireJson;
  /** What its expansions lead to, but for users. */
  readonly collected: Collected;
  /** The users that its expansions lead to. Their counts change too often for their JSON to be kept with the post. */
  readonly users: readonly User[];
  readonly selection: Selection;
}

/**
 * Finds and makes the parts of a page, for the attempt of `PostSet.complete`. A post keeps its part for the last
 * selection, and viewers with the same rights share it.
 */
export class PostParts {
  private writeUser: UserWriter | undefined;

  constructor(
    private readonly selection: Selection,
    private readonly posts: PostSet,
    private readonly reading: Reading,
  ) {}

  /** Returns for each post the kept part if it is current and the viewer may see the post. */
  find(ids: readonly PostId[]): (PostPart | undefined)[] {
    const kept = this.posts.findKept(ids) as (PostPart | undefined)[];
    return kept.map((part) => (part?.selection === this.selection ? part : undefined));
  }

  /** Makes the part of a visible post. */
  make(post: Post): PostPart {
    const { selection, posts, reading } = this;
    const make = (): PostPart => {
      const includes = new Includes();
      const users = expandPost({ posts, selection, reading }, post, includes);
      return {
        post,
        ...posts.originOf(post),
        isNewest: newestVersionId(post) === post.id,
        wire: postWriter(dataPostFields(selection))(post, posts, reading),
        collected: includes.collected(),
        users,
        selection,
      };
    };
    return isForAll(selection) ? posts.keep(post, make) : make();
  }

  /** Adds what a part includes to the page. */
  join({ collected, users }: PostPart, includes: Includes): void {
    includes.addAll(collected);
    if (users.length === 0) return;
    const write = (this.writeUser ??= userWriter(this.selection.userFields));
    for (const user of users) includes.addUser(user, write, this.posts);
  }
}

/** Reports whether no selected member of posts depends on the viewer. */
const isForAll = memoized(
  (selection: Selection): boolean =>
    !wantsPrivateMetrics(dataPostFields(selection)) && !wantsPrivateMetrics(includedPostFields(selection)),
);
