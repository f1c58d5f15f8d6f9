import { asArray, asObject, asObjects, asText, asWhole, type WireObject } from '../archive/wire-json.js';
import type { UserPrincipal } from '../core/access.js';
import { PipitError } from '../core/errors.js';
import type { AppId, PostId, UserId } from '../core/ids.js';
import { MAX_POST_WEIGHT } from '../core/limits.js';
import { weightedLength } from '../core/post-text/length.js';
import type { PostInput } from '../services/posts/post-draft.js';
import type { PostService } from '../services/posts/posts.js';
import type { RepostService } from '../services/posts/reposts.js';
import { WorldRefused } from '../world/faults.js';
import type { ReplayStep } from './plan-replay.js';
import type { ArchivedPosts } from './read-archive.js';
import type { CreateReplayed } from './replay.js';
import { referenceTo, typedText } from './typed-text.js';
import { placeholderName, userEntry } from './world-of.js';

export interface ReplayDeps {
  readonly posts: Pick<PostService, 'create'>;
  readonly reposts: Pick<RepostService, 'repost'>;
  /** Adds users who do not exist. Throws WorldRefused. */
  readonly loadUsers: (users: readonly WireObject[]) => Promise<unknown>;
}

/** Users per load. */
const CHUNK = 500;

/**
 * Adds the users of archives that the network does not have, with their ids. One whose username is another's here, or
 * who breaks a rule, gets a made-up username. Returns the number of these.
 */
export async function prepareAuthors(
  { loadUsers }: Pick<ReplayDeps, 'loadUsers'>,
  { users, posts }: Pick<ArchivedPosts, 'users' | 'posts'>,
): Promise<number> {
  const entries = authorEntries(users, posts);
  let renamed = 0;
  for (let start = 0; start < entries.length; start += CHUNK) {
    const chunk = entries.slice(start, start + CHUNK);
    if (await isLoaded(loadUsers, chunk)) continue;
    for (const entry of chunk) {
      if (await isLoaded(loadUsers, [entry])) continue;
      renamed += 1;
      await isLoaded(loadUsers, [placeholder(String(entry.id))]);
    }
  }
  return renamed;
}

function placeholder(id: string): WireObject {
  return { id, username: placeholderName(id), name: `User ${id}` };
}

/** Returns entries for the users and for authors of whom only the id is known. */
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

async function isLoaded(load: ReplayDeps['loadUsers'], users: readonly WireObject[]): Promise<boolean> {
  try {
    await load(users);
    return true;
  } catch (error) {
    if (error instanceof WorldRefused) return false;
    throw error;
  }
}

function authorOf({ author_id, author }: WireObject): string | undefined {
  const id = author_id ?? asObject(author)?.id;
  return typeof id === 'string' && /^\d{1,19}$/.test(id) ? id : undefined;
}

/** Creates the function that creates posts as their authors; it keeps the new ids, to which references lead. */
export function createReplayed({ posts, reposts }: ReplayDeps): CreateReplayed {
  const newIds = new Map<string, PostId>();
  const newIdOf = (id: string | undefined) => (id === undefined ? undefined : newIds.get(id));
  return async ({ post, id }: ReplayStep) => {
    const author = authorOf(post);
    if (author === undefined) return 'It has no author.';
    const principal = principalOf(author, asText(post.source));
    const original = referenceTo(post, 'retweeted');
    try {
      if (original !== undefined) {
        const target = newIdOf(original);
        if (target === undefined) return 'It is a repost of a post that was not replayed.';
        await reposts.repost(principal, target);
        return undefined;
      }
      const created = await posts.create(principal, inputOf(post, newIdOf));
      newIds.set(id, created.id);
      return undefined;
    } catch (error) {
      if (error instanceof PipitError) return error.message;
      throw error;
    }
  };
}

function inputOf(post: WireObject, newIdOf: (id: string | undefined) => PostId | undefined): PostInput {
  const quoted = referenceTo(post, 'quoted');
  const quotedPostId = newIdOf(quoted);
  const poll = pollOf(post);
  const isQuote = quotedPostId !== undefined && poll === undefined;
  return {
    // Media are not replayed: their link stays.
    text: typedText(post, { hasMedia: false, quotedId: isQuote ? quoted : undefined }),
    inReplyToPostId: newIdOf(referenceTo(post, 'replied_to')),
    typedHandlesOnly: true,
    quotedPostId: isQuote ? quotedPostId : undefined,
    poll,
  };
}

/** Returns the poll of a flattened post. */
function pollOf({ attachments }: WireObject): PostInput['poll'] {
  const poll = asObject(asObject(attachments)?.poll) ?? asObjects(asArray(asObject(attachments)?.polls))[0];
  const options = asObjects(poll?.options).flatMap(({ label }) => asText(label) ?? []);
  const durationMinutes = asWhole(poll?.duration_minutes);
  return options.length > 1 && durationMinutes !== undefined ? { options, durationMinutes } : undefined;
}

/** Acts for an author; the app is only the name that posts show as their source. */
function principalOf(userId: string, source = 'Pipit replay'): UserPrincipal {
  const app = {
    id: 0n as AppId,
    name: source || 'Pipit replay',
    clientId: '',
    accessLevel: 'elevated',
    track: 'standard',
    permissions: 'read_write',
  } as const;
  return {
    context: 'oauth2',
    app,
    userId: BigInt(userId) as UserId,
    permission: 'read_write',
    scopes: new Set(),
  };
}
