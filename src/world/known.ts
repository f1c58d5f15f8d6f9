import { parseId, type MediaId, type PostId, type UserId } from '../core/ids.js';
import { firstVersionId, type Place, type Post } from '../core/post.js';
import type { User } from '../core/user.js';
import * as v from '../core/validators.js';
import type { Queryable } from '../database/engine.js';
import { createLookups, Lookup, type Lookups } from '../stores/lookups.js';
import { findPlaces } from '../stores/places.js';
import { quote, type WorldFaults } from './faults.js';
import type { WorldTime } from './world-time.js';

/** A reference in an entry, and its place. */
export interface Reference<T> {
  readonly name: T;
  readonly path: string;
}

type NameOf<Member> = Member extends readonly (infer Name)[] ? Name : Exclude<Member, undefined>;

/** Returns the references in members of entries, each of which may have one, several or none. */
export function referencesIn<E extends { readonly path: string }, K extends string & keyof E>(
  entries: readonly E[],
  ...keys: readonly K[]
): (Reference<NameOf<E[K]>> & { readonly entry: E })[] {
  return entries.flatMap((entry) =>
    keys.flatMap((key) => {
      const names = entry[key];
      const path = `${entry.path}.${key}`;
      if (names === undefined) return [];
      if (!Array.isArray(names)) return [{ entry, name: names as NameOf<E[K]>, path }];
      return names.map((name: NameOf<E[K]>, index) => ({ entry, name, path: `${path}[${index}]` }));
    }),
  );
}

export interface KnownPost {
  /** Undefined if the entry of the author has faults. */
  readonly authorId: UserId | undefined;
  readonly repostOf?: PostId;
  /** The first version, for a later version that the file declares. */
  readonly versionOf?: PostId;
  /** The stored post, if the database has it. */
  readonly stored?: Post;
}

/**
 * The objects to which entries may refer: those declared in the file and those in the database, which are loaded at
 * their first mention. One instance serves one pass over the file.
 */
export class Known {
  /** The stored objects and, by username, also the users of the file. */
  readonly lookups: Lookups;
  /** The deleted posts that the file declares, and when they were deleted. */
  readonly deletedPosts = new Map<PostId, WorldTime | undefined>();
  readonly #declaredPosts = new Map<PostId, KnownPost>();
  readonly #places: Lookup<string, Place>;

  constructor(
    readonly db: Queryable,
    private readonly declared: Declared,
  ) {
    this.lookups = createLookups(db);
    this.#places = new Lookup((ids) => findPlaces(db, ids));
  }

  /** Registers a user of the file by username. */
  declareUser(username: string, id: UserId): void {
    this.lookups.userIds.set(username.toLowerCase(), id);
  }

  /** Registers a post of the file; a stored post takes precedence. */
  declarePost(id: PostId, post: KnownPost): void {
    if (!this.#declaredPosts.has(id)) this.#declaredPosts.set(id, post);
  }

  /**
   * Loads users and reports usernames that are neither in the file nor in the database, and ids of users who were not
   * deleted (`anyUser`).
   */
  async requireUsers(references: readonly Reference<string>[], faults: WorldFaults): Promise<void> {
    await this.lookups.userIds.load(references.map(({ name }) => name.toLowerCase()));
    const deleted = references.flatMap(({ name }) => formerUserId(name) ?? []);
    await this.lookups.users.load(deleted);
    for (const { name, path } of references) {
      const id = formerUserId(name);
      if (id !== undefined && (this.storedUser(id) || this.declared.userIds.has(String(id))))
        faults.add(path, `user ${id} exists: name the user by username`);
      else if (this.findUserId(name) === undefined && !this.declared.usernames.has(name.toLowerCase()))
        faults.add(path, `no user ${quote(name)} in this file or in the database`);
    }
  }

  /** Loads posts and reports those that are neither in the file nor in the database. */
  async requirePosts(references: readonly Reference<PostId>[], faults: WorldFaults): Promise<void> {
    await this.lookups.posts.load(references.map(({ name }) => name));
    for (const { name, path } of references) {
      if (!this.post(name) && !this.declared.postIds.has(String(name)))
        faults.add(path, `no post ${name} in this file or in the database`);
    }
  }

  /** Loads media and reports those that are neither in the file nor in the database. */
  async requireMedia(references: readonly Reference<MediaId>[], faults: WorldFaults): Promise<void> {
    await this.lookups.media.load(references.map(({ name }) => name));
    for (const { name, path } of references) {
      if (!this.lookups.media.get(name) && !this.declared.mediaIds.has(String(name)))
        faults.add(path, `no such media in this file or in the database`);
    }
  }

  /** Loads places and reports those that are neither in the file nor in the database. */
  async requirePlaces(references: readonly Reference<string>[], faults: WorldFaults): Promise<void> {
    await this.#places.load(references.map(({ name }) => name));
    for (const { name, path } of references) {
      if (!this.#places.get(name) && !this.declared.placeIds.has(name))
        faults.add(path, `no place ${quote(name)} in this file or in the database`);
    }
  }

  /** Returns the id of a user in the file or the database; undefined if the user was reported as missing. */
  findUserId(username: string): UserId | undefined {
    return formerUserId(username) ?? this.lookups.userIds.get(username.toLowerCase());
  }

  /** Returns the id of a user of a file without faults. Throws Error if the name was never loaded. */
  userId(username: string): UserId {
    const id = this.findUserId(username);
    if (id === undefined) throw new Error(`${username} was not looked up`);
    return id;
  }

  /** Returns a stored user whose id was looked up. */
  storedUser(id: UserId): User | undefined {
    return this.lookups.users.get(id);
  }

  post(id: PostId): KnownPost | undefined {
    const stored = this.lookups.posts.get(id);
    return stored
      ? { authorId: stored.authorId, repostOf: stored.repostedPostId, stored }
      : this.#declaredPosts.get(id);
  }

  isStoredPost(id: PostId): boolean {
    return this.lookups.posts.get(id) !== undefined;
  }

  /**
   * Returns the post that a reference is stored for: the original of a repost, and the first version of an edited post
   * (docs/api/posts.md#replies-quotes-and-reposts, docs/api/posts.md#edits).
   */
  original(id: PostId): PostId {
    const post = this.post(id);
    // A file may declare posts that repost each other; following only smaller ids terminates.
    if (post?.repostOf !== undefined && post.repostOf < id) return this.original(post.repostOf);
    return post?.stored ? firstVersionId(post.stored) : (post?.versionOf ?? id);
  }
}

/** The names that the file declares, also in faulty entries: a reference to these is no further fault. */
export interface Declared {
  readonly userIds: ReadonlySet<string>;
  readonly usernames: ReadonlySet<string>;
  readonly postIds: ReadonlySet<string>;
  readonly mediaIds: ReadonlySet<string>;
  readonly placeIds: ReadonlySet<string>;
  readonly appIds: ReadonlySet<string>;
}

export function declaredIn(document: unknown): Declared {
  const sections = v.isObject(document) ? document : {};
  const texts = (section: string, key: string) => textsIn(sections[section], key);
  const edits = membersOf(sections['posts'], 'edits');
  return {
    userIds: new Set(texts('users', 'id')),
    usernames: new Set(texts('users', 'username').map((username) => username.toLowerCase())),
    postIds: new Set([...texts('posts', 'id'), ...edits.flatMap((each) => textsIn(each, 'id'))]),
    mediaIds: new Set(texts('media', 'media_key').map((key) => key.slice(key.indexOf('_') + 1))),
    placeIds: new Set(texts('places', 'id')),
    appIds: new Set(texts('apps', 'id')),
  };
}

const FORMER = 'id:';

/** Reports whether an entry names a user who was deleted. */
export function isFormer(name: string): boolean {
  return name.startsWith(FORMER);
}

/** Returns the id of a user who was deleted, by the name that entries use. */
function formerUserId(name: string): UserId | undefined {
  return isFormer(name) ? parseId<UserId>(name.slice(FORMER.length)) : undefined;
}

/** Returns a member of each entry of a section. */
function membersOf(entries: unknown, key: string): unknown[] {
  return Array.isArray(entries) ? entries.map((entry) => (v.isObject(entry) ? entry[key] : undefined)) : [];
}

function textsIn(entries: unknown, key: string): string[] {
  return membersOf(entries, key).filter(isText);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
