import type { PostId, UserId } from '../../core/ids.js';
import { firstVersionId, mediaIdOfKey, type Media, type Post } from '../../core/post.js';
import { statusUrl } from '../../core/reserved-usernames.js';
import type { ObjectSet } from '../hydrate/objects.js';
import { presentUserV1, type UserV1 } from './user.js';
import type { PostV1Parts } from './post.js';

/** How objects of v1.1 are looked up. */
export interface LookV1 {
  readonly publicUrl: string;
  /** Adds what the viewer did: whether the viewer follows the user, likes the post or reposted it. */
  readonly withActs?: boolean;
}

const RELATION: ReadonlySet<string> = new Set(['connection_status']);

/** Returns a user in the v1.1 format; undefined if there is none. For the attempt of `PostSet.complete`. */
export function findUserV1(objects: ObjectSet, id: UserId, look: LookV1): UserV1 | undefined {
  const user = objects.users.find(id);
  const counts = objects.users.countsOf(id);
  const likes = objects.likesOf(id);
  const relation = look.withActs ? objects.users.extrasOf(id, RELATION)?.relation : undefined;
  return user && presentUserV1(user, { counts, likes, relation, publicUrl: look.publicUrl });
}

/**
 * Returns a post that the viewer may see, with what its v1.1 format contains, and the quoted or reposted one; undefined
 * if the viewer may not see it. For the attempt of `PostSet.complete`.
 */
export function findPostV1(objects: ObjectSet, id: PostId, look: LookV1): PostV1Parts | undefined {
  const parts = findAlone(objects, id, look);
  if (!parts) return undefined;
  const reposted = findAlone(objects, parts.post.repostedPostId, look);
  const quoted = findAlone(objects, parts.post.quotedPostId ?? reposted?.post.quotedPostId, look);
  return { ...parts, reposted: reposted && { ...reposted, quoted }, quoted };
}

/** Does the same without the posts that the post refers to. */
function findAlone(objects: ObjectSet, id: PostId | undefined, look: LookV1): PostV1Parts | undefined {
  const post = id === undefined ? undefined : objects.find(id);
  if (!post || objects.visibility(post) !== 'visible') return undefined;
  const author = findUserV1(objects, post.authorId, look);
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
    acts: look.withActs ? actsOf(objects, post) : undefined,
    url: statusUrl(look.publicUrl, objects.users.find(post.authorId)?.username, post.id),
    publicUrl: look.publicUrl,
  };
}

/** Of a repost, the viewer likes and reposts the original; of an edited post, the first version. */
function actsOf(objects: ObjectSet, post: Post): PostV1Parts['acts'] {
  const id = post.repostedPostId ?? firstVersionId(post);
  return { liked: objects.isLiked(id), reposted: objects.isReposted(id) };
}

function mediaOf(objects: ObjectSet, { detail: { mediaKeys = [] } }: Post): Map<Media['id'], Media> {
  const ids = mediaKeys.map(mediaIdOfKey);
  return new Map(ids.flatMap((id) => entryOf(id, objects.findMedia(id))));
}

function entryOf<K, V>(key: K, value: V | undefined): (readonly [K, V])[] {
  return value === undefined ? [] : [[key, value]];
}
