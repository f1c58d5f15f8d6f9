import type { Entities } from '../core/entities.js';
import type { PollId, PostId, UserId } from '../core/ids.js';
import { mediaIdOfKey, type Post, referencedIds, versionIds } from '../core/post.js';
import type { User } from '../core/user.js';
import type { WireJson } from '../core/wire-json.js';
import type { PostSet } from './hydrate/posts.js';
import { includeUsers, type WantedUser } from './include-users.js';
import type { Includes } from './includes.js';
import type { FixedJson } from './present/fixed-json.js';
import { missing, notAuthorizedError, notFoundError } from './present/partial-errors.js';
import { wantsReferencedPosts, type Selection } from './selection.js';
import { mediaFields } from './wire/media.js';
import { placeFields } from './wire/place.js';
import { pollFields } from './wire/poll.js';
import { presenter } from './wire/presenter.js';

export interface Expansion {
  /** The posts in `data`. */
  readonly shown: readonly Post[];
  /** All loaded posts, including referenced ones. */
  readonly posts: PostSet;
  readonly selection: Selection;
  readonly includes: Includes;
  readonly nowMs: number;
  presentIncluded(post: Post): WireJson;
}

/** Adds the requested expansions of posts to `includes` (docs/api/objects.md#field-selection). */
export function expandPosts(written: FixedJson<User>, expansion: Expansion): void {
  const { shown, posts, includes } = expansion;
  const { expansions, mediaFields, userFields } = expansion.selection;
  expandRelatedPosts(expansion);
  includeUsers(written, posts, includes, wantedUsers(expansion), userFields);
  if (expansions.has('attachments.media_keys')) {
    const keys = new Set(shown.flatMap((post) => post.detail.mediaKeys ?? []));
    includeMedia(posts, includes, keys, mediaFields);
  }
  for (const name of ['article.cover_media', 'article.media_entities'] as const) {
    if (expansions.has(name)) includeMedia(posts, includes, articleKeys(shown, name), mediaFields);
  }
  if (expansions.has('attachments.poll_ids')) expandPolls(expansion);
  if (expansions.has('geo.place_id')) expandPlaces(expansion);
}

function expandRelatedPosts({ shown, posts, selection, includes, presentIncluded }: Expansion): void {
  const include = (id: PostId, parameter: string): void => {
    const post = posts.find(id);
    if (post && posts.visibility(post) === 'visible') {
      const wire = presentIncluded(post);
      includes.add('tweets', wire.id, () => wire);
    } else {
      const wanted = missing('tweet', parameter, String(id));
      includes.addError(post ? notAuthorizedError(wanted) : notFoundError(wanted));
    }
  };
  const wantsReferenced = wantsReferencedPosts(selection);
  const wantsVersions = selection.expansions.has('edit_history_tweet_ids');
  if (!wantsReferenced && !wantsVersions) return;
  for (const post of shown) {
    if (wantsReferenced) {
      for (const id of referencedIds(post)) {
        include(id, 'referenced_tweets.id');
        // A reference is to the first version of an edited post; the newest is included beside it.
        const newest = posts.findNewest(id);
        if (newest && newest.id !== id) include(newest.id, 'referenced_tweets.id');
      }
    }
    if (wantsVersions) {
      for (const id of versionIds(post)) include(id, 'edit_history_tweet_ids');
    }
  }
}

/** Returns users in order of use; the author of several posts appears once. */
function wantedUsers({ shown, posts, selection }: Expansion): WantedUser[] {
  const { expansions } = selection;
  const wanted: WantedUser[] = [];
  const authors = new Set<UserId>();
  const wantsAuthor = expansions.has('author_id');
  const wantsRepliedTo = expansions.has('in_reply_to_user_id');
  const wantsMentioned = expansions.has('entities.mentions.username');
  const wantsNoted = expansions.has('entities.note.mentions.username');
  const wantsReferenced = expansions.has('referenced_tweets.id.author_id');
  for (const post of shown) {
    if (wantsAuthor && !authors.has(post.authorId)) {
      authors.add(post.authorId);
      wanted.push({ parameter: 'author_id', id: post.authorId });
    }
    if (wantsRepliedTo && post.inReplyToUserId !== undefined) {
      wanted.push({ parameter: 'in_reply_to_user_id', id: post.inReplyToUserId });
    }
    if (wantsMentioned) wanted.push(...mentionedUsers('entities.mentions.username', post.detail.entities));
    if (wantsNoted)
      wanted.push(...mentionedUsers('entities.note.mentions.username', post.detail.note?.entities));
    if (wantsReferenced) wanted.push(...referencedAuthors(post, posts));
  }
  return wanted;
}

function mentionedUsers(parameter: string, entities: Entities | undefined): WantedUser[] {
  return (entities?.mentions ?? []).map(({ id, username }) => ({
    parameter,
    username,
    id: id === undefined ? undefined : (BigInt(id) as UserId),
  }));
}

function referencedAuthors(post: Post, posts: PostSet): WantedUser[] {
  const wanted: WantedUser[] = [];
  for (const id of referencedIds(post)) {
    const referenced = posts.find(id);
    if (referenced && posts.visibility(referenced) === 'visible') {
      wanted.push({ parameter: 'referenced_tweets.id.author_id', id: referenced.authorId });
    }
  }
  return wanted;
}

/** Adds media to `includes`, each once; missing ones become entries of `errors`. */
export function includeMedia(
  posts: PostSet,
  includes: Includes,
  keys: ReadonlySet<string>,
  fields: ReadonlySet<string>,
): void {
  const present = presenter(mediaFields, fields);
  for (const key of keys) {
    const found = posts.findMedia(mediaIdOfKey(key));
    if (found) includes.add('media', key, () => present(found));
    else includes.addError(notFoundError(missing('media', 'attachments.media_keys', key)));
  }
}

function articleKeys(
  shown: readonly Post[],
  name: 'article.cover_media' | 'article.media_entities',
): Set<string> {
  const keys = shown.flatMap(({ detail: { article } }) =>
    name === 'article.cover_media' ? (article?.coverMediaKey ?? []) : (article?.mediaKeys ?? []),
  );
  return new Set(keys);
}

function expandPolls({ shown, posts, selection, includes, nowMs }: Expansion): void {
  const present = presenter(pollFields, selection.pollFields);
  for (const id of new Set(shown.flatMap((post) => post.detail.pollIds ?? []))) {
    const poll = posts.findPoll(BigInt(id) as PollId);
    if (poll) includes.add('polls', id, () => present(poll, nowMs));
    else includes.addError(notFoundError(missing('poll', 'attachments.poll_ids', id)));
  }
}

function expandPlaces({ shown, posts, selection, includes }: Expansion): void {
  const present = presenter(placeFields, selection.placeFields);
  for (const id of new Set(shown.map((post) => post.placeId).filter((placeId) => placeId !== undefined))) {
    const place = posts.findPlace(id);
    if (place) includes.add('places', id, () => present(place));
    else includes.addError(notFoundError(missing('place', 'geo.place_id', id)));
  }
}
