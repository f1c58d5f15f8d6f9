import type { Ddl } from '../engine.js';
import type { Migration } from './migration.js';

/**
 * Users, posts and their references, relations, apps and credentials.
 *
 * Keys start with the id used by the hottest path, and no foreign key crosses them (docs/design/storage.md#keys): an
 * edge read from both ends has two tables, and unique names have tables keyed by name.
 */
export const foundation: Migration = {
  version: 1,
  name: 'foundation',
  statements: (ddl) => [
    ...users(ddl),
    ...posts(ddl),
    ...postLinks(ddl),
    ...attachments(ddl),
    ...edges(ddl),
    ...credentials(ddl),
    ...imports(ddl),
  ],
};

function users(ddl: Ddl): string[] {
  return [
    `CREATE TABLE users (
      id ${ddl.idKey},
      username TEXT NOT NULL,
      name TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      description TEXT NOT NULL,
      location TEXT,
      url TEXT,
      profile_image_url TEXT,
      protected INTEGER NOT NULL,
      verified INTEGER NOT NULL,
      verified_type TEXT,
      pinned_post_id BIGINT,
      allows_photo_tagging INTEGER NOT NULL,
      receives_dms TEXT NOT NULL,
      suspended INTEGER NOT NULL,
      entities TEXT,
      withheld TEXT,
      password_hash TEXT
    )`,
    // Maps each lower-case username to its user; unique.
    `CREATE TABLE usernames (
      username TEXT PRIMARY KEY,
      user_id BIGINT NOT NULL
    )${ddl.clustered}`,
    `CREATE TABLE user_counts (
      user_id ${ddl.idKey},
      followers BIGINT NOT NULL,
      following BIGINT NOT NULL,
      posts BIGINT NOT NULL,
      listed BIGINT NOT NULL
    )`,
    // Leases of snowflake worker ids, until a time (ms).
    `CREATE TABLE snowflake_workers (
      worker_id INTEGER PRIMARY KEY,
      lease_until BIGINT NOT NULL
    )`,
  ];
}

function posts(ddl: Ddl): string[] {
  return [
    `CREATE TABLE posts (
      id ${ddl.idKey},
      author_id BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      conversation_id BIGINT NOT NULL,
      text TEXT NOT NULL,
      lang TEXT NOT NULL,
      source TEXT,
      in_reply_to_post_id BIGINT,
      in_reply_to_user_id BIGINT,
      quoted_post_id BIGINT,
      reposted_post_id BIGINT,
      reply_settings TEXT NOT NULL,
      super_followers_only INTEGER NOT NULL,
      possibly_sensitive INTEGER NOT NULL,
      nullcast INTEGER NOT NULL,
      place_id TEXT,
      detail TEXT NOT NULL
    )`,
    `CREATE TABLE post_counts (
      post_id ${ddl.idKey},
      reposts BIGINT NOT NULL,
      replies BIGINT NOT NULL,
      likes BIGINT NOT NULL,
      quotes BIGINT NOT NULL,
      bookmarks BIGINT NOT NULL,
      impressions BIGINT
    )`,
    `CREATE TABLE user_posts (
      user_id BIGINT NOT NULL,
      post_id BIGINT NOT NULL,
      is_reply INTEGER NOT NULL,
      is_repost INTEGER NOT NULL,
      PRIMARY KEY (user_id, post_id)
    )${ddl.clustered}`,
  ];
}

function postLinks(ddl: Ddl): string[] {
  return [
    `CREATE TABLE mentions (
      user_id BIGINT NOT NULL,
      post_id BIGINT NOT NULL,
      PRIMARY KEY (user_id, post_id)
    )${ddl.clustered}`,
    `CREATE TABLE quotes (
      post_id BIGINT NOT NULL,
      quote_id BIGINT NOT NULL,
      PRIMARY KEY (post_id, quote_id)
    )${ddl.clustered}`,
    `CREATE TABLE reposts (
      post_id BIGINT NOT NULL,
      user_id BIGINT NOT NULL,
      repost_id BIGINT NOT NULL,
      PRIMARY KEY (post_id, user_id)
    )${ddl.clustered}`,
    `CREATE TABLE hidden_replies (
      conversation_id BIGINT NOT NULL,
      post_id BIGINT NOT NULL,
      PRIMARY KEY (conversation_id, post_id)
    )${ddl.clustered}`,
    // The last post of an author with a given text, for duplicate detection.
    `CREATE TABLE recent_texts (
      user_id BIGINT NOT NULL,
      text_hash TEXT NOT NULL,
      post_id BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      PRIMARY KEY (user_id, text_hash)
    )${ddl.clustered}`,
    `CREATE TABLE deleted_posts (
      post_id ${ddl.idKey},
      author_id BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      deleted_at BIGINT NOT NULL
    )`,
  ];
}

function attachments(ddl: Ddl): string[] {
  return [
    `CREATE TABLE media (
      id ${ddl.idKey},
      media_key TEXT NOT NULL,
      type TEXT NOT NULL,
      owner_id BIGINT,
      url TEXT,
      preview_image_url TEXT,
      width INTEGER,
      height INTEGER,
      duration_ms BIGINT,
      alt_text TEXT,
      view_count BIGINT,
      variants TEXT,
      attached_to BIGINT,
      created_at BIGINT NOT NULL,
      expires_at BIGINT
    )`,
    `CREATE TABLE polls (
      id ${ddl.idKey},
      options TEXT NOT NULL,
      duration_minutes BIGINT,
      ends_at BIGINT,
      voting_status TEXT
    )`,
    `CREATE TABLE places (
      id TEXT PRIMARY KEY,
      full_name TEXT NOT NULL,
      name TEXT,
      country TEXT,
      country_code TEXT,
      place_type TEXT,
      contained_within TEXT,
      geo TEXT
    )${ddl.clustered}`,
  ];
}

/** Creates an edge table read by `owner`, newest first by edge id. */
function edgeTable(ddl: Ddl, name: string, owner: string, other: string): string[] {
  return [
    `CREATE TABLE ${name} (
      ${owner} BIGINT NOT NULL,
      ${other} BIGINT NOT NULL,
      edge_id BIGINT NOT NULL,
      PRIMARY KEY (${owner}, ${other})
    )${ddl.clustered}`,
    `CREATE INDEX ${name}_newest ON ${name} (${owner}, edge_id)`,
  ];
}

function edges(ddl: Ddl): string[] {
  return [
    ...edgeTable(ddl, 'follows', 'user_id', 'target_id'),
    ...edgeTable(ddl, 'followers', 'user_id', 'follower_id'),
    ...edgeTable(ddl, 'follow_requests', 'target_id', 'user_id'),
    ...edgeTable(ddl, 'blocks', 'user_id', 'target_id'),
    `CREATE TABLE blocked_by (
      user_id BIGINT NOT NULL,
      blocker_id BIGINT NOT NULL,
      PRIMARY KEY (user_id, blocker_id)
    )${ddl.clustered}`,
    ...edgeTable(ddl, 'mutes', 'user_id', 'target_id'),
    ...edgeTable(ddl, 'likes', 'post_id', 'user_id'),
    ...edgeTable(ddl, 'liked_posts', 'user_id', 'post_id'),
    ...edgeTable(ddl, 'bookmarks', 'user_id', 'post_id'),
  ];
}

function credentials(ddl: Ddl): string[] {
  return [
    `CREATE TABLE apps (
      id ${ddl.idKey},
      name TEXT NOT NULL,
      owner_id BIGINT NOT NULL,
      access_level TEXT NOT NULL,
      track TEXT NOT NULL,
      permissions TEXT NOT NULL,
      api_key TEXT NOT NULL,
      api_secret_sealed TEXT NOT NULL,
      bearer_serial BIGINT NOT NULL,
      client_id TEXT NOT NULL,
      client_secret_hash TEXT,
      redirect_uris TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    `CREATE TABLE api_keys (
      api_key TEXT PRIMARY KEY,
      app_id BIGINT NOT NULL
    )${ddl.clustered}`,
    `CREATE TABLE client_ids (
      client_id TEXT PRIMARY KEY,
      app_id BIGINT NOT NULL
    )${ddl.clustered}`,
    // Bearer tokens: an app's own token (no user) or an OAuth 2.0 user token.
    `CREATE TABLE bearer_tokens (
      token_hash TEXT PRIMARY KEY,
      app_id BIGINT NOT NULL,
      user_id BIGINT,
      scopes TEXT,
      created_at BIGINT NOT NULL,
      expires_at BIGINT,
      revoked_at BIGINT
    )${ddl.clustered}`,
    `CREATE TABLE refresh_tokens (
      token_hash TEXT PRIMARY KEY,
      app_id BIGINT NOT NULL,
      user_id BIGINT NOT NULL,
      scopes TEXT NOT NULL,
      access_token_hash TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      revoked_at BIGINT
    )${ddl.clustered}`,
    `CREATE TABLE oauth1_tokens (
      token TEXT PRIMARY KEY,
      app_id BIGINT NOT NULL,
      user_id BIGINT NOT NULL,
      secret_sealed TEXT NOT NULL,
      permission TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      revoked_at BIGINT
    )${ddl.clustered}`,
    ...['bearer_tokens', 'refresh_tokens', 'oauth1_tokens'].map(
      (table) => `CREATE INDEX ${table}_app ON ${table} (app_id)`,
    ),
  ];
}

function imports(ddl: Ddl): string[] {
  return [
    // Objects imported from archives and when they were fetched (ms, 0 unknown): imports may change only these rows.
    `CREATE TABLE imported_objects (
      id BIGINT NOT NULL,
      kind TEXT NOT NULL,
      observed_at BIGINT NOT NULL,
      is_full INTEGER NOT NULL,
      PRIMARY KEY (id, kind)
    )${ddl.clustered}`,
    // The progress of an import of a file; deleted when it completes.
    `CREATE TABLE import_marks (
      source TEXT PRIMARY KEY,
      lines BIGINT NOT NULL,
      bytes BIGINT NOT NULL
    )${ddl.clustered}`,
  ];
}
