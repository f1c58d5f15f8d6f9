import type { MediaId } from '../core/ids.js';
import { asOptionalText, asText } from '../database/decode.js';
import type { Queryable, Tx } from '../database/engine.js';
import { list, sql } from '../database/sql.js';

/** The subtitles of a video in one language. */
export interface Subtitles {
  readonly languageCode: string;
  readonly displayName?: string;
  /** The name of the file. */
  readonly blob: string;
}

/** Returns the subtitles of a video, ordered by language. */
export async function listSubtitles(db: Queryable, id: MediaId): Promise<Subtitles[]> {
  const rows = await db.all(sql`SELECT language_code, display_name, blob FROM media_subtitles
    WHERE media_id = ${id} ORDER BY language_code`);
  return rows.map((row) => ({
    languageCode: asText(row['language_code']),
    displayName: asOptionalText(row['display_name']),
    blob: asText(row['blob']),
  }));
}

/** Stores the subtitles of a video and replaces those in the same language. */
export async function putSubtitles(tx: Tx, id: MediaId, subtitles: Subtitles): Promise<void> {
  await tx.run(sql`INSERT INTO media_subtitles (media_id, language_code, display_name, blob)
    VALUES (${id}, ${subtitles.languageCode}, ${subtitles.displayName}, ${subtitles.blob})
    ON CONFLICT (media_id, language_code) DO UPDATE
      SET display_name = excluded.display_name, blob = excluded.blob`);
}

/** Deletes the subtitles in these languages. */
export async function deleteSubtitles(tx: Tx, id: MediaId, languageCodes: readonly string[]): Promise<void> {
  if (languageCodes.length === 0) return;
  await tx.run(sql`DELETE FROM media_subtitles
    WHERE media_id = ${id} AND language_code IN ${list(languageCodes)}`);
}
