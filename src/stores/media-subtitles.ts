import type { MediaId } from '../core/ids.js';
import type { Queryable, Tx } from '../database/engine.js';
import { asOptionalText, asText, sql } from '../database/sql.js';
import { defineTable, listQuery, rowsChange } from '../database/table.js';

/** The subtitles of a video in one language. */
export interface Subtitles {
  readonly languageCode: string;
  readonly displayName?: string;
  /** The name of the file. */
  readonly blob: string;
}

const SUBTITLES = defineTable<Subtitles, string>('media_subtitles', 'languageCode', {
  languageCode: ['language_code', asText],
  displayName: ['display_name', asOptionalText],
  blob: ['blob', asText],
});

/** Returns the subtitles of a video, ordered by language. */
export function listSubtitles(db: Queryable, id: MediaId): Promise<Subtitles[]> {
  return SUBTITLES.list(db, sql`media_id = ${id} ORDER BY language_code`);
}

/** Returns the names of the files of all subtitles of these videos. */
export const listSubtitleFiles = listQuery<string, [ids: readonly MediaId[]]>(
  asText,
  'SELECT blob FROM media_subtitles WHERE media_id IN ?',
);

/** Stores the subtitles of a video and replaces those in the same language. */
export async function putSubtitles(tx: Tx, id: MediaId, subtitles: Subtitles): Promise<void> {
  await tx.run(sql`INSERT INTO media_subtitles (media_id, language_code, display_name, blob)
    VALUES (${id}, ${subtitles.languageCode}, ${subtitles.displayName}, ${subtitles.blob})
    ON CONFLICT (media_id, language_code) DO UPDATE
      SET display_name = excluded.display_name, blob = excluded.blob`);
}

/** Deletes the subtitles in these languages. */
export const deleteSubtitles = rowsChange<[MediaId, languageCodes: readonly string[]]>(
  'DELETE FROM media_subtitles WHERE media_id = ? AND language_code IN ?',
);
