import type { PostId, UserId } from '../../core/ids.js';
import { mediaIdOfKey, type Media, type Post } from '../../core/post.js';
import { statusUrl } from '../../core/reserved-usernames.js';
import type { ObjectSet } from '../hydrate/objects.js';
import { presentUserV1, type UserV1 } from './user.js';
import type { PostV1Parts } from './post.js';

/** Returns a user in the v1.1 format; undefined if there is none. For the attempt of `PostSet.complete`. */
export function findUserV1(objects: ObjectSet, id: UserId, publicUrl: string): UserV1 | undefined {
  const user = objects.users.find(id);
  return (
    user && presentUserV1(user, { counts: objects.users.countsOf(id), likes: objects.likesOf(id), publicUrl })
  );
}

/**
 * Returns a post that the viewer may see, with what its v1.1 format contains, and the quoted or reposted one; undefined
 * if the viewer may not see it. For the attempt of `PostSet.complete`.
 */
export function findPostV1(objects: ObjectSet, id: PostId, publicUrl: string): PostV1Parts | undefined {
  const post = objects.find(id);
  if (!post || objects.visibility(post) !== 'visible') return undefined;
  const { quotedPostId, repostedPostId } = post;
  const reposted = repostedPostId === undefined ? undefined : findPartsOf(objects, repostedPostId, publicUrl);
  const shownQuote = quotedPostId ?? reposted?.post.quotedPostId;
  const quoted = shownQuote === undefined ? undefined : findPartsOf(objects, shownQuote, publicUrl);
  const parts = partsOf(objects, post, publicUrl);
  return parts && { ...parts, reposted: reposted && { ...reposted, quoted }, quoted };
}

/** Does the same without the posts that the post refers to. */
function findPartsOf(objects: ObjectSet, id: PostId, publicUrl: string): PostV1Parts | undefined {
  const post = objects.find(id);
  return post && objects.visibility(post) === 'visible' ? partsOf(objects, post, publicUrl) : undefined;
}

function partsOf(objects: ObjectSet, post: Post, publicUrl: string): PostV1Parts | undefined {
  const author = findUserV1(objects, post.authorId, publicUrl);
  if (!author) return undefined;
  const { mentions = [] } = post.detail.entities ?? {};
  const others = mentions.flatMap(({ id }) => (id === undefined ? [] : [BigInt(id) as UserId]));
  const named = post.inReplyToUserId === undefined ? others : [...others, post.inReplyToUserId];
  return {
    post,
    author,
    counts: objects.countsOf(post),
    media: mediaOf(objects, post),
    place: post.placeId === undefined ? undefined : objects.findPlace(post.placeId),
    users: new Map(named.flatMap((id) => entryOf(id, objects.users.find(id)))),
    url: statusUrl(publicUrl, objects.users.find(post.authorId)?.username, post.id),
    publicUrl,
  };
}

function mediaOf(objects: ObjectSet, { detail: { mediaKeys = [] } }: Post): Map<Media['id'], Media> {
  const ids = mediaKeys.map(mediaIdOfKey);
  return new Map(ids.flatMap((id) => entryOf(id, objects.findMedia(id))));
}

function entryOf<K, V>(key: K, value: V | undefined): (readonly [K, V])[] {
  return value === undefined ? [] : [[key, value]];
}
