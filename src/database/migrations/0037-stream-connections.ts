import type { Migration } from './migration.js';

/** The connections of apps to streams: the open ones of all processes, and those that ended lately. */
export const streamConnections: Migration = {
  version: 37,
  name: 'stream-connections',
  statements: (ddl) => [
    `CREATE TABLE stream_connections (
      id ${ddl.idKey},
      uuid TEXT NOT NULL,
      app_id BIGINT NOT NULL,
      stream TEXT NOT NULL,
      part INTEGER NOT NULL,
      is_recovery INTEGER NOT NULL,
      client_address TEXT,
      connected_at BIGINT NOT NULL,
      ends_at BIGINT NOT NULL,
      reason TEXT
    )`,
    'CREATE UNIQUE INDEX stream_connections_uuid ON stream_connections (uuid)',
    'CREATE INDEX stream_connections_app ON stream_connections (app_id, id)',
  ],
};
