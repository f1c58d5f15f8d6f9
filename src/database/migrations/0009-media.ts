import type { Migration } from './migration.js';

/** Uploads, their owners, subtitles, and an index of unattached media. */
export const media: Migration = {
  version: 9,
  name: 'media',
  statements: (ddl) => [
    `CREATE TABLE media_uploads (
      media_id ${ddl.idKey},
      owner_id BIGINT NOT NULL,
      category TEXT,
      total_bytes BIGINT NOT NULL,
      state TEXT NOT NULL,
      failure TEXT,
      facts TEXT,
      expires_at BIGINT NOT NULL
    )`,
    'CREATE INDEX media_uploads_expiring ON media_uploads (expires_at)',
    `CREATE TABLE media_segments (
      media_id BIGINT NOT NULL,
      segment_index BIGINT NOT NULL,
      size_bytes BIGINT NOT NULL,
      PRIMARY KEY (media_id, segment_index)
    )${ddl.clustered}`,
    `CREATE TABLE media_owners (
      media_id BIGINT NOT NULL,
      user_id BIGINT NOT NULL,
      PRIMARY KEY (media_id, user_id)
    )${ddl.clustered}`,
    `CREATE TABLE media_subtitles (
      media_id BIGINT NOT NULL,
      language_code TEXT NOT NULL,
      display_name TEXT,
      blob TEXT NOT NULL,
      PRIMARY KEY (media_id, language_code)
    )${ddl.clustered}`,
    'CREATE INDEX media_unused ON media (expires_at) WHERE attached_to IS NULL AND expires_at IS NOT NULL',
  ],
};
