import type { PostId, UserId } from '../../core/ids.js';
import type { Post, PostCounts } from '../../core/post.js';
import { postVisibility, type AccountState, type Viewer, type Visibility } from '../../core/visibility.js';
import { blockersAmong } from '../../storage/blocks.js';
import { followedAmong } from '../../storage/follows.js';
import { findPostCounts } from '../../storage/posts.js';
import type { ViewReads } from './reads.js';

/** Posts by id, with what the visibility rules and the presenters need of each. */
export class PostSet {
  private readonly posts = new Map<PostId, Post>();
  private readonly states = new Map<UserId, AccountState>();
  private readonly counts = new Map<PostId, PostCounts>();
  private readonly follows = new Set<UserId>();
  private readonly blockedBy = new Set<UserId>();
  private readonly viewer: Viewer;

  constructor(
    private readonly reads: ViewReads,
    readonly viewerId: UserId | undefined,
  ) {
    this.viewer = { userId: viewerId, follows: this.follows, blockedBy: this.blockedBy };
  }

  /**
   * Loads those of the posts that are not here yet and the originals of reposts among them, their authors' states and
   * the viewer's relations to these.
   */
  async load(ids: Iterable<PostId>): Promise<void> {
    const authors = new Set<UserId>();
    const loaded = await this.loadPosts(ids, authors);
    const originals = loaded.map((post) => post.repostedPostId).filter((id) => id !== undefined);
    if (originals.length > 0) await this.loadPosts(originals, authors);
    await this.loadAuthors([...authors]);
  }

  /** Adds the authors whose states are not here yet to `authors`. */
  private async loadPosts(ids: Iterable<PostId>, authors: Set<UserId>): Promise<Post[]> {
    const wanted = [...new Set(ids)].filter((id) => !this.posts.has(id));
    if (wanted.length === 0) return [];
    const loaded = await this.reads.findPosts(wanted);
    for (const [id, post] of loaded) {
      this.posts.set(id, post);
      if (!this.states.has(post.authorId)) authors.add(post.authorId);
    }
    return [...loaded.values()];
  }

  /** Loads the counts of posts that are here, and of the originals of reposts. */
  async loadCounts(ids: Iterable<PostId>): Promise<void> {
    const wanted = new Set<PostId>();
    for (const id of ids) {
      wanted.add(id);
      const original = this.posts.get(id)?.repostedPostId;
      if (original !== undefined) wanted.add(original);
    }
    if (wanted.size === 0) return;
    for (const [id, counts] of await findPostCounts(this.reads.db, [...wanted])) this.counts.set(id, counts);
  }

  private async loadAuthors(authors: readonly UserId[]): Promise<void> {
    for (const [id, state] of await this.reads.findAccountStates(authors)) this.states.set(id, state);
    const others = authors.filter((id) => id !== this.viewerId);
    if (this.viewerId === undefined || others.length === 0) return;
    for (const id of await followedAmong(this.reads.db, this.viewerId, others)) this.follows.add(id);
    for (const id of await blockersAmong(this.reads.db, this.viewerId, others)) this.blockedBy.add(id);
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
