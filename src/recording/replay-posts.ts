import { asObject, asObjects, asText, asWhole, type WireObject } from '../archive/wire-json.js';
import { MAX_POST_WEIGHT } from '../core/limits.js';
import { weightedLength } from '../core/post-text/length.js';
import type { ReplayStep } from './plan-replay.js';
import type { ArchivedPosts } from './read-archive.js';
import type { CreateReplayed } from './replay.js';
import { ReplayRefused, type ReplayedPost, type ReplayTarget } from './replay-target.js';
import { referenceTo, typedText } from './typed-text.js';
import { placeholderName, userEntry } from './world-of.js';

/** Users per load. */
const CHUNK = 500;

/**
 * Adds the users of archives that the network does not have, with their ids. One whose username is another's here, or
 * who breaks a rule, gets a made-up username. Returns the number of these.
 */
export async function prepareAuthors(
  target: Pick<ReplayTarget, 'addUsers'>,
  { users, posts }: Pick<ArchivedPosts, 'users' | 'posts'>,
): Promise<number> {
  const entries = authorEntries(users, posts);
  let renamed = 0;
  for (let start = 0; start < entries.length; start += CHUNK) {
    const chunk = entries.slice(start, start + CHUNK);
    if (await target.addUsers(chunk)) continue;
    for (const entry of chunk) {
      if (await target.addUsers([entry])) continue;
      renamed += 1;
      await target.addUsers([placeholder(String(entry.id))]);
    }
  }
  return renamed;
}

function placeholder(id: string): WireObject {
  return { id, username: placeholderName(id), name: `User ${id}` };
}

/** Returns entries for the users, and for authors of posts whose profile the archives lack. */
function authorEntries(users: ArchivedPosts['users'], posts: ArchivedPosts['posts']): WireObject[] {
  const entries = new Map<string, WireObject>();
  for (const [id, user] of users) {
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

/** Creates the function that creates posts as their authors; it keeps the new ids, to which references lead. */
export function createReplayed(target: ReplayTarget): CreateReplayed {
  const newIds = new Map<string, string>();
  const create = async ({ post, id }: ReplayStep): Promise<void> => {
    const author = authorOf(post);
    if (author === undefined) throw new ReplayRefused('It has no author.');
    const original = referenceTo(post, 'retweeted');
    if (original === undefined) {
      newIds.set(id, await target.post(author, replayedOf(post, newIds)));
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

function replayedOf(post: WireObject, newIds: ReadonlyMap<string, string>): ReplayedPost {
  const poll = pollOf(post);
  const quoted = poll ? undefined : referenceTo(post, 'quoted');
  const quotedId = newIds.get(quoted ?? '');
  return {
    // Media are not replayed: their link stays.
    text: typedText(post, { hasMedia: false, quotedId: quotedId === undefined ? undefined : quoted }),
    source: asText(post.source),
    inReplyToId: newIds.get(referenceTo(post, 'replied_to') ?? ''),
    quotedId,
    poll,
  };
}

/** Returns the poll of a flattened post. */
function pollOf({ attachments }: WireObject): ReplayedPost['poll'] {
  const poll = asObject(asObject(attachments)?.poll);
  const options = asObjects(poll?.options).flatMap(({ label }) => asText(label) ?? []);
  const durationMinutes = asWhole(poll?.duration_minutes);
  return options.length > 1 && durationMinutes !== undefined ? { options, durationMinutes } : undefined;
}
