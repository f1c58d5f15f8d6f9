import type { Name } from './network.js';

interface ModelPost {
  readonly id: string;
  readonly author: Name;
  readonly mentions: readonly Name[];
  readonly repostOf?: string;
}

/**
 * What a network should show, by the plainest means: lists that are walked whole. Written from the specification alone
 * (3, 4.8; reference/behaviours.md 5, 7, 9).
 */
export class SocialModel {
  private posts: ModelPost[] = [];
  private readonly follows = new Set<string>();
  private readonly blocks = new Set<string>();
  private readonly mutes = new Set<string>();

  constructor(private readonly names: readonly Name[]) {}

  post(author: Name, id: string, mentions: readonly Name[]): void {
    this.posts.push({ id, author, mentions: mentions.filter((name) => name !== author) });
  }

  repost(author: Name, id: string, of: string): void {
    this.posts.push({ id, author, mentions: [], repostOf: of });
  }

  delete(id: string): void {
    this.posts = this.posts.filter((post) => post.id !== id && post.repostOf !== id);
  }

  repostOf(author: Name, of: string): string | undefined {
    return this.posts.find((post) => post.author === author && post.repostOf === of)?.id;
  }

  follow(from: Name, to: Name): void {
    if (!this.isBlocked(from, to)) this.follows.add(`${from} ${to}`);
  }

  unfollow(from: Name, to: Name): void {
    this.follows.delete(`${from} ${to}`);
  }

  block(from: Name, to: Name): void {
    this.blocks.add(`${from} ${to}`);
    this.unfollow(from, to);
    this.unfollow(to, from);
  }

  unblock(from: Name, to: Name): void {
    this.blocks.delete(`${from} ${to}`);
  }

  mute(from: Name, to: Name): void {
    this.mutes.add(`${from} ${to}`);
  }

  unmute(from: Name, to: Name): void {
    this.mutes.delete(`${from} ${to}`);
  }

  isBlocked(one: Name, other: Name): boolean {
    return this.blocks.has(`${one} ${other}`) || this.blocks.has(`${other} ${one}`);
  }

  /** Posts that are no reposts, oldest first. */
  originals(): readonly ModelPost[] {
    return this.posts.filter((post) => post.repostOf === undefined);
  }

  home(viewer: Name): string[] {
    const isWanted = (name: Name): boolean =>
      name === viewer || !(this.mutes.has(`${viewer} ${name}`) || this.blocks.has(`${viewer} ${name}`));
    return this.newest(
      (post) =>
        (post.author === viewer || this.follows.has(`${viewer} ${post.author}`)) &&
        this.peopleOf(post).every(isWanted) &&
        this.canSee(viewer, post),
    );
  }

  userPosts(viewer: Name, author: Name): string[] {
    return this.newest((post) => post.author === author && this.canSee(viewer, post));
  }

  mentions(viewer: Name, name: Name): string[] {
    if (this.blocks.has(`${name} ${viewer}`)) return [];
    return this.newest((post) => post.mentions.includes(name) && this.canSee(viewer, post));
  }

  counts(name: Name): { followers_count: number; following_count: number; tweet_count: number } {
    const others = this.names.filter((other) => other !== name);
    return {
      followers_count: others.filter((other) => this.follows.has(`${other} ${name}`)).length,
      following_count: others.filter((other) => this.follows.has(`${name} ${other}`)).length,
      tweet_count: this.posts.filter((post) => post.author === name).length,
    };
  }

  private peopleOf(post: ModelPost): Name[] {
    const original = this.posts.find(({ id }) => id === post.repostOf);
    return original ? [post.author, original.author] : [post.author];
  }

  private canSee(viewer: Name, post: ModelPost): boolean {
    return this.peopleOf(post).every((name) => !this.blocks.has(`${name} ${viewer}`));
  }

  private newest(isShown: (post: ModelPost) => boolean): string[] {
    const ids = this.posts.filter(isShown).map((post) => BigInt(post.id));
    return ids.sort((one, other) => (one < other ? 1 : -1)).map(String);
  }
}
