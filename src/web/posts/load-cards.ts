import { POST_SELECTION, SPACE_SELECTION } from '../api/fields.js';
import type {
  Envelope,
  WireIncludes,
  WireMedia,
  WirePlace,
  WirePoll,
  WirePost,
  WireSpace,
  WireUser,
} from '../api/objects.js';
import type { WebApi } from '../api/web-api.js';
import { spaceIdIn } from './space-card.js';

/** What the viewer has done with a post. */
export interface PostState {
  readonly liked: boolean;
  readonly reposted: boolean;
  readonly bookmarked: boolean;
  readonly bookmark_folder_id?: string;
  /** The option that the viewer has voted for, from 1. */
  readonly chosen_option?: number;
}

/** A post as pages show it, with its related data. */
export interface PostCard {
  /** Never a repost whose original is visible. */
  readonly post: WirePost;
  /** Undefined for imported posts whose author is not stored. */
  readonly author: WireUser | undefined;
  readonly media: readonly WireMedia[];
  readonly poll?: WirePoll;
  readonly place?: WirePlace;
  /** The quoted post; `unavailable` if it is missing or not visible to the viewer. */
  readonly quoted?: PostCard | 'unavailable';
  /** The repost, if the card represents one. */
  readonly repost?: WirePost;
  /** The reposting user, if the card represents a repost. */
  readonly repostedBy?: WireUser;
  /** The author of the post that this one replies to. */
  readonly repliesTo?: WireUser;
  /** Existing accounts mentioned in the text, by id. */
  readonly mentioned: ReadonlyMap<string, WireUser>;
  /** The Space that the post links to, if the viewer may see it. */
  readonly space?: LinkedSpace;
  /** Absent without a signed-in viewer. */
  readonly state?: PostState;
}

/** A Space, and the link to it. */
export interface LinkedSpace {
  readonly url: string;
  readonly space: WireSpace;
  readonly creator: WireUser | undefined;
}

/** The most posts that one lookup takes. */
const MAX_LOOKUP = 100;

/**
 * Returns the cards of the newest versions of posts, by the ids given, in their order. Posts that the viewer may not see
 * have none.
 */
export async function cardsOfIds(api: WebApi, ids: readonly string[]): Promise<Map<string, PostCard>> {
  const book = new PostBook(api);
  await book.look(ids);
  return book.cardsOfNewest(ids);
}

/** Does the same for posts that an answer includes. */
export async function cardsAmong(
  api: WebApi,
  { includes }: Pick<Envelope<unknown>, 'includes'>,
  ids: readonly string[],
): Promise<Map<string, PostCard>> {
  const book = new PostBook(api);
  book.add(includes?.tweets ?? [], includes, true);
  return book.cardsOfNewest(ids);
}

/** Returns the card of exactly one version of a post, or what the API says about one that the viewer may not see. */
export async function cardOfId(
  api: WebApi,
  id: string,
): Promise<{ readonly card?: PostCard } & Pick<Envelope<WirePost>, 'errors'>> {
  const { data, includes, errors } = await api.call<WirePost>('findTweetById', { id, ...POST_SELECTION });
  if (data === undefined) return { errors };
  const [card] = await cardsOf(api, { data: [data], includes });
  return { card };
}

/** Returns the cards of the posts of an answer, which was asked for with `POST_SELECTION`. */
export async function cardsOf(
  api: WebApi,
  { data = [], includes }: Envelope<readonly WirePost[]>,
): Promise<PostCard[]> {
  const book = new PostBook(api);
  book.add(data, includes, true);
  return book.cards(data);
}

/** Collects posts and what belongs to them from several answers. */
class PostBook {
  readonly posts = new Map<string, WirePost>();
  private readonly users = new Map<string, WireUser>();
  private readonly media = new Map<string, WireMedia>();
  private readonly polls = new Map<string, WirePoll>();
  private readonly places = new Map<string, WirePlace>();
  private readonly states = new Map<string, PostState>();
  private readonly spaces = new Map<string, WireSpace>();
  /** The posts whose own media, polls and places are here too. */
  private readonly whole = new Set<string>();

  constructor(private readonly api: WebApi) {}

  add(posts: readonly WirePost[], includes: WireIncludes = {}, isWhole = false): void {
    for (const post of includes.tweets ?? []) if (!this.posts.has(post.id)) this.posts.set(post.id, post);
    for (const post of posts) this.posts.set(post.id, post);
    if (isWhole) for (const { id } of posts) this.whole.add(id);
    for (const user of includes.users ?? []) this.users.set(user.id, user);
    for (const media of includes.media ?? []) this.media.set(media.media_key, media);
    for (const poll of includes.polls ?? []) this.polls.set(poll.id, poll);
    for (const place of includes.places ?? []) this.places.set(place.id, place);
  }

  /** Looks posts up, unless they are here with all that belongs to them. */
  async look(ids: readonly string[]): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.whole.has(id));
    for (let from = 0; from < missing.length; from += MAX_LOOKUP) {
      const part = missing.slice(from, from + MAX_LOOKUP);
      const { data = [], includes } = await this.api.call<WirePost[]>('findTweetsById', {
        ids: part,
        ...POST_SELECTION,
      });
      this.add(data, includes, true);
    }
  }

  async cardsOfNewest(ids: readonly string[]): Promise<Map<string, PostCard>> {
    // A conversation refers to the first versions of posts.
    const newest = ids.map((id) => this.posts.get(id)?.edit_history_tweet_ids?.at(-1));
    await this.look(newest.filter((id) => id !== undefined));
    const found = ids.flatMap((id, index) => {
      const post = this.posts.get(newest[index] ?? '');
      return post ? [{ id, post }] : [];
    });
    const cards = await this.cards(found.map(({ post }) => post));
    return new Map(cards.map((card, index) => [found[index]?.id ?? '', card]));
  }

  async cards(posts: readonly WirePost[]): Promise<PostCard[]> {
    // An answer has the posts that its own posts refer to, but not their media; a repost's original may quote another.
    await this.look(posts.flatMap((post) => this.shownIn(post)));
    await this.look(posts.flatMap((post) => this.shownIn(this.original(post) ?? post)));
    await this.lookStates(posts.map((post) => this.original(post) ?? post));
    await this.lookSpaces(posts.map((post) => this.original(post) ?? post));
    return posts.map((post) => this.card(post));
  }

  /** Looks up what the viewer has done with posts; visitors have done nothing. */
  private async lookStates(posts: readonly WirePost[]): Promise<void> {
    if (!this.api.isOfUser) return;
    const ids = [...new Set(posts.map(({ id }) => id))];
    for (let from = 0; from < ids.length; from += MAX_LOOKUP) {
      const part = ids.slice(from, from + MAX_LOOKUP);
      const { data = [] } = await this.api.call<(PostState & { id: string })[]>('getPostStates', {
        ids: part,
      });
      for (const state of data) this.states.set(state.id, state);
    }
  }

  /** Looks up the Spaces that posts link to. */
  private async lookSpaces(posts: readonly WirePost[]): Promise<void> {
    const links = posts.map(spaceLink).filter((link) => link !== undefined);
    const ids = [...new Set(links.map(({ id }) => id))].slice(0, MAX_LOOKUP);
    if (ids.length === 0) return;
    const { data = [], includes } = await this.api.call<WireSpace[]>('findSpacesByIds', {
      ids,
      ...SPACE_SELECTION,
    });
    this.add([], { users: includes?.users });
    for (const space of data) this.spaces.set(space.id, space);
  }

  private spaceOf(post: WirePost): LinkedSpace | undefined {
    const link = spaceLink(post);
    const space = this.spaces.get(link?.id ?? '');
    return link && space && { url: link.url, space, creator: this.users.get(space.creator_id ?? '') };
  }

  /** Returns the ids of posts that a card shows beside the post itself. */
  private shownIn({ referenced_tweets: references = [] }: WirePost): string[] {
    return references.flatMap(({ type, id }) => {
      const shown = type === 'replied_to' ? undefined : this.newest(id);
      return shown === undefined ? [] : [shown.id];
    });
  }

  private original({ referenced_tweets: references = [] }: WirePost): WirePost | undefined {
    const repost = references.find(({ type }) => type === 'retweeted');
    return repost && this.newest(repost.id);
  }

  /** Returns the newest version of a post: references lead to its first one. */
  private newest(id: string): WirePost | undefined {
    const found = this.posts.get(id);
    return this.posts.get(found?.edit_history_tweet_ids?.at(-1) ?? '') ?? found;
  }

  private card(post: WirePost): PostCard {
    const original = this.original(post);
    if (!original) return this.plain(post, true);
    return { ...this.plain(original, true), repost: post, repostedBy: this.users.get(post.author_id ?? '') };
  }

  /** Builds a card; quoted posts show no further quotes. */
  private plain(post: WirePost, showsQuote: boolean): PostCard {
    const { attachments, geo, entities, note_tweet: note, author_id: author = '' } = post;
    const quoted = post.referenced_tweets?.find(({ type }) => type === 'quoted');
    const mentions = [...(entities?.mentions ?? []), ...(note?.entities?.mentions ?? [])];
    return {
      post,
      author: this.users.get(author),
      media: (attachments?.media_keys ?? []).flatMap((key) => this.media.get(key) ?? []),
      poll: this.polls.get(attachments?.poll_ids?.[0] ?? ''),
      place: this.places.get(geo?.place_id ?? ''),
      quoted: quoted && showsQuote ? this.quoted(quoted.id) : undefined,
      repliesTo: this.users.get(post.in_reply_to_user_id ?? ''),
      mentioned: new Map(
        mentions.flatMap(({ id = '' }) => {
          const user = this.users.get(id);
          return user ? [[id, user] as const] : [];
        }),
      ),
      space: this.spaceOf(post),
      state: this.states.get(post.id),
    };
  }

  private quoted(id: string): PostCard | 'unavailable' {
    const post = this.newest(id);
    return post ? this.plain(post, false) : 'unavailable';
  }
}

/** Returns the first link of a post to a Space, with the id of the Space. */
function spaceLink({ entities }: WirePost): { readonly url: string; readonly id: string } | undefined {
  for (const { expanded_url: expanded, url } of entities?.urls ?? []) {
    const id = spaceIdIn(expanded ?? url);
    if (id !== undefined) return { url: expanded ?? url, id };
  }
  return undefined;
}
