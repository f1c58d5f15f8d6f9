import type { MediaId, PollId, PostId, UserId } from '../core/ids.js';
import { mediaIdOfKey, type Post } from '../core/post.js';
import { userVisibility } from '../core/visibility.js';
import type { Queryable } from '../storage/engine.js';
import { findMedia } from '../storage/media.js';
import { findPlaces } from '../storage/places.js';
import { findPolls } from '../storage/polls.js';
import { findUserIds } from '../storage/users.js';
import type { PostSet } from './hydrate/posts.js';
import { hydrateUsers } from './hydrate/users.js';
import type { Includes } from './includes.js';
import { presentMedia } from './present/media.js';
import { notAuthorizedError, notFoundError, suspendedError, type Wanted } from './present/partial-errors.js';
import { presentPlace } from './present/place.js';
import { presentPoll } from './present/poll.js';
import { presentUser } from './present/user.js';
import { referencedIds, versionIds } from './referenced-ids.js';
import { wantsReferencedPosts, type Selection } from './selection.js';

export interface Expansion {
  /** The posts in `data`. */
  readonly shown: readonly Post[];
  /** Everything loaded, referenced posts among it. */
  readonly posts: PostSet;
  readonly selection: Selection;
  readonly includes: Includes;
  readonly nowMs: number;
  presentIncluded(post: Post): Record<string, unknown>;
}

/** Fills `includes` with what the expansions of post endpoints ask for (reference/objects.md 13.1). */
export async function expandPosts(db: Queryable, expansion: Expansion): Promise<void> {
  expandRelatedPosts(expansion);
  await expandUsers(db, expansion);
  await expandMedia(db, expansion);
  await expandPolls(db, expansion);
  await expandPlaces(db, expansion);
}

function expandRelatedPosts({ shown, posts, selection, includes, presentIncluded }: Expansion): void {
  const include = (id: PostId, parameter: string): void => {
    const wanted: Wanted = { type: 'tweet', parameter, value: String(id), section: 'includes' };
    const post = posts.find(id);
    if (!post) includes.addError(notFoundError(wanted));
    else if (posts.visibility(post) !== 'visible') includes.addError(notAuthorizedError(wanted));
    else includes.add('tweets', wanted.value, () => presentIncluded(post));
  };
  for (const post of shown) {
    if (wantsReferencedPosts(selection)) {
      for (const id of referencedIds(post)) include(id, 'referenced_tweets.id');
    }
    if (selection.expansions.has('edit_history_tweet_ids')) {
      for (const id of versionIds(post)) include(id, 'edit_history_tweet_ids');
    }
  }
}

/** A user that an expansion leads to, by id, or by name where a mention came without one. */
interface WantedUser {
  readonly parameter: string;
  readonly id?: UserId;
  readonly username?: string;
}

async function expandUsers(db: Queryable, expansion: Expansion): Promise<void> {
  const { selection, includes, posts } = expansion;
  const wanted = wantedUsers(expansion);
  if (wanted.length === 0) return;
  const names = wanted.flatMap((user) => (user.id === undefined ? [user.username ?? ''] : []));
  const idsByName = await findUserIds(db, names);
  const idOf = (user: WantedUser): UserId | undefined =>
    user.id ?? idsByName.get((user.username ?? '').toLowerCase());
  const ids = new Set(wanted.map(idOf).filter((id) => id !== undefined));
  const users = await hydrateUsers(db, [...ids], posts.viewerId, selection.userFields);
  for (const { parameter, ...named } of wanted) {
    const id = idOf({ parameter, ...named });
    const user = id === undefined ? undefined : users.find(id);
    const value = named.username ?? String(id);
    const missing: Wanted = { type: 'user', parameter, value, section: 'includes' };
    if (!user) includes.addError(notFoundError(missing));
    else if (userVisibility(user) === 'suspended') includes.addError(suspendedError(missing));
    else {
      const extras = users.extrasOf(user.id);
      includes.add('users', String(user.id), () => presentUser(user, selection.userFields, extras));
    }
  }
}

function wantedUsers({ shown, posts, selection }: Expansion): WantedUser[] {
  const { expansions } = selection;
  const wanted: WantedUser[] = [];
  for (const post of shown) {
    if (expansions.has('author_id')) wanted.push({ parameter: 'author_id', id: post.authorId });
    if (expansions.has('in_reply_to_user_id') && post.inReplyToUserId !== undefined) {
      wanted.push({ parameter: 'in_reply_to_user_id', id: post.inReplyToUserId });
    }
    if (expansions.has('entities.mentions.username')) {
      for (const { id, username } of post.detail.entities?.mentions ?? []) {
        wanted.push({
          parameter: 'entities.mentions.username',
          username,
          id: id === undefined ? undefined : (BigInt(id) as UserId),
        });
      }
    }
    if (expansions.has('referenced_tweets.id.author_id')) {
      for (const id of referencedIds(post)) {
        const referenced = posts.find(id);
        if (referenced && posts.visibility(referenced) === 'visible') {
          wanted.push({ parameter: 'referenced_tweets.id.author_id', id: referenced.authorId });
        }
      }
    }
  }
  return wanted;
}

async function expandMedia(db: Queryable, { shown, selection, includes }: Expansion): Promise<void> {
  if (!selection.expansions.has('attachments.media_keys')) return;
  const keys = new Map<string, MediaId>();
  for (const post of shown) {
    for (const key of post.detail.mediaKeys ?? []) keys.set(key, mediaIdOfKey(key));
  }
  const media = await findMedia(db, [...keys.values()]);
  for (const [key, id] of keys) {
    const found = media.get(id);
    if (found) includes.add('media', key, () => presentMedia(found, selection.mediaFields));
    else includes.addError(notFoundError(missing('media', 'attachments.media_keys', key)));
  }
}

async function expandPolls(db: Queryable, expansion: Expansion): Promise<void> {
  const { shown, selection, includes, nowMs } = expansion;
  if (!selection.expansions.has('attachments.poll_ids')) return;
  const ids = new Set(shown.flatMap((post) => post.detail.pollIds ?? []));
  const polls = await findPolls(
    db,
    [...ids].map((id) => BigInt(id) as PollId),
  );
  for (const id of ids) {
    const poll = polls.get(BigInt(id) as PollId);
    if (poll) includes.add('polls', id, () => presentPoll(poll, selection.pollFields, nowMs));
    else includes.addError(notFoundError(missing('poll', 'attachments.poll_ids', id)));
  }
}

async function expandPlaces(db: Queryable, { shown, selection, includes }: Expansion): Promise<void> {
  if (!selection.expansions.has('geo.place_id')) return;
  const ids = new Set(shown.map((post) => post.placeId).filter((id) => id !== undefined));
  const places = await findPlaces(db, [...ids]);
  for (const id of ids) {
    const place = places.get(id);
    if (place) includes.add('places', id, () => presentPlace(place, selection.placeFields));
    else includes.addError(notFoundError(missing('place', 'geo.place_id', id)));
  }
}

function missing(type: Wanted['type'], parameter: string, value: string): Wanted {
  return { type, parameter, value, section: 'includes' };
}
