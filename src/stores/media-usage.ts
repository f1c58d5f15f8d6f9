import type { MediaId, UserId } from '../core/ids.js';
import type { Tx } from '../database/engine.js';
import { asId, asNumber, sql } from '../database/sql.js';
import { mapQuery } from '../database/table.js';

/**
 * Reserves bytes of the owner's quota, for a new upload or for more bytes of existing media. Returns false and
 * changes nothing if the owner would exceed `maxBytes`. One conditional statement, so that concurrent uploads cannot
 * reserve the same space.
 */
export async function reserveBytes(
  tx: Tx,
  upload: { readonly id: MediaId; readonly ownerId: UserId; readonly sizeBytes: number },
  maxBytes: number,
): Promise<boolean> {
  const { id, ownerId, sizeBytes } = upload;
  await tx.run(
    sql`INSERT INTO media_usage (user_id, size_bytes) VALUES (${ownerId}, ${0}) ON CONFLICT DO NOTHING`,
  );
  const changed = await tx.run(sql`UPDATE media_usage SET size_bytes = size_bytes + ${sizeBytes}
    WHERE user_id = ${ownerId} AND size_bytes <= ${maxBytes - sizeBytes}`);
  if (changed !== 1) return false;
  await tx.run(
    sql`INSERT INTO media_bytes (media_id, owner_id, size_bytes) VALUES (${id}, ${ownerId}, ${sizeBytes})
      ON CONFLICT (media_id) DO UPDATE SET size_bytes = media_bytes.size_bytes + excluded.size_bytes`,
  );
  return true;
}

/** Returns the bytes that the files of these media take; absent for media that do not count. */
export const findBytes = mapQuery<MediaId, number, [readonly MediaId[]]>(
  (row) => [asId(row.media_id), asNumber(row.size_bytes)],
  'SELECT media_id, size_bytes FROM media_bytes WHERE media_id IN ?',
);

/** Replaces the reservation of an upload with its final size. */
export async function settleBytes(tx: Tx, id: MediaId, sizeBytes: number): Promise<void> {
  await tx.run(sql`UPDATE media_usage
    SET size_bytes = size_bytes + ${sizeBytes} - (SELECT b.size_bytes FROM media_bytes b WHERE b.media_id = ${id})
    WHERE user_id = (SELECT b.owner_id FROM media_bytes b WHERE b.media_id = ${id})`);
  await tx.run(sql`UPDATE media_bytes SET size_bytes = ${sizeBytes} WHERE media_id = ${id}`);
}

/** Releases part of the bytes of media. */
export async function returnBytes(tx: Tx, id: MediaId, sizeBytes: number): Promise<void> {
  await tx.run(sql`UPDATE media_usage SET size_bytes = size_bytes - ${sizeBytes}
    WHERE user_id = (SELECT b.owner_id FROM media_bytes b WHERE b.media_id = ${id})`);
  await tx.run(sql`UPDATE media_bytes SET size_bytes = size_bytes - ${sizeBytes} WHERE media_id = ${id}`);
}

/** Releases all bytes of an upload whose files are deleted. */
export async function releaseBytes(tx: Tx, id: MediaId): Promise<void> {
  await settleBytes(tx, id, 0);
  await tx.run(sql`DELETE FROM media_bytes WHERE media_id = ${id}`);
}
