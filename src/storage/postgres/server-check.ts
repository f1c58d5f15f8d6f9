import { asNumber, asText } from '../decode.js';
import type { Queryable } from '../engine.js';
import { UnsupportedDatabase } from '../errors.js';
import { sql } from '../sql.js';
import type { StorageLog } from '../storage-log.js';

const OLDEST_VERSION = 150_000;

/** Orders text by its bytes, in every version of every system. */
const BYTE_ORDERS = /^(C|POSIX|C\.UTF-?8)$/i;

/**
 * Throws UnsupportedDatabase for a server below version 15 or a database that cannot hold every text. Another order of
 * text than that of bytes is only worth a warning: no page here is in the order of a text, but indexes over texts have
 * to be rebuilt when the system's rules for that order change.
 */
export async function checkServer(db: Queryable, log: StorageLog): Promise<void> {
  const row = await db.get(sql`
    SELECT CAST(current_setting('server_version_num') AS BIGINT) AS version,
      current_setting('server_encoding') AS encoding, datcollate AS collation
    FROM pg_database WHERE datname = current_database()`);
  const version = asNumber(row?.['version']);
  if (version < OLDEST_VERSION) {
    throw new UnsupportedDatabase(
      `the PostgreSQL server has version ${Math.floor(version / 10_000)}, Pipit needs 15 or newer`,
    );
  }
  const encoding = asText(row?.['encoding']);
  if (encoding !== 'UTF8') {
    throw new UnsupportedDatabase(
      `the database is encoded in ${encoding}: CREATE DATABASE ... ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0`,
    );
  }
  const collation = asText(row?.['collation']);
  if (!BYTE_ORDERS.test(collation)) {
    log.warn(
      { collation },
      'the database sorts text by a locale: REINDEX it when the system changes its locales',
    );
  }
}
