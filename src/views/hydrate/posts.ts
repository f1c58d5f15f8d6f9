import { IdSet } from '../../core/maps.js';
import type { MediaId, PollId, PostId, UserId } from '../../core/ids.js';
import {
  firstVersionId,
  newestVersionId,
  type Media,
  type Place,
  type Poll,
  type Post,
  type PostCounts,
} from '../../core/post.js';
import type { User } from '../../core/user.js';
import { isPublic, postVisibility, type Viewer, type Visibility } from '../../core/visibility.js';
import type { Queryable } from '../../database/engine.js';
import { findMedia } from '../../stores/media.js';
import { findPlaces } from '../../stores/places.js';
import { findPolls } from '../../stores/polls.js';
import type { Relations } from '../../stores/user-edges.js';
import { findUserIds } from '../../stores/users.js';
import { belongsHome, originOf, type PostOrigin } from '../page-rules.js';
import { Lookup, type ViewReads } from './reads.js';
import { Trace, type Shared } from './trace.js';
import { UserLookup } from './users.js';

const NOBODY = new IdSet<UserId>();
const NO_RELATIONS: Relations = { follows: NOBODY, mutes: NOBODY, blocks: NOBODY, blockedBy: NOBODY };

/** Posts by id, with the data that visibility rules and presenters need. */
export class PostSet {
  private readonly trace = new Trace();
  private readonly posts: Lookup<PostId, Post>;
  private readonly counts: Lookup<PostId, PostCounts>;
  readonly users: UserLookup;
  /** Lookups of values that no cache holds, by the function that loads them. */
  private readonly uncached = new Map<unknown, Lookup<unknown, unknown>>();
  protected viewer: Viewer;
  private relations = NO_RELATIONS;
  /** True if `relations` has all relations of the viewer, not only those to `related`. */
  private knowsAllRelations = true;
  private readonly related = new Set<UserId>();
  private readonly unrelated = new Set<UserId>();
  private readonly states = { get: (id: UserId): User | undefined => this.stateOf(id) };

  constructor(
    private readonly reads: ViewReads,
    readonly viewerId: UserId | undefined,
  ) {
    this.posts = new Lookup(reads.posts, this.trace);
    this.counts = new Lookup(reads.postCounts, this.trace);
    this.users = new UserLookup(reads, viewerId, this.trace);
    this.viewer = { userId: viewerId, follows: NOBODY, blockedBy: NOBODY };
  }

  /**
   * Returns the result of `attempt`, which looks up what it needs in this set. It is called again, after what was
   * missing has been read, until nothing is. It must be synchronous, so that one moment determines the visibility of
   * all posts, and without effects.
   */
  async complete<T>(attempt: () => T): Promise<T> {
    for (;;) {
      this.reads.refresh();
      this.useCachedRelations();
      const result = attempt();
      if (!this.isMissingValues()) return result;
      await this.fetch();
    }
  }

  /** Reports whether the attempt lacks a value. Then it is repeated, and nothing that it writes is used. */
  isMissingValues(): boolean {
    if (this.unrelated.size > 0 || this.posts.isMissingValues() || this.counts.isMissingValues()) return true;
    if (this.users.isMissingValues()) return true;
    for (const lookup of this.uncached.values()) if (lookup.isMissingValues()) return true;
    return false;
  }

  /** Returns the stored post regardless of visibility; check `visibility` before showing it. */
  find(id: PostId): Post | undefined {
    return this.posts.find(id);
  }

  /** Does the same for a post of a list, which shows the newest version. */
  findNewest(id: PostId): Post | undefined {
    const post = this.posts.find(id);
    const newestId = post && newestVersionId(post);
    return newestId === undefined || newestId === id ? post : (this.posts.find(newestId) ?? post);
  }

  /** Returns the original of a repost. */
  originalOf({ repostedPostId }: Post): Post | undefined {
    return repostedPostId === undefined ? undefined : this.posts.find(repostedPostId);
  }

  /** Returns the counts of a post, which all its versions share. */
  countsOf(post: Post): PostCounts | undefined {
    return this.counts.find(firstVersionId(post));
  }

  visibility(post: Post): Visibility {
    const original = this.originalOf(post);
    const visibility = postVisibility(this.viewer, post, original, this.states);
    if (this.trace.isRunning) {
      // What is kept shows all its posts, and only those that every viewer may see.
      const isShared = visibility === 'visible' && isPublic(post, original, this.states);
      if (isShared) this.trace.show(post, original);
      else this.trace.use(undefined);
    }
    return visibility;
  }

  /**
   * Returns for each post what was kept with it, if that is current and the viewer may see the same. Nothing else is
   * done between the look-ups, so that the processor reads the values of several posts from memory at once.
   */
  findKept(ids: readonly PostId[]): unknown[] {
    if (!this.knowsAllRelations) return [];
    const { blockedBy } = this.viewer;
    const kept = ids.map((id) => this.posts.entry(id)?.kept as Shared<unknown> | undefined);
    return kept.map((shared) => {
      if (shared?.value === undefined) return undefined;
      if (blockedBy.size > 0 && shared.authors.some((author) => blockedBy.has(author))) return undefined;
      if (!shared.isUsed) shared.isUsed = true;
      return shared.value;
    });
  }

  /** Makes something of a visible post, and keeps it with the post if other viewers may see the same. */
  keep<T>(post: Post, make: () => T): T {
    const entry = this.posts.entry(post.id);
    const { made, shared } = this.trace.run(() => {
      this.trace.use(entry);
      this.visibility(post);
      return make();
    });
    if (entry && shared && !this.isMissingValues()) {
      const before = entry.kept as Shared<unknown> | undefined;
      if (before) before.value = undefined;
      entry.kept = shared;
    }
    return made;
  }

  /** Keeps nothing of what is being made, because it changes with time. */
  changesWithTime(): void {
    this.trace.use(undefined);
  }

  originOf(post: Post): PostOrigin {
    return originOf(post, this.originalOf(post));
  }

  /** Returns true for posts of the viewer's home timeline. */
  belongsHome(origin: PostOrigin): boolean {
    const { viewerId, relations } = this;
    return viewerId !== undefined && belongsHome(viewerId, relations, origin);
  }

  /** Reports whether a user's acts may notify the viewer: not if one blocks the other, or the viewer mutes the user. */
  mayNotify(id: UserId): boolean {
    const account = this.stateOf(id);
    const { mutes, blocks, blockedBy } = this.relations;
    return account?.suspended === false && !mutes.has(id) && !blocks.has(id) && !blockedBy.has(id);
  }

  findMedia(id: MediaId): Media | undefined {
    return this.lookup(findMedia).find(id);
  }

  findPoll(id: PollId): Poll | undefined {
    return this.lookup(findPolls).find(id);
  }

  findPlace(id: string): Place | undefined {
    return this.lookup(findPlaces).find(id);
  }

  /** Returns the id of the user with this username, in any case. */
  findUserId(username: string): UserId | undefined {
    return this.lookup(findUserIds).find(username.toLowerCase());
  }

  /** Returns the user with this id, or this username in any case. */
  findUser(name: UserId | string): User | undefined {
    const id = typeof name === 'string' ? this.findUserId(name) : name;
    return id === undefined ? undefined : this.users.find(id);
  }

  protected lookup<K, V>(load: (db: Queryable, ids: readonly K[]) => Promise<Map<K, V>>): Lookup<K, V> {
    let lookup = this.uncached.get(load) as Lookup<K, V> | undefined;
    if (!lookup) {
      const source = {
        find: () => undefined,
        peek: () => undefined,
        readAll: (ids: readonly K[]) => load(this.reads.db, ids),
      };
      lookup = new Lookup(source, this.trace);
      this.uncached.set(load, lookup as Lookup<unknown, unknown>);
    }
    return lookup;
  }

  protected stateOf(id: UserId): User | undefined {
    if (!this.knowsAllRelations && !this.related.has(id)) this.unrelated.add(id);
    return this.users.find(id);
  }

  private useCachedRelations(): void {
    const { viewerId } = this;
    if (viewerId === undefined) return;
    const all = this.reads.peekRelations(viewerId);
    if (all) this.useRelations(all);
    this.knowsAllRelations = all !== undefined;
  }

  private useRelations(relations: Relations): void {
    this.relations = relations;
    this.viewer = { userId: this.viewerId, follows: relations.follows, blockedBy: relations.blockedBy };
  }

  /**
   * Reads what is missing. Relations and authors are read again after the posts: they must not be older
   * than a post that they hide.
   */
  private async fetch(): Promise<void> {
    const { viewerId, related } = this;
    const independent = [this.posts, this.counts, ...this.uncached.values()];
    await Promise.all([this.users.fetchExtras(), ...independent.map((lookup) => lookup.fetch())]);
    for (const id of this.unrelated) related.add(id);
    this.unrelated.clear();
    const isRelated = viewerId !== undefined && related.size > 0;
    const [relations] = await Promise.all([
      isRelated ? this.reads.findRelations(viewerId, [...related]) : undefined,
      this.users.fetchAgain(),
    ]);
    if (relations) this.useRelations(relations);
  }
}
