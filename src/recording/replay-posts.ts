import { asArray, asObject, asObjects, asText, asWhole, type WireObject } from '../archive/wire-json.js';
import { MAX_POST_WEIGHT } from '../core/limits.js';
import { weightedLength } from '../core/post-text/length.js';
import type { ReplayStep } from './plan-replay.js';
import type { ArchivedPosts } from './read-archive.js';
import type { CreateReplayed } from './replay.js';
import { ReplayRefused, type ReplayedPost, type ReplayTarget } from './replay-target.js';
import { referenceTo, typedText } from './typed-text.js';
import { addMedia, mediaOf } from './replay-media.js';
import { placeEntry, userEntry } from './world-entries.js';
import { placeholder } from './world-of.js';

/** Entries per load. */
const CHUNK = 500;

/** The authors of archives in the network. */
export interface Authors {
  /** The number of users with a made-up username. */
  readonly renamed: number;
  /** By id. */
  readonly usernames: ReadonlyMap<string, string>;
}

/**
 * Adds the users of archives that the network does not have, with their ids. One whose username is another's here, or
 * who breaks a rule, gets a made-up username.
 */
export async function prepareAuthors(
  target: Pick<ReplayTarget, 'add'>,
  { users, posts }: Pick<ArchivedPosts, 'users' | 'posts'>,
): Promise<Authors> {
  const usernames = new Map<string, string>();
  const known = (entry: WireObject): void => void usernames.set(String(entry.id), String(entry.username));
  let renamed = 0;
  const entries = authorEntries(users, posts);
  for (const chunk of chunksOf(entries)) {
    if (await target.add({ users: chunk })) {
      chunk.forEach(known);
      continue;
    }
    for (const entry of chunk) {
      if (await target.add({ users: [entry] })) {
        known(entry);
        continue;
      }
      renamed += 1;
      const renamedEntry = placeholder(String(entry.id));
      if (await target.add({ users: [renamedEntry] })) known(renamedEntry);
    }
  }
  return { renamed, usernames };
}

/** Adds the places of archives. Returns the ids of those that posts can have. */
export async function preparePlaces(
  target: Pick<ReplayTarget, 'add'>,
  { places }: Pick<ArchivedPosts, 'places'>,
): Promise<Set<string>> {
  const added = new Set<string>();
  for (const chunk of chunksOf(places.values().flatMap(placeEntry))) {
    const isAdded = await target.add({ places: chunk });
    for (const entry of chunk) {
      if (isAdded || (await target.add({ places: [entry] }))) added.add(String(entry.id));
    }
  }
  return added;
}

function chunksOf(entries: readonly WireObject[]): (readonly WireObject[])[] {
  const count = Math.ceil(entries.length / CHUNK);
  return Array.from({ length: count }, (_, n) => entries.slice(n * CHUNK, (n + 1) * CHUNK));
}

/** Returns entries for the users, and for authors of posts whose profile the archives lack. */
function authorEntries(users: ArchivedPosts['users'], posts: ArchivedPosts['posts']): WireObject[] {
  const entries = new Map<string, WireObject>();
  for (const user of users.values()) {
    const id = String(user.id);
    if (!/^\d{1,19}$/.test(id)) continue;
    const { pinned_tweet_id: _pinned, ...entry } = userEntry({ ...user, protected: false });
    entries.set(id, entry);
  }
  for (const post of posts.values()) {
    const id = authorOf(post);
    if (id === undefined) continue;
    const entry = entries.get(id) ?? placeholder(id);
    const isLong =
      weightedLength(typedText(post, { hasMedia: false, quotedId: undefined })) > MAX_POST_WEIGHT;
    entries.set(id, isLong ? { ...entry, subscription_type: 'Premium' } : entry);
  }
  return [...entries.values()];
}

function authorOf({ author_id, author }: WireObject): string | undefined {
  const id = author_id ?? asObject(author)?.id;
  return typeof id === 'string' && /^\d{1,19}$/.test(id) ? id : undefined;
}

/** What posts of archives become part of. */
export interface ReplayedNetwork {
  readonly target: ReplayTarget;
  readonly archived: ArchivedPosts;
  readonly usernames: Authors['usernames'];
  /** The ids of the places that posts can have. */
  readonly placeIds: ReadonlySet<string>;
}

/** Creates the function that creates posts as their authors; it keeps the new ids, to which references lead. */
export function createReplayed(network: ReplayedNetwork): CreateReplayed {
  const { target } = network;
  const newIds = new Map<string, string>();
  const create = async ({ post, id }: ReplayStep): Promise<void> => {
    const author = authorOf(post);
    if (author === undefined) throw new ReplayRefused('It has no author.');
    const original = referenceTo(post, 'retweeted');
    if (original === undefined) {
      newIds.set(id, await target.post(author, await replayedOf(post, author, newIds, network)));
      return;
    }
    const newId = newIds.get(original);
    if (newId === undefined) throw new ReplayRefused('It is a repost of a post that was not replayed.');
    await target.repost(author, newId);
  };
  return async (step) => {
    try {
      await create(step);
      return undefined;
    } catch (error) {
      if (error instanceof ReplayRefused) return error.message;
      throw error;
    }
  };
}

async function replayedOf(
  post: WireObject,
  author: string,
  newIds: ReadonlyMap<string, string>,
  { target, archived, usernames, placeIds }: ReplayedNetwork,
): Promise<ReplayedPost> {
  const mediaIds = await addMedia(target, mediaOf(post, archived), usernames.get(author));
  const hasMedia = mediaIds.length > 0;
  const poll = hasMedia ? undefined : pollOf(post, archived);
  const quoted = hasMedia || poll ? undefined : referenceTo(post, 'quoted');
  const quotedId = newIds.get(quoted ?? '');
  const placeId = asText(asObject(post.geo)?.place_id);
  return {
    // The links of what is not replayed stay.
    text: typedText(post, { hasMedia, quotedId: quotedId === undefined ? undefined : quoted }),
    source: asText(post.source),
    inReplyToId: newIds.get(referenceTo(post, 'replied_to') ?? ''),
    quotedId,
    poll,
    mediaIds: hasMedia ? mediaIds : undefined,
    placeId: placeId !== undefined && placeIds.has(placeId) ? placeId : undefined,
  };
}

/** Returns the poll of a post. */
function pollOf({ attachments }: WireObject, { polls }: ArchivedPosts): ReplayedPost['poll'] {
  const inlined = asObject(asObject(attachments)?.poll)?.id;
  const poll = polls.get(String(inlined ?? asArray(asObject(attachments)?.poll_ids)[0]));
  const options = asObjects(poll?.options).flatMap(({ label }) => asText(label) ?? []);
  const durationMinutes = asWhole(poll?.duration_minutes);
  return options.length > 1 && durationMinutes !== undefined ? { options, durationMinutes } : undefined;
}
