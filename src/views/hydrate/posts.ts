import type { PostId, UserId } from '../../core/ids.js';
import type { Post, PostCounts } from '../../core/post.js';
import { postVisibility, type AccountState, type Viewer, type Visibility } from '../../core/visibility.js';
import { blockersAmong } from '../../storage/blocks.js';
import { followedAmong } from '../../storage/follows.js';
import { findPostCounts } from '../../storage/posts.js';
import type { ViewReads } from './reads.js';

const NOBODY: ReadonlySet<UserId> = new Set();
const NO_COUNTS: ReadonlyMap<PostId, PostCounts> = new Map();

/** Posts by id, with what the visibility rules and the presenters need of each. */
export class PostSet {
  private readonly posts = new Map<PostId, Post>();
  private readonly states = new Map<UserId, AccountState>();
  private counts: ReadonlyMap<PostId, PostCounts> = NO_COUNTS;
  private viewer: Viewer;

  constructor(
    private readonly reads: ViewReads,
    readonly viewerId: UserId | undefined,
  ) {
    this.viewer = { userId: viewerId, follows: NOBODY, blockedBy: NOBODY };
  }

  /**
   * Loads those of the posts that are not here yet and the originals of reposts among them, their authors' states and
   * the viewer's relations to these.
   */
  async load(ids: Iterable<PostId>): Promise<void> {
    const loaded = await this.loadPosts(ids);
    const originals = loaded.map((post) => post.repostedPostId).filter((id) => id !== undefined);
    if (originals.length > 0) loaded.push(...(await this.loadPosts(originals)));
    await this.loadAuthors(loaded);
  }

  private async loadPosts(ids: Iterable<PostId>): Promise<Post[]> {
    const wanted = [...new Set(ids)].filter((id) => !this.posts.has(id));
    if (wanted.length === 0) return [];
    const loaded = [...(await this.reads.findPosts(wanted)).values()];
    for (const post of loaded) this.posts.set(post.id, post);
    return loaded;
  }

  /** Loads the counts of posts that are here, and of the originals of reposts; once. */
  async loadCounts(ids: Iterable<PostId>): Promise<void> {
    const wanted = new Set<PostId>();
    for (const id of ids) {
      wanted.add(id);
      const original = this.posts.get(id)?.repostedPostId;
      if (original !== undefined) wanted.add(original);
    }
    if (wanted.size > 0) this.counts = await findPostCounts(this.reads.db, [...wanted]);
  }

  private async loadAuthors(loaded: readonly Post[]): Promise<void> {
    const authors = new Set(loaded.map((post) => post.authorId));
    const unknown = [...authors].filter((id) => !this.states.has(id));
    for (const [id, state] of await this.reads.findAccountStates(unknown)) this.states.set(id, state);
    const { viewerId } = this;
    if (viewerId === undefined) return;
    const others = [...authors].filter((id) => id !== viewerId);
    // Whom the viewer follows matters only where a post is for followers.
    const closed = loaded.filter(
      (post) => post.superFollowersOnly || this.states.get(post.authorId)?.protected,
    );
    const follows = await followedAmong(this.reads.db, viewerId, [
      ...new Set(closed.map((post) => post.authorId)),
    ]);
    const blockedBy = await blockersAmong(this.reads.db, viewerId, others);
    this.viewer = {
      userId: viewerId,
      follows: new Set([...this.viewer.follows, ...follows]),
      blockedBy: new Set([...this.viewer.blockedBy, ...blockedBy]),
    };
  }

  /** The stored post, whoever may see it: ask `visibility` before showing it. */
  find(id: PostId): Post | undefined {
    return this.posts.get(id);
  }

  countsOf(id: PostId): PostCounts | undefined {
    return this.counts.get(id);
  }

  /** A repost carries its original's text, so it is visible where both are; an original not stored hides nothing. */
  visibility(post: Post): Visibility {
    const own = postVisibility(this.viewer, post, this.states.get(post.authorId));
    const original = post.repostedPostId === undefined ? undefined : this.posts.get(post.repostedPostId);
    if (own !== 'visible' || !original) return own;
    return postVisibility(this.viewer, original, this.states.get(original.authorId));
  }
}
