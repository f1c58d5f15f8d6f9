import type { MediaId, UserId } from '../core/ids.js';
import type { Media } from '../core/post.js';
import type { Queryable, Tx } from '../database/engine.js';
import {
  asId,
  asJson,
  asNumber,
  asOptionalId,
  asOptionalNumber,
  asOptionalText,
  asText,
  toJson,
  sql,
} from '../database/sql.js';
import { defineTable, listQuery, rowChange } from '../database/table.js';

const MEDIA = defineTable<Media, MediaId>('media', 'id', {
  id: ['id', asId],
  mediaKey: ['media_key', asText],
  type: ['type', asText],
  ownerId: ['owner_id', asOptionalId],
  url: ['url', asOptionalText],
  previewImageUrl: ['preview_image_url', asOptionalText],
  width: ['width', asOptionalNumber],
  height: ['height', asOptionalNumber],
  durationMs: ['duration_ms', asOptionalNumber],
  altText: ['alt_text', asOptionalText],
  viewCount: ['view_count', asOptionalNumber],
  variants: ['variants', asJson, toJson],
  attachedTo: ['attached_to', asOptionalId],
  createdAtMs: ['created_at', asNumber],
  expiresAtMs: ['expires_at', asOptionalNumber],
});

export const findMedia = MEDIA.findAmong;
export const insertMedia = MEDIA.insertNew;

/** Returns up to `limit` media with ids above `afterId`, ordered by id. */
export function pageMedia(db: Queryable, afterId: MediaId, limit: number): Promise<Media[]> {
  return MEDIA.list(db, sql`id > ${afterId} ORDER BY id LIMIT ${limit}`);
}

/** Returns up to `limit` ids, above `afterId` and in order, of media that no upload owns and nothing has attached. */
export const pageFreeMedia = listQuery<MediaId, [afterId: MediaId, limit: number]>(
  asId,
  `SELECT id FROM media WHERE id > ? AND attached_to IS NULL AND expires_at IS NULL AND owner_id IS NULL
   ORDER BY id LIMIT ?`,
);

/** Overwrites stored media, except their owner and attachment. */
export const updateMedia = MEDIA.overwriter(
  'mediaKey',
  'ownerId',
  'attachedTo',
  'createdAtMs',
  'expiresAtMs',
);

/** Lets a user attach media of another. Returns false if it is so already. */
export const insertOwner = rowChange<[id: MediaId, userId: UserId]>(
  'INSERT INTO media_owners (media_id, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
);

/**
 * Attaches media to a post or message of an owner. Returns false if the media belong to others, are in use or
 * expired. One statement, so that two posts cannot attach the same media.
 */
export function attachMedia(
  tx: Tx,
  media: { id: MediaId; ownerId: UserId; attachTo: bigint; nowMs: number },
): Promise<boolean> {
  return tx.runOne(sql`
    UPDATE media SET attached_to = ${media.attachTo}
    WHERE id = ${media.id} AND attached_to IS NULL AND (expires_at IS NULL OR expires_at > ${media.nowMs})
      AND (owner_id = ${media.ownerId} OR EXISTS (
        SELECT 1 FROM media_owners WHERE media_id = media.id AND user_id = ${media.ownerId}))`);
}

/**
 * Sets the alt text of unattached media. Returns false and changes nothing if they belong to others, are in use or
 * expired.
 */
export const setAltText = rowChange<[string | undefined, MediaId, ownerId: UserId, nowMs: number]>(
  `UPDATE media SET alt_text = ?
  WHERE id = ? AND owner_id = ? AND attached_to IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
);

/**
 * Attaches media to the user whose profile shows them. They expire when they are detached. Returns false if they belong
 * to another user or are in use.
 */
export function attachToProfile(tx: Tx, id: MediaId, userId: UserId): Promise<boolean> {
  return tx.runOne(sql`
    UPDATE media SET attached_to = ${userId}, owner_id = ${userId}, expires_at = COALESCE(expires_at, 0)
    WHERE id = ${id} AND attached_to IS NULL AND (owner_id IS NULL OR owner_id = ${userId})`);
}

/**
 * Detaches the media of a deleted post or message. Uploads expire immediately: their files are no longer served and
 * cannot be attached again. Declared or imported media become free.
 */
export async function detachMedia(tx: Tx, id: MediaId, attachedTo: bigint): Promise<void> {
  await tx.run(sql`UPDATE media SET attached_to = NULL, expires_at = CASE WHEN expires_at IS NULL THEN NULL ELSE 0 END
    WHERE id = ${id} AND attached_to = ${attachedTo}`);
}
