import type { PostId, UserId } from '../../core/ids.js';
import type { Post, PostCounts } from '../../core/post.js';
import { postVisibility, type AccountState, type Viewer, type Visibility } from '../../core/visibility.js';
import type { Relations } from '../../stores/user-edges.js';
import { belongsHome } from '../page-rules.js';
import type { ViewReads } from './reads.js';

const NOBODY: ReadonlySet<UserId> = new Set();
const NO_RELATIONS: Relations = { follows: NOBODY, mutes: NOBODY, blocks: NOBODY, blockedBy: NOBODY };
const NO_COUNTS: ReadonlyMap<PostId, PostCounts> = new Map();

/** Posts by id, with the data that visibility rules and presenters need. */
export class PostSet {
  private posts = new Map<PostId, Post>();
  private readonly authors = new Set<UserId>();
  private states: ReadonlyMap<UserId, AccountState> = new Map();
  private counts: ReadonlyMap<PostId, PostCounts> = NO_COUNTS;
  private relations: Relations = NO_RELATIONS;
  private viewer: Viewer;

  constructor(
    private readonly reads: ViewReads,
    readonly viewerId: UserId | undefined,
  ) {
    this.viewer = { userId: viewerId, follows: NOBODY, blockedBy: NOBODY };
  }

  /**
   * Loads the posts that are not present yet, the originals of reposts among them, their authors' states and the
   * viewer's relations to the authors.
   */
  async load(ids: Iterable<PostId>): Promise<void> {
    let loaded = await this.loadPosts([...ids]);
    const originals = [];
    for (const { repostedPostId } of loaded) if (repostedPostId !== undefined) originals.push(repostedPostId);
    if (originals.length > 0) loaded = [...loaded, ...(await this.loadPosts(originals))];
    if (loaded.length > 0) await this.loadAuthors(loaded);
  }

  private async loadPosts(ids: readonly PostId[]): Promise<readonly Post[]> {
    const unknown = this.posts.size === 0 ? ids : ids.filter((id) => !this.posts.has(id));
    const found = await this.reads.findPosts(unknown);
    this.posts = united(this.posts, found);
    return [...found.values()];
  }

  /**
   * Loads the counts of `shown`, of the posts with the `related` ids, and of the originals of reposts, in one batch.
   */
  async loadCounts(shown: readonly Post[], related: readonly PostId[]): Promise<void> {
    const ids: PostId[] = [];
    const add = (post: Post | undefined, id: PostId): void => {
      ids.push(id);
      if (post?.repostedPostId !== undefined) ids.push(post.repostedPostId);
    };
    for (const post of shown) add(post, post.id);
    for (const id of related) add(this.posts.get(id), id);
    if (ids.length > 0) this.counts = await this.reads.findPostCounts(ids);
  }

  /** Reloads present authors too, so that one moment determines the visibility of all posts. */
  private async loadAuthors(loaded: readonly Post[]): Promise<void> {
    const { authors, viewerId, reads } = this;
    for (const post of loaded) authors.add(post.authorId);
    const ids = [...authors];
    this.states = await reads.findAccountStates(ids);
    if (viewerId === undefined) return;
    this.relations = await reads.findRelations(
      viewerId,
      authors.has(viewerId) ? without(ids, viewerId) : ids,
    );
    this.viewer = { userId: viewerId, follows: this.relations.follows, blockedBy: this.relations.blockedBy };
  }

  /** Returns true for posts of the viewer's home timeline, judged by the loaded data. */
  belongsHome(post: Post): boolean {
    const { viewerId } = this;
    return viewerId !== undefined && belongsHome(viewerId, this.relations, post, this.originalOf(post));
  }

  /** Returns the stored post regardless of visibility; check `visibility` before showing it. */
  find(id: PostId): Post | undefined {
    return this.posts.get(id);
  }

  /** Returns the loaded original of a loaded repost. */
  originalOf(post: Post): Post | undefined {
    return post.repostedPostId === undefined ? undefined : this.posts.get(post.repostedPostId);
  }

  countsOf(id: PostId): PostCounts | undefined {
    return this.counts.get(id);
  }

  visibility(post: Post): Visibility {
    return postVisibility(this.viewer, post, this.originalOf(post), this.states);
  }
}

/**
 * Returns the entries of both maps; returns the other map itself if it has them all, as for the first loaded page.
 */
function united<K, V>(one: Map<K, V>, other: Map<K, V>): Map<K, V> {
  return one.size === 0 ? other : new Map([...one, ...other]);
}

function without<T>(list: readonly T[], left: T): T[] {
  return list.filter((item) => item !== left);
}
