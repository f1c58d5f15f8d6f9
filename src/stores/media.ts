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

/** The stored media among `ids`, by id. */
export async function findMedia(db: Queryable, ids: readonly MediaId[]): Promise<Map<MediaId, Media>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(sql`SELECT * FROM media WHERE id IN ${list(ids)}`);
  return new Map(rows.map((row) => [asId<MediaId>(row.id), decodeMedia(row)]));
}

/** Stores media; false, changing nothing, when the id is taken. */
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
 * Gives media to a post or message of an owner; false when they are not theirs, already in use or expired. One
 * statement, so that two posts cannot take the same media.
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

/** Describes media that nothing shows yet; false, changing nothing, for others', expired ones and those in use. */
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
 * Ends the media of a post or message that is deleted: an upload expires with it, so that its files are no longer served
 * and nothing else can show it. Media that were declared or imported are free again.
 */
export async function detachMedia(tx: Tx, id: MediaId, attachedTo: bigint): Promise<void> {
  await tx.run(sql`UPDATE media SET attached_to = NULL, expires_at = CASE WHEN expires_at IS NULL THEN NULL ELSE 0 END
    WHERE id = ${id} AND attached_to = ${attachedTo}`);
}
