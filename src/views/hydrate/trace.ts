import type { UserId } from '../../core/ids.js';
import type { Post } from '../../core/post.js';
import { Derived, type Entry } from '../../database/row-cache.js';

/** Something that looks the same to all viewers, except those that one of the authors blocks. */
export class Shared<T> extends Derived<T> {
  constructor(
    made: T,
    sources: readonly Entry<unknown>[],
    /** The authors of the posts that it shows. */
    readonly authors: readonly UserId[],
  ) {
    super(made, sources);
  }
}

/** Records from which cached values something is made, so that it can be kept while they are current. */
export class Trace {
  private sources: Entry<unknown>[] | undefined;
  private authors: UserId[] = [];

  get isRunning(): boolean {
    return this.sources !== undefined;
  }

  /**
   * Runs `make`. Its result is `shared` if other viewers may see the same, and if all values that it used are cached.
   */
  run<T>(make: () => T): { readonly made: T; readonly shared: Shared<T> | undefined } {
    this.sources = [];
    this.authors = [];
    const made = make();
    const { sources, authors } = this;
    this.sources = undefined;
    return { made, shared: sources && new Shared(made, sources, authors) };
  }

  /** Records the use of a value; undefined is one that is not from a cache. */
  use(entry: Entry<unknown> | undefined): void {
    if (entry === undefined) this.sources = undefined;
    else this.sources?.push(entry);
  }

  /** Records the authors of a public post and of its original. */
  show(post: Post, original: Post | undefined): void {
    this.authors.push(post.authorId);
    if (original) this.authors.push(original.authorId);
  }
}
