import { invalidRequest } from '../../core/errors.js';
import type { MediaId, PostId, UserId } from '../../core/ids.js';
import { MAX_POST_MEDIA } from '../../core/limits.js';
import { isPostMedia } from '../../core/media.js';
import type { Media } from '../../core/post.js';
import { REFUSED } from '../../core/refused-actions.js';
import type { Queryable, Tx } from '../../database/engine.js';
import { blockedAmong, blockersAmong } from '../../stores/blocks.js';
import { attachMedia, findMedia } from '../../stores/media.js';
import { findPlaces } from '../../stores/places.js';
import { findUsers } from '../../stores/users.js';

interface MediaClaim {
  readonly ids: readonly MediaId[];
  readonly ownerId: UserId;
  readonly postId: PostId;
  readonly nowMs: number;
  /** The versions that the post replaces: it may show their media. */
  readonly versions?: readonly PostId[];
}

/**
 * Attaches the author's media to a post. Throws 'invalid-request' with X's recorded message when a media file is
 * missing, owned by another user, expired or already used, or when the combination is not allowed.
 */
export async function takeMedia(tx: Tx, claim: MediaClaim): Promise<void> {
  if (claim.ids.length === 0) return;
  const ids = [...new Set(claim.ids)];
  const media = [...(await findMedia(tx, ids)).values()];
  const areUsable = media.length === claim.ids.length && canBeCombined(media);
  const { ownerId, postId, nowMs, versions = [] } = claim;
  const used = new Set<bigint | undefined>(versions);
  const unused = media.filter(({ attachedTo }) => !used.has(attachedTo));
  for (const { id } of areUsable ? unused : []) {
    if (!(await attachMedia(tx, { id, ownerId, attachTo: postId, nowMs }))) throw unusable(claim.ids);
  }
  if (!areUsable) throw unusable(claim.ids);
}

/** Reports whether one post may have all these media (docs/api/posts.md#attachments). */
export function canBeCombined(media: readonly Pick<Media, 'mediaKey' | 'type'>[]): boolean {
  if (!media.every((item) => isPostMedia(item.mediaKey))) return false;
  const arePhotos = media.every((item) => item.type === 'photo');
  return arePhotos ? media.length <= MAX_POST_MEDIA : media.length === 1;
}

function unusable(ids: readonly MediaId[]): Error {
  return invalidRequest('media.media_ids', [`[${ids.join(', ')}]`], REFUSED.mediaIds);
}

/**
 * Returns the users that may be tagged: they exist, allow photo tagging, and have no block with the author
 * (docs/api/posts.md, docs/api/people.md#follows-blocks-and-mutes).
 */
export async function taggable(db: Queryable, authorId: UserId, ids: readonly UserId[]): Promise<UserId[]> {
  if (ids.length === 0) return [];
  const users = await findUsers(db, ids);
  const blockers = await blockersAmong(db, authorId, ids);
  const blocked = await blockedAmong(db, authorId, ids);
  return [...new Set(ids)].filter(
    (id) => users.get(id)?.allowsPhotoTagging && !blockers.has(id) && !blocked.has(id),
  );
}

/** Throws 'invalid-request' when the place does not exist. */
export async function requirePlace(db: Queryable, id: string): Promise<void> {
  if (!(await findPlaces(db, [id])).has(id)) {
    throw invalidRequest('$.geo.place_id', [id], `$.geo.place_id: there is no place with id [${id}]`);
  }
}
