import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkDiskSpace, inMib, type FreeBlocks } from '../disk-space.js';
import { type Finding, type Inspection, ok, problem, warning } from '../inspection.js';
import { DEFAULTS } from '../options.js';
import type { Queryable } from '../queryable.js';
import { asText, sql } from '../sql.js';
import { openConnection, readsOf, type Connection } from './connection.js';
import { retryWhileBusy } from './lock.js';
import { sqliteDialect } from './schema-dialect.js';

/** The fields of statfs(2) that are checked. */
export interface FileSystemFacts extends FreeBlocks {
  /** The magic number of the file system type. */
  readonly type: number;
}

/** Checkpoints keep the log far smaller; above this a very long reader blocks them, or they fail. */
const LARGE_WAL_BYTES = 256 * 1024 * 1024;

/** Network file systems, whose locks are unreliable (sqlite.org/howtocorrupt.html 2.1; statfs(2)). */
const NETWORK = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
]);
const TMPFS = 0x01021994;

/** Opens an existing SQLite file for inspection. Throws StorageUnavailable if it cannot be read. */
export async function inspectSqlite(
  file: string,
  factsOf: (folder: string) => Promise<FileSystemFacts> = statfs,
): Promise<Inspection> {
  const connection = openConnection(file, { readonly: true });
  const reads = readsOf(connection);
  // Readers meet a lock while another process recovers or closes the log.
  const waiting = <T>(read: () => Promise<T> | T): Promise<T> => retryWhileBusy(read, DEFAULTS.busyLimitMs);
  const db: Queryable = {
    all: (query) => waiting(() => reads.all(query)),
    get: (query) => waiting(() => reads.get(query)),
  };
  try {
    const row = await db.get(sql`SELECT sqlite_version() AS version`);
    return {
      engine: 'SQLite',
      version: asText(row?.['version']),
      db,
      dialect: sqliteDialect,
      check: async ({ isDeep }) => [
        await waiting(() => checkJournal(connection)),
        await checkLog(file),
        ...checkFileSystem(await factsOf(dirname(file))),
        ...(isDeep ? [await waiting(() => checkPages(connection))] : []),
      ],
      findDamage: async () => {
        const result = String(await waiting(() => connection.pragma('integrity_check(1)')));
        return result === 'ok' ? undefined : result;
      },
      [Symbol.asyncDispose]: async () => connection.close(),
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function checkJournal(connection: Connection): Finding {
  const mode = String(connection.pragma('journal_mode'));
  return mode === 'wal'
    ? ok('journal', 'write-ahead log')
    : warning('journal', `mode ${mode}; the next start switches it to a write-ahead log`);
}

async function checkLog(file: string): Promise<Finding> {
  const { size: bytes } = await stat(`${file}-wal`).catch(() => ({ size: 0 }));
  const message = `the size of the write-ahead log is ${inMib(bytes)}`;
  return bytes <= LARGE_WAL_BYTES
    ? ok('log size', message)
    : warning('log size', `${message}: a long-running reader keeps it from shrinking`);
}

function checkFileSystem(facts: FileSystemFacts): Finding[] {
  return [kindOfFileSystem(facts.type), checkDiskSpace(facts)];
}

function kindOfFileSystem(type: number): Finding {
  const check = 'file system';
  // A 32-bit value, which some systems return as signed.
  const network = NETWORK.get(type >>> 0);
  if (network !== undefined)
    return problem(check, `${network}, whose locks are unreliable: use a local disk`);
  return type === TMPFS
    ? warning(check, 'in memory: a restart of the machine deletes the database')
    : ok(check, 'not on a network');
}

function checkPages(connection: Connection): Finding {
  const result = String(connection.pragma('quick_check(1)'));
  return result === 'ok'
    ? ok('integrity', 'all pages are intact')
    : problem('integrity', `damaged, restore a backup: ${result}`);
}
