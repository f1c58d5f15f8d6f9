import type { MediaId, UserId } from '../core/ids.js';
import type { Media, MediaType } from '../core/post.js';
import {
  asId,
  asJson,
  asNumber,
  asOptionalId,
  asOptionalNumber,
  asOptionalText,
  asText,
  toJson,
} from '../database/decode.js';
import type { Queryable, Row, Tx } from '../database/engine.js';
import { list, sql } from '../database/sql.js';

function decodeMedia(row: Row): Media {
  return {
    id: asId(row.id),
    mediaKey: asText(row.media_key),
    type: asText(row.type) as MediaType,
    ownerId: asOptionalId(row.owner_id),
    url: asOptionalText(row.url),
    previewImageUrl: asOptionalText(row.preview_image_url),
    width: asOptionalNumber(row.width),
    height: asOptionalNumber(row.height),
    durationMs: asOptionalNumber(row.duration_ms),
    altText: asOptionalText(row.alt_text),
    viewCount: asOptionalNumber(row.view_count),
    variants: asJson(row.variants),
    attachedTo: asOptionalId(row.attached_to),
    createdAtMs: asNumber(row.created_at),
    expiresAtMs: asOptionalNumber(row.expires_at),
  };
}

/** Returns the stored media among `ids`, by id. */
export async function findMedia(db: Queryable, ids: readonly MediaId[]): Promise<Map<MediaId, Media>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(sql`SELECT * FROM media WHERE id IN ${list(ids)}`);
  return new Map(rows.map((row) => [asId<MediaId>(row.id), decodeMedia(row)]));
}

/** Stores media. Returns false and changes nothing if the id is taken. */
export async function insertMedia(tx: Tx, media: Media): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO media (id, media_key, type, owner_id, url, preview_image_url, width, height, duration_ms, alt_text,
      view_count, variants, attached_to, created_at, expires_at)
    VALUES (${media.id}, ${media.mediaKey}, ${media.type}, ${media.ownerId}, ${media.url}, ${media.previewImageUrl},
      ${media.width}, ${media.height}, ${media.durationMs}, ${media.altText}, ${media.viewCount},
      ${toJson(media.variants)}, ${media.attachedTo}, ${media.createdAtMs}, ${media.expiresAtMs})
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/**
 * Attaches media to a post or message of an owner. Returns false if the media belong to others, are in use or
 * expired. One statement, so that two posts cannot attach the same media.
 */
export async function attachMedia(
  tx: Tx,
  media: { id: MediaId; ownerId: UserId; attachTo: bigint; nowMs: number },
): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE media SET attached_to = ${media.attachTo}
    WHERE id = ${media.id} AND attached_to IS NULL AND (expires_at IS NULL OR expires_at > ${media.nowMs})
      AND (owner_id = ${media.ownerId} OR EXISTS (
        SELECT 1 FROM media_owners WHERE media_id = media.id AND user_id = ${media.ownerId}))`);
  return changed === 1;
}

/**
 * Sets the alt text of unattached media. Returns false and changes nothing if they belong to others, are in use or
 * expired.
 */
export async function setAltText(
  tx: Tx,
  media: { id: MediaId; ownerId: UserId; altText: string | undefined; nowMs: number },
): Promise<boolean> {
  const changed = await tx.run(sql`UPDATE media SET alt_text = ${media.altText}
    WHERE id = ${media.id} AND owner_id = ${media.ownerId} AND attached_to IS NULL
      AND (expires_at IS NULL OR expires_at > ${media.nowMs})`);
  return changed === 1;
}

/**
 * Detaches the media of a deleted post or message. Uploads expire immediately: their files are no longer served and
 * cannot be attached again. Declared or imported media become free.
 */
export async function detachMedia(tx: Tx, id: MediaId, attachedTo: bigint): Promise<void> {
  await tx.run(sql`UPDATE media SET attached_to = NULL, expires_at = CASE WHEN expires_at IS NULL THEN NULL ELSE 0 END
    WHERE id = ${id} AND attached_to = ${attachedTo}`);
}
