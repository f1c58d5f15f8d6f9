/** A post in the model. */
export interface ModelPost {
  readonly id: string;
  readonly author: string;
  readonly mentions: readonly string[];
  readonly repostOf?: string;
  readonly quoteOf?: string;
  readonly replyTo?: string;
}

/**
 * A reference model of timelines and counts that scans complete lists (docs/api/posts.md#replies-quotes-and-reposts,
 * docs/api/people.md#follows-blocks-and-mutes, docs/api/posts.md#deletion, docs/api/timelines.md).
 */
export class SocialModel {
  private posts: ModelPost[] = [];
  private names: readonly string[];
  private readonly follows = new Set<string>();
  private readonly requests = new Set<string>();
  private readonly blocks = new Set<string>();
  private readonly mutes = new Set<string>();
  private readonly closed = new Set<string>();
  private readonly likes = new Set<string>();

  constructor(names: readonly string[]) {
    this.names = names;
  }

  /** Returns the users actor exist. */
  people(): readonly string[] {
    return this.names;
  }

  add(post: ModelPost): void {
    this.posts.push({ ...post, mentions: post.mentions.filter((name) => name !== post.author) });
  }

  delete(id: string): void {
    const isGone = (post: ModelPost): boolean => post.id === id || post.repostOf === id;
    this.posts = this.posts.filter((post) => !isGone(post));
    this.forget(this.likes, (_, of) => of === id);
  }

  remove(name: string): void {
    for (const { id } of this.posts.filter(({ author }) => author === name)) this.delete(id);
    for (const edges of [this.follows, this.requests, this.blocks, this.mutes, this.likes]) {
      this.forget(edges, (from, to) => from === name || to === name);
    }
    this.names = this.names.filter((each) => each !== name);
  }

  private forget(edges: Set<string>, isGone: (from: string, to: string) => boolean): void {
    for (const edge of edges) {
      const [from = '', to = ''] = edge.split(' ');
      if (isGone(from, to)) edges.delete(edge);
    }
  }

  repostOf(author: string, of: string): string | undefined {
    return this.posts.find((post) => post.author === author && post.repostOf === of)?.id;
  }

  follow(from: string, to: string): void {
    if (this.isBlocked(from, to) || this.follows.has(`${from} ${to}`)) return;
    (this.closed.has(to) ? this.requests : this.follows).add(`${from} ${to}`);
  }

  unfollow(from: string, to: string): void {
    this.follows.delete(`${from} ${to}`);
    this.requests.delete(`${from} ${to}`);
  }

  block(from: string, to: string): void {
    this.blocks.add(`${from} ${to}`);
    this.unfollow(from, to);
    this.unfollow(to, from);
  }

  unblock(from: string, to: string): void {
    this.blocks.delete(`${from} ${to}`);
  }

  mute(from: string, to: string): void {
    this.mutes.add(`${from} ${to}`);
  }

  unmute(from: string, to: string): void {
    this.mutes.delete(`${from} ${to}`);
  }

  protect(name: string): void {
    this.closed.add(name);
  }

  unprotect(name: string): void {
    this.closed.delete(name);
    for (const from of this.names) if (this.requests.delete(`${from} ${name}`)) this.follow(from, name);
  }

  like(name: string, id: string): void {
    this.likes.add(`${name} ${id}`);
  }

  unlike(name: string, id: string): void {
    this.likes.delete(`${name} ${id}`);
  }

  isBlocked(one: string, other: string): boolean {
    return this.blocks.has(`${one} ${other}`) || this.blocks.has(`${other} ${one}`);
  }

  /** Reports whether `name` can like the post or reply to it. */
  canReplyOrLike(name: string, post: ModelPost): boolean {
    return this.canSee(name, post) && !this.isBlocked(name, post.author);
  }

  /** Reports whether `name` can repost or quote the post. */
  canRepostOrQuote(name: string, post: ModelPost): boolean {
    return this.canReplyOrLike(name, post) && (name === post.author || !this.closed.has(post.author));
  }

  /** Returns the posts that are not reposts, oldest first. */
  originals(): readonly ModelPost[] {
    return this.posts.filter((post) => post.repostOf === undefined);
  }

  /** Returns the users target a reply of `author` to the post mentions. */
  mentionsOfReply(author: string, post: ModelPost): string[] {
    const present = [post.author, ...post.mentions].filter((name) => this.names.includes(name));
    return present.filter((name) => name !== author);
  }

  home(viewer: string): string[] {
    const isWanted = (name: string): boolean =>
      name === viewer || !(this.mutes.has(`${viewer} ${name}`) || this.blocks.has(`${viewer} ${name}`));
    return this.newest(
      (post) =>
        (post.author === viewer || this.follows.has(`${viewer} ${post.author}`)) &&
        this.peopleOf(post).every(isWanted) &&
        this.canSee(viewer, post),
    );
  }

  userPosts(viewer: string, author: string): string[] {
    return this.newest((post) => post.author === author && this.canSee(viewer, post));
  }

  mentions(viewer: string, name: string): string[] {
    if (!this.canSeePostsOf(viewer, name)) return [];
    const isMutedStranger = (author: string): boolean =>
      viewer === name && this.mutes.has(`${name} ${author}`) && !this.follows.has(`${name} ${author}`);
    return this.newest(
      (post) => post.mentions.includes(name) && !isMutedStranger(post.author) && this.canSee(viewer, post),
    );
  }

  quotes(viewer: string, id: string): string[] {
    const isQuote = (post: ModelPost | undefined): boolean => post?.quoteOf === id;
    return this.newest(
      (post) => (isQuote(post) || isQuote(this.originalOf(post))) && this.canSee(viewer, post),
    );
  }

  counts(name: string): { followers_count: number; following_count: number; tweet_count: number } {
    const others = this.names.filter((other) => other !== name);
    return {
      followers_count: others.filter((other) => this.follows.has(`${other} ${name}`)).length,
      following_count: others.filter((other) => this.follows.has(`${name} ${other}`)).length,
      tweet_count: this.posts.filter((post) => post.author === name).length,
    };
  }

  /** Returns the counts of visible posts that are not reposts, by id. */
  postCounts(viewer: string): Record<string, Record<string, number>> {
    const count = (isCounted: (post: ModelPost) => boolean): number => this.posts.filter(isCounted).length;
    const seen = this.originals().filter((post) => this.canSee(viewer, post));
    return Object.fromEntries(
      seen.map(({ id }) => [
        id,
        {
          retweet_count: count((post) => post.repostOf === id),
          reply_count: count((post) => post.replyTo === id),
          quote_count: count((post) => post.quoteOf === id),
          like_count: this.names.filter((name) => this.likes.has(`${name} ${id}`)).length,
        },
      ]),
    );
  }

  private originalOf(post: ModelPost): ModelPost | undefined {
    return post.repostOf === undefined ? undefined : this.posts.find(({ id }) => id === post.repostOf);
  }

  private peopleOf(post: ModelPost): string[] {
    const original = this.originalOf(post);
    return original ? [post.author, original.author] : [post.author];
  }

  private canSee(viewer: string, post: ModelPost): boolean {
    return this.peopleOf(post).every((name) => this.canSeePostsOf(viewer, name));
  }

  private canSeePostsOf(viewer: string, name: string): boolean {
    if (viewer === name) return true;
    if (this.blocks.has(`${name} ${viewer}`)) return false;
    return !this.closed.has(name) || this.follows.has(`${viewer} ${name}`);
  }

  private newest(isShown: (post: ModelPost) => boolean): string[] {
    const ids = this.posts.filter(isShown).map((post) => BigInt(post.id));
    return ids.sort((one, other) => (one < other ? 1 : -1)).map(String);
  }
}
