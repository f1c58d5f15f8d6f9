import type { Entities } from '../core/entities.js';
import type { PollId, PostId, UserId } from '../core/ids.js';
import { memoized } from '../core/memoized.js';
import { mediaIdOfKey, type Post, referencedIds, versionIds } from '../core/post.js';
import type { User } from '../core/user.js';
import type { PostSet } from './hydrate/posts.js';
import { findWanted, type WantedUser } from './include-users.js';
import type { Includes } from './includes.js';
import { postWriter } from './post-writer.js';
import { missing, notAuthorizedError, notFoundError } from './present/partial-errors.js';
import { includedPostFields, wantsReferencedPosts, type Selection } from './selection.js';
import { mediaFields } from './wire/media.js';
import { placeFields } from './wire/place.js';
import { pollFields } from './wire/poll.js';
import type { Reading } from './wire/post-metrics.js';
import { presenter } from './wire/presenter.js';

/** What the expansions of a page need. */
interface Expansion {
  /** All loaded posts, including referenced ones. */
  readonly posts: PostSet;
  readonly selection: Selection;
  readonly reading: Reading;
}

/**
 * Adds the requested expansions of a post to `includes`, but for users, and returns these
 * (docs/api/objects.md#field-selection).
 */
export function expandPost(expansion: Expansion, post: Post, includes: Includes): User[] {
  const { posts, selection } = expansion;
  const { expansions, mediaFields } = selection;
  if (expansions.size === 0) return [];
  expandRelatedPosts(expansion, post, includes);
  if (expansions.has('attachments.media_keys')) {
    includeMedia(posts, includes, post.detail.mediaKeys ?? [], mediaFields);
  }
  for (const name of ['article.cover_media', 'article.media_entities'] as const) {
    if (expansions.has(name)) includeMedia(posts, includes, articleKeys(post, name), mediaFields);
  }
  if (expansions.has('attachments.poll_ids')) expandPolls(expansion, post, includes);
  if (expansions.has('geo.place_id')) expandPlace(expansion, post, includes);
  return findWanted(posts, includes, wantedUsers(expansion, post));
}

function expandRelatedPosts(expansion: Expansion, post: Post, includes: Includes): void {
  const { posts, selection, reading } = expansion;
  const include = (id: PostId, parameter: string): void => {
    const related = posts.find(id);
    if (related && posts.visibility(related) === 'visible') {
      const wire = postWriter(includedPostFields(selection))(related, posts, reading);
      includes.add('tweets', wire.id, wire);
    } else {
      const wanted = missing('tweet', parameter, String(id));
      includes.addError(related ? notAuthorizedError(wanted) : notFoundError(wanted));
    }
  };
  if (wantsReferencedPosts(selection)) {
    for (const id of referencedIds(post)) {
      include(id, 'referenced_tweets.id');
      // A reference is to the first version of an edited post; the newest is included beside it.
      const newest = posts.findNewest(id);
      if (newest && newest.id !== id) include(newest.id, 'referenced_tweets.id');
    }
  }
  if (selection.expansions.has('edit_history_tweet_ids')) {
    for (const id of versionIds(post)) include(id, 'edit_history_tweet_ids');
  }
}

function wantedUsers({ posts, selection: { expansions } }: Expansion, post: Post): WantedUser[] {
  const { authorId, inReplyToUserId, detail } = post;
  const wanted: WantedUser[] = [];
  if (expansions.has('author_id')) wanted.push({ parameter: 'author_id', id: authorId });
  if (expansions.has('in_reply_to_user_id') && inReplyToUserId !== undefined) {
    wanted.push({ parameter: 'in_reply_to_user_id', id: inReplyToUserId });
  }
  if (expansions.has('entities.mentions.username')) {
    wanted.push(...mentionedUsers('entities.mentions.username', detail.entities));
  }
  if (expansions.has('entities.note.mentions.username')) {
    wanted.push(...mentionedUsers('entities.note.mentions.username', detail.note?.entities));
  }
  if (expansions.has('referenced_tweets.id.author_id')) wanted.push(...referencedAuthors(post, posts));
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
  keys: Iterable<string>,
  fields: ReadonlySet<string>,
): void {
  const present = presentMedia(fields);
  for (const key of keys) {
    const found = posts.findMedia(mediaIdOfKey(key));
    if (found) includes.add('media', key, present(found));
    else includes.addError(notFoundError(missing('media', 'attachments.media_keys', key)));
  }
}

const presentMedia = memoized((fields: ReadonlySet<string>) => presenter(mediaFields, fields));
const presentPoll = memoized((fields: ReadonlySet<string>) => presenter(pollFields, fields));
const presentPlace = memoized((fields: ReadonlySet<string>) => presenter(placeFields, fields));

function articleKeys(
  { detail: { article } }: Post,
  name: 'article.cover_media' | 'article.media_entities',
): readonly string[] {
  if (name === 'article.media_entities') return article?.mediaKeys ?? [];
  return article?.coverMediaKey === undefined ? [] : [article.coverMediaKey];
}

function expandPolls({ posts, selection, reading }: Expansion, post: Post, includes: Includes): void {
  const present = presentPoll(selection.pollFields);
  for (const id of post.detail.pollIds ?? []) {
    const poll = posts.findPoll(BigInt(id) as PollId);
    if (poll) includes.add('polls', id, present(poll, reading.nowMs));
    else includes.addError(notFoundError(missing('poll', 'attachments.poll_ids', id)));
  }
}

function expandPlace({ posts, selection }: Expansion, { placeId }: Post, includes: Includes): void {
  if (placeId === undefined) return;
  const place = posts.findPlace(placeId);
  if (place) includes.add('places', placeId, presentPlace(selection.placeFields)(place));
  else includes.addError(notFoundError(missing('place', 'geo.place_id', placeId)));
}
