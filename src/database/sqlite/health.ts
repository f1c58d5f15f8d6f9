import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asText } from '../decode.js';
import { checkDiskSpace, inMib, type FreeBlocks } from '../disk-space.js';
import type { Queryable } from '../engine.js';
import type { Finding, Inspection } from '../inspection.js';
import { sql } from '../sql.js';
import { openConnection, type Connection } from './connection.js';
import { sqliteDialect } from './schema-dialect.js';

/** The part of statfs(2) that is looked at. */
export interface FileSystemFacts extends FreeBlocks {
  /** The magic number of its kind. */
  readonly type: number;
}

/** Checkpoints keep the log far below; beyond it somebody reads for very long, or they fail. */
const LARGE_WAL_BYTES = 256 * 1024 * 1024;

/** File systems over a network: their locks cannot be relied on (sqlite.org/howtocorrupt.html 2.1; statfs(2)). */
const NETWORK = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
]);
const TMPFS = 0x01021994;

/** Opens an existing SQLite file to look at it. Throws StorageUnavailable when it cannot be read. */
export async function inspectSqlite(
  file: string,
  factsOf: (folder: string) => Promise<FileSystemFacts> = statfs,
): Promise<Inspection> {
  const connection = openConnection(file, { readonly: true });
  const db: Queryable = {
    all: async (query) => connection.readAll(query),
    get: async (query) => connection.readOne(query),
  };
  try {
    const row = await db.get(sql`SELECT sqlite_version() AS version`);
    return {
      engine: 'SQLite',
      version: asText(row?.['version']),
      db,
      dialect: sqliteDialect,
      check: async ({ isDeep }) => [
        checkJournal(connection),
        await checkLog(file),
        ...checkFileSystem(await factsOf(dirname(file))),
        ...(isDeep ? [checkPages(connection)] : []),
      ],
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
    ? { level: 'ok', check: 'journal', message: 'write-ahead log' }
    : {
        level: 'warning',
        check: 'journal',
        message: `mode ${mode}; the next start makes it a write-ahead log`,
      };
}

async function checkLog(file: string): Promise<Finding> {
  const bytes = await stat(`${file}-wal`).then(
    ({ size }) => size,
    () => 0,
  );
  const message = `the write-ahead log has ${inMib(bytes)}`;
  return bytes <= LARGE_WAL_BYTES
    ? { level: 'ok', check: 'log size', message }
    : { level: 'warning', check: 'log size', message: `${message}: a reader that never ends holds it` };
}

function checkFileSystem(facts: FileSystemFacts): Finding[] {
  return [kindOfFileSystem(facts.type), checkDiskSpace(facts)];
}

function kindOfFileSystem(type: number): Finding {
  const check = 'file system';
  // 32 bits, which some systems give with a sign.
  const network = NETWORK.get(type >>> 0);
  if (network !== undefined)
    return { level: 'problem', check, message: `${network}, whose locks do not hold: use a local disk` };
  return type === TMPFS
    ? { level: 'warning', check, message: 'in memory: the database ends with the machine' }
    : { level: 'ok', check, message: 'not on a network' };
}

function checkPages(connection: Connection): Finding {
  const result = String(connection.pragma('quick_check(1)'));
  return result === 'ok'
    ? { level: 'ok', check: 'integrity', message: 'every page is sound' }
    : { level: 'problem', check: 'integrity', message: `damaged, restore a backup: ${result}` };
}
