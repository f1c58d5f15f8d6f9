import { insertOwner } from './media.js';
import type { MediaId, UserId } from '../core/ids.js';
import type { MediaCategory } from '../core/media.js';
import type { Queryable, Tx } from '../database/engine.js';
import { releaseBytes } from './media-usage.js';
import { asId, asJson, asNumber, asOptionalText, asText, toJson, list, sql } from '../database/sql.js';
import { defineTable, deleteBy, findUnexpired } from '../database/table.js';

/** What the server found out about an upload. */
interface MediaFacts {
  /** Absent for subtitles, which are not media. */
  readonly mediaKey?: string;
  /** The name of the subtitle file. */
  readonly blob?: string;
  /** As detected from the bytes. */
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly width?: number;
  readonly height?: number;
}

/** `receiving` bytes, `processing` them in a job, `succeeded` as media, or `failed`. */
export type UploadState = 'receiving' | 'processing' | 'succeeded' | 'failed';

export interface MediaUpload {
  readonly id: MediaId;
  readonly ownerId: UserId;
  /** As requested. */
  readonly category?: MediaCategory;
  readonly totalBytes: number;
  readonly state: UploadState;
  /** Why it failed; safe to show. */
  readonly failure?: string;
  readonly facts?: MediaFacts;
  readonly expiresAtMs: number;
}

export interface Segment {
  readonly index: number;
  readonly sizeBytes: number;
}

const UPLOADS = defineTable<MediaUpload, MediaId>('media_uploads', 'id', {
  id: ['media_id', asId],
  ownerId: ['owner_id', asId],
  category: ['category', asOptionalText],
  totalBytes: ['total_bytes', asNumber],
  state: ['state', asText],
  failure: ['failure', asOptionalText],
  facts: ['facts', asJson, toJson],
  expiresAtMs: ['expires_at', asNumber],
});

/** Returns the upload, or undefined if there is none or it expired. */
export const findUpload = findUnexpired(UPLOADS);

/** Stores a new upload and the other users who may use its media. */
export async function insertUpload(
  tx: Tx,
  upload: MediaUpload,
  otherOwners: readonly UserId[],
): Promise<void> {
  await UPLOADS.insert(tx, upload);
  for (const userId of new Set(otherOwners)) {
    await insertOwner(tx, upload.id, userId);
  }
}

/** Returns the stored uploads among `ids`, by id, also expired ones. */
export const findUploads = UPLOADS.findAmong;

/** Changes the state of an upload. Returns false and changes nothing if its state is not `from`. */
export function moveUpload(
  tx: Tx,
  id: MediaId,
  from: UploadState,
  to: Pick<MediaUpload, 'state' | 'failure' | 'facts' | 'expiresAtMs'>,
): Promise<boolean> {
  return tx.runOne(sql`
    UPDATE media_uploads SET state = ${to.state}, failure = ${to.failure}, facts = ${toJson(to.facts)},
      expires_at = ${to.expiresAtMs}
    WHERE media_id = ${id} AND state = ${from}`);
}

/**
 * Reserves a segment before it is stored and replaces one with the same number. Returns false and changes nothing if
 * the upload is not `receiving` or its segments would exceed the announced size.
 */
export function noteSegment(tx: Tx, id: MediaId, { index, sizeBytes }: Segment): Promise<boolean> {
  return tx.runOne(sql`INSERT INTO media_segments (media_id, segment_index, size_bytes)
    SELECT media_id, ${index}, ${sizeBytes} FROM media_uploads
    WHERE media_id = ${id} AND state = 'receiving' AND total_bytes >= ${sizeBytes} + (
      SELECT COALESCE(SUM(size_bytes), 0) FROM media_segments
      WHERE media_id = ${id} AND segment_index <> ${index})
    ON CONFLICT (media_id, segment_index) DO UPDATE SET size_bytes = excluded.size_bytes`);
}

const SEGMENTS = defineTable<Segment, bigint>('media_segments', 'index', {
  index: ['segment_index', asNumber],
  sizeBytes: ['size_bytes', asNumber],
});

/** Returns the segments of an upload, ordered by index. */
export function listSegments(db: Queryable, id: MediaId): Promise<Segment[]> {
  return SEGMENTS.list(db, sql`media_id = ${id} ORDER BY segment_index`);
}

/** Returns up to `limit` uploads that expired before `beforeMs` and are not attached to a post or message. */
export async function listExpiredMedia(db: Queryable, beforeMs: number, limit: number): Promise<MediaId[]> {
  const rows = await db.all(sql`
    SELECT id FROM media WHERE attached_to IS NULL AND expires_at IS NOT NULL AND expires_at < ${beforeMs}
    UNION SELECT u.media_id AS id FROM media_uploads u
      WHERE u.expires_at < ${beforeMs} AND NOT EXISTS (SELECT 1 FROM media m WHERE m.id = u.media_id)
    LIMIT ${limit}`);
  return rows.map((row) => asId<MediaId>(row['id']));
}

/** Deletes unattached media with their uploads and releases their storage quota. Media attached meanwhile stay. */
export async function deleteMedia(tx: Tx, ids: readonly MediaId[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(sql`DELETE FROM media WHERE id IN ${list(ids)} AND attached_to IS NULL`);
  for (const table of [sql`media_owners`, sql`media_subtitles`, sql`media_segments`, sql`media_uploads`]) {
    await tx.run(sql`DELETE FROM ${table} WHERE media_id IN ${list(ids)}
      AND NOT EXISTS (SELECT 1 FROM media WHERE media.id = media_id)`);
  }
  const used = await tx.all(sql`SELECT id FROM media WHERE id IN ${list(ids)}`);
  const usedIds = new Set(used.map((row) => asId<MediaId>(row['id'])));
  for (const id of ids) if (!usedIds.has(id)) await releaseBytes(tx, id);
}

/** Deletes the upload records of attached media after they expire. */
export async function deleteOldUploads(tx: Tx, beforeMs: number): Promise<void> {
  await tx.run(sql`DELETE FROM media_uploads WHERE expires_at < ${beforeMs}
    AND EXISTS (SELECT 1 FROM media WHERE media.id = media_uploads.media_id AND media.attached_to IS NOT NULL)`);
}

/** Deletes the segments of an assembled upload. */
export const deleteSegments = deleteBy<MediaId>('media_id', 'media_segments');
