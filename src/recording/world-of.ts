import { asArray, asObject, asText, type WireObject } from '../archive/wire-json.js';
import { MAX_POST_WEIGHT } from '../core/limits.js';
import { weightedLength } from '../core/post-text/length.js';
import type { RelationKind } from './answer-relations.js';
import type { SeenNetwork } from './seen-network.js';
import {
  defined,
  placeEntry,
  pollEntry,
  mediaEntry,
  spaceEntry,
  timeOf,
  userEntry,
} from './world-entries.js';
import { conversationEntries } from './world-conversations.js';
import { CUT_TEXT } from './v1-objects.js';
import { mentionedIn, referenceTo, typedText } from './typed-text.js';

/** Entries of a world file by section (docs/world-files.md#keys). */
export type WorldDocument = Readonly<Record<string, readonly WireObject[]>>;

/** What a world file has beside what was seen. */
export interface Completion {
  /** Users whose profile was not seen. */
  completedUsers: number;
  /** Posts without an author, without text, or reposts of posts that were not seen. */
  leftOutPosts: number;
  /** References to posts that were not seen. */
  leftOutReferences: number;
  /** Messages without a sender, or of conversations whose participants were not seen. */
  leftOutMessages: number;
  /** Spaces without a creator. */
  leftOutSpaces: number;
}

/**
 * Returns the entry of a user whose profile was not seen. The username has up to 14 characters and is unlike any that a
 * person chooses.
 */
export function placeholder(id: string): WireObject {
  return { id, username: `x${BigInt(id).toString(36)}`, name: `User ${id}` };
}

/** Returns what was seen as a world document, and how it was completed. Entries may still break rules of the file. */
export function worldOf(seen: SeenNetwork): {
  readonly world: WorldDocument;
  readonly completion: Completion;
} {
  return new WorldBuilder(seen).build();
}

class WorldBuilder {
  readonly completion: Completion = {
    completedUsers: 0,
    leftOutPosts: 0,
    leftOutReferences: 0,
    leftOutMessages: 0,
    leftOutSpaces: 0,
  };
  readonly #users = new Map<string, WireObject>();
  readonly #posts = new Map<string, WireObject>();
  readonly #takenNames = new Set<string>();
  readonly #targets = new Map<RelationKind, Map<string, string[]>>();

  constructor(private readonly seen: SeenNetwork) {}

  build() {
    for (const user of this.seen.users.values()) this.#addUser(user);
    // Older posts first: a post refers to older ones only.
    const posts = this.seen.posts
      .values()
      .filter(({ id }) => typeof id === 'string' && /^\d{1,19}$/.test(id));
    posts.sort((one, other) => (BigInt(String(one.id)) < BigInt(String(other.id)) ? -1 : 1));
    for (const post of posts) this.#addPost(post);
    const lists = this.#lists();
    const world: WorldDocument = {
      follows: this.#relations('follows'),
      blocks: this.#relations('blocks'),
      mutes: this.#relations('mutes'),
      media: this.seen.media.values().map(mediaEntry),
      places: this.seen.places.values().flatMap(placeEntry),
      posts: [...this.#posts.values()],
      likes: this.#reactions('likes'),
      bookmarks: this.#reactions('bookmarks'),
      lists,
      spaces: this.#spaces(),
      conversations: this.#conversations(),
      // Last: the entries above complete users.
      users: [...this.#users.values()].map((user) => this.#withPinnedPost(user)),
    };
    return { world, completion: this.completion };
  }

  #addUser(user: WireObject): void {
    const { id, username } = user;
    if (typeof id !== 'string' || !/^\d{1,19}$/.test(id) || typeof username !== 'string') return;
    if (this.#takenNames.has(username.toLowerCase())) return;
    this.#takenNames.add(username.toLowerCase());
    this.#users.set(id, userEntry(user));
  }

  /** Returns the username of an id, which is made up if only the id was seen. */
  #nameOf(id: unknown): string | undefined {
    if (typeof id !== 'string' || !/^\d{1,19}$/.test(id)) return undefined;
    if (!this.#users.has(id)) {
      this.completion.completedUsers += 1;
      this.#users.set(id, placeholder(id));
    }
    return String(this.#users.get(id)?.username);
  }

  #addPost(seen: WireObject): void {
    const post: WireObject = { text: seen[CUT_TEXT], ...seen };
    const author = this.#nameOf(post.author_id);
    const original = referenceTo(post, 'retweeted');
    const isUsable = author !== undefined && typeof post.text === 'string';
    if (!isUsable || (original !== undefined && !this.#posts.has(original))) {
      this.completion.leftOutPosts += 1;
      return;
    }
    const common = {
      id: post.id,
      author,
      created_at: timeOf(post.created_at),
      source: asText(post.source) || undefined,
    };
    const entry =
      original === undefined ? { ...common, ...this.#contentOf(post) } : { ...common, repost_of: original };
    this.#posts.set(String(post.id), defined(entry));
  }

  #contentOf(post: WireObject) {
    const attachments = asObject(post.attachments);
    const media = asArray(attachments?.media_keys).filter((key) => this.seen.media.get(String(key)));
    const quoted = media.length > 0 ? undefined : this.#known(referenceTo(post, 'quoted'));
    const parent = this.#known(referenceTo(post, 'replied_to'));
    const text = typedText(post, { hasMedia: media.length > 0, quotedId: quoted });
    if (weightedLength(text) > MAX_POST_WEIGHT) this.#subscribe(post.author_id);
    const poll = pollEntry(this.seen.polls.get(String(asArray(attachments?.poll_ids)[0])));
    const settings = asText(post.reply_settings);
    return {
      text,
      lang: asText(post.lang),
      in_reply_to: parent,
      exclude_reply_users: parent === undefined ? undefined : this.#unmentioned(parent, text),
      quote_of: poll ? undefined : quoted,
      media: media.length > 0 ? media : undefined,
      poll: media.length > 0 ? undefined : poll,
      place: this.seen.places.get(String(asObject(post.geo)?.place_id)) && asObject(post.geo)?.place_id,
      reply_settings: settings === 'everyone' ? undefined : settings,
      possibly_sensitive: post.possibly_sensitive === true || undefined,
    };
  }

  /** Gives a user the subscription that long posts need. */
  #subscribe(id: unknown): void {
    const user = this.#users.get(String(id));
    if (user) this.#users.set(String(id), { ...user, subscription_type: 'Premium' });
  }

  #known(id: string | undefined): string | undefined {
    if (id === undefined || this.#posts.has(id)) return id;
    this.completion.leftOutReferences += 1;
    return undefined;
  }

  /** Returns the users whose handles the reply would inherit, and does not have. */
  #unmentioned(parentId: string, text: string): string[] | undefined {
    const present = mentionedIn(text);
    const inherited = mentionedIn(String(this.#posts.get(parentId)?.text ?? ''));
    const known = [...inherited].filter((name) => !present.has(name) && this.#takenNames.has(name));
    return known.length > 0 ? known : undefined;
  }

  #relations(kind: 'follows' | 'blocks' | 'mutes'): WireObject[] {
    return this.seen.related(kind).flatMap((relation) => {
      const [from, to] = [this.#nameOf(relation.from), this.#nameOf(relation.to)];
      return from === undefined || to === undefined ? [] : [{ from, to }];
    });
  }

  #reactions(kind: 'likes' | 'bookmarks'): WireObject[] {
    return this.seen.related(kind).flatMap(({ from, to: post }) => {
      const user = this.#posts.has(post) ? this.#nameOf(from) : undefined;
      return user === undefined ? [] : [{ user, post }];
    });
  }

  /** Returns the users who belong to a List or Space, oldest first. */
  #usersOf(kind: 'members' | 'listFollowers' | 'buyers', id: unknown): string[] {
    return this.#namesOf(this.#targetsOf(kind, id));
  }

  /** Returns what a List or Space has, oldest first. */
  #targetsOf(kind: RelationKind, id: unknown): readonly string[] {
    let targets = this.#targets.get(kind);
    if (!targets) {
      targets = new Map();
      for (const { from, to } of this.seen.related(kind)) addTo(targets, from, to);
      this.#targets.set(kind, targets);
    }
    return targets.get(String(id)) ?? [];
  }

  #namesOf(ids: unknown): string[] {
    return asArray(ids).flatMap((id) => this.#nameOf(id) ?? []);
  }

  #spaces(): WireObject[] {
    return this.seen.spaces.values().flatMap((space) => {
      const creator = this.#nameOf(space.creator_id);
      if (creator === undefined) {
        this.completion.leftOutSpaces += 1;
        return [];
      }
      return [
        defined({
          ...spaceEntry(space, this.seen.topics),
          creator,
          hosts: this.#namesOf(space.host_ids),
          speakers: this.#namesOf(space.speaker_ids),
          invited: this.#namesOf(space.invited_user_ids),
          buyers: this.#usersOf('buyers', space.id),
          posts: this.#targetsOf('spacePosts', space.id).filter((post) => this.#posts.has(post)),
        }),
      ];
    });
  }

  #conversations(): WireObject[] {
    const { conversations, leftOut } = conversationEntries(this.seen, (id) => this.#nameOf(id));
    this.completion.leftOutMessages += leftOut;
    return conversations.map(defined);
  }

  #lists(): WireObject[] {
    return this.seen.lists.values().flatMap(({ id, name, owner_id, description, private: isPrivate }) => {
      const owner = this.#nameOf(owner_id);
      if (owner === undefined) return [];
      return [
        defined({
          id,
          owner,
          name,
          description: asText(description) || undefined,
          private: isPrivate === true || undefined,
          members: this.#usersOf('members', id),
          followers: this.#usersOf('listFollowers', id),
        }),
      ];
    });
  }

  #withPinnedPost({ pinned_tweet_id: pinned, ...user }: WireObject): WireObject {
    const isOwn = typeof pinned === 'string' && this.#posts.get(pinned)?.author === user.username;
    return isOwn ? { ...user, pinned_post: pinned } : user;
  }
}

function addTo(targets: Map<string, string[]>, from: string, to: string): void {
  const before = targets.get(from);
  if (before) before.push(to);
  else targets.set(from, [to]);
}
