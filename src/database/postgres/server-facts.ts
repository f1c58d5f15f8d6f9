import { asNumber, asOptionalText, asText } from '../decode.js';
import type { Queryable } from '../engine.js';
import { sql } from '../sql.js';

/** What of a server, and of the database on it, bears on Pipit. */
export interface ServerFacts {
  /** As `server_version_num` has it: 150004 is 15.4. */
  readonly version: number;
  readonly encoding: string;
  readonly collation: string;
  readonly fsync: string;
  readonly fullPageWrites: string;
  /** With which sessions begin. */
  readonly synchronousCommit: string;
  readonly sharedBuffersBytes: number;
  /** How many connections it takes from all who are no administrators. */
  readonly connections: number;
  /** Where the data lies on the server's machine; undefined for users who may not know. */
  readonly dataFolder: string | undefined;
  /** At which the server was reached; undefined for a socket in the file system. */
  readonly address: string | undefined;
}

/** Throws what `db` throws. */
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
      host(inet_server_addr()) AS address
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
  };
}
