import { invalidRequest } from '../../core/errors.js';
import type { MediaId, PostId, UserId } from '../../core/ids.js';
import { isMessageMedia } from '../../core/media.js';
import type { Media } from '../../core/post.js';
import type { Queryable, Tx } from '../../database/engine.js';
import { blockedAmong, blockersAmong } from '../../stores/blocks.js';
import { attachMedia, findMedia } from '../../stores/media.js';
import { findPlaces } from '../../stores/places.js';
import { findUsers } from '../../stores/users.js';

/** Four photos, or one GIF, or one video (docs/api/posts.md#attachments). */
const MAX_PHOTOS = 4;

interface MediaClaim {
  readonly ids: readonly MediaId[];
  readonly ownerId: UserId;
  readonly postId: PostId;
  readonly nowMs: number;
}

/**
 * Takes the author's media for a post. Throws PipitError 'invalid-request' with the recorded message when one is
 * missing, somebody else's, expired or in use, or when they do not go together.
 */
export async function takeMedia(tx: Tx, claim: MediaClaim): Promise<void> {
  if (claim.ids.length === 0) return;
  const ids = [...new Set(claim.ids)];
  const media = [...(await findMedia(tx, ids)).values()];
  const areUsable = media.length === claim.ids.length && canBeCombined(media);
  for (const id of areUsable ? ids : []) {
    const { ownerId, postId, nowMs } = claim;
    if (!(await attachMedia(tx, { id, ownerId, attachTo: postId, nowMs }))) throw unusable(claim.ids);
  }
  if (!areUsable) throw unusable(claim.ids);
}

/** True for what one post may show together (docs/api/posts.md#attachments). */
export function canBeCombined(media: readonly Pick<Media, 'mediaKey' | 'type'>[]): boolean {
  if (media.some((item) => isMessageMedia(item.mediaKey))) return false;
  const arePhotos = media.every((item) => item.type === 'photo');
  return arePhotos ? media.length <= MAX_PHOTOS : media.length === 1;
}

function unusable(ids: readonly MediaId[]): Error {
  return invalidRequest('media.media_ids', [`[${ids.join(', ')}]`], 'Your media IDs are invalid.');
}

/**
 * Those of the users who exist, allow photo tagging and have no block between them and the author; the others are
 * skipped (docs/api/posts.md; docs/api/people.md#follows-blocks-and-mutes).
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

/** Throws PipitError 'invalid-request' when the place is not stored. */
export async function requirePlace(db: Queryable, id: string): Promise<void> {
  if (!(await findPlaces(db, [id])).has(id)) {
    throw invalidRequest('$.geo.place_id', [id], `$.geo.place_id: there is no place with id [${id}]`);
  }
}
