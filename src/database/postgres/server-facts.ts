import type { Queryable } from '../engine.js';
import { asNumber, asOptionalText, asText, sql } from '../sql.js';

/** The properties of a server and a database that matter to Pipit. */
export interface ServerFacts {
  /** In the format of `server_version_num`: 150004 is 15.4. */
  readonly version: number;
  readonly encoding: string;
  readonly collation: string;
  readonly fsync: string;
  readonly fullPageWrites: string;
  /** The default for sessions. */
  readonly synchronousCommit: string;
  readonly sharedBuffersBytes: number;
  /** The number of connections available to ordinary users. */
  readonly connections: number;
  /** The data directory on the server's machine; undefined if hidden from this user. */
  readonly dataFolder: string | undefined;
  /** The server's address; undefined for a Unix socket. */
  readonly address: string | undefined;
  /** The version of the extension Citus in the database; undefined without it. */
  readonly citusVersion: string | undefined;
}

/** Reads the facts. Throws the errors of `db`. */
export async function readServerFacts(db: Queryable): Promise<ServerFacts> {
  const row = await db.get(sql`
    SELECT CAST(current_setting('server_version_num') AS BIGINT) AS version,
      current_setting('server_encoding') AS encoding,
      datcollate AS collation,
      current_setting('fsync') AS fsync,
      current_setting('full_page_writes') AS full_page_writes,
      (SELECT reset_val FROM pg_settings WHERE name = 'synchronous_commit') AS synchronous_commit,
      pg_size_bytes(current_setting('shared_buffers')) AS shared_buffers_bytes,
      CAST(current_setting('max_connections') AS BIGINT)
        - CAST(current_setting('superuser_reserved_connections') AS BIGINT)
        - CAST(COALESCE(current_setting('reserved_connections', true), '0') AS BIGINT) AS connections,
      (SELECT setting FROM pg_settings WHERE name = 'data_directory') AS data_folder,
      host(inet_server_addr()) AS address,
      (SELECT extversion FROM pg_extension WHERE extname = 'citus') AS citus_version
    FROM pg_database WHERE datname = current_database()`);
  return {
    version: asNumber(row?.['version']),
    encoding: asText(row?.['encoding']),
    collation: asText(row?.['collation']),
    fsync: asText(row?.['fsync']),
    fullPageWrites: asText(row?.['full_page_writes']),
    synchronousCommit: asText(row?.['synchronous_commit']),
    sharedBuffersBytes: asNumber(row?.['shared_buffers_bytes']),
    connections: asNumber(row?.['connections']),
    dataFolder: asOptionalText(row?.['data_folder']),
    address: asOptionalText(row?.['address']),
    citusVersion: asOptionalText(row?.['citus_version']),
  };
}
