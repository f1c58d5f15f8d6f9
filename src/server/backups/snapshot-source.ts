import { copiedAmong } from '../../database/copied-tables.js';
import type { Engine } from '../../database/engine.js';
import { inspectDatabase, openServerSnapshot, openStoredRows } from '../../database/open-engine.js';
import type { StoredRows } from '../../database/stored-rows.js';
import { databaseFile } from '../backend.js';
import { listNamedFiles } from '../media-names.js';
import { BackupRefused } from './backup-refused.js';
import type { BackedUpEngine, Manifest } from './manifest.js';
import type { NameSpool } from './name-spool.js';

export interface SnapshotRequest {
  readonly database: string;
  readonly engine: Engine;
  /** The folder of PostgreSQL's programs. */
  readonly programs: string | undefined;
  /** The new file. */
  readonly file: string;
  /** Takes the names of the files of media. */
  readonly names: NameSpool;
  readonly signal: AbortSignal;
}

/** What is known of a snapshot. */
export type SnapshotFacts = Pick<Manifest, 'engineVersion' | 'schemaVersion' | 'tables'>;

/** Returns the engine of a database. */
export function engineOf(database: string): BackedUpEngine {
  return databaseFile(database) === undefined ? 'PostgreSQL' : 'SQLite';
}

/** Writes the database as it is at one moment to a file, while others use it, with the names of its files of media. */
export function writeSnapshot(request: SnapshotRequest): Promise<SnapshotFacts> {
  return engineOf(request.database) === 'SQLite' ? copyFileDatabase(request) : dumpServerDatabase(request);
}

async function copyFileDatabase({
  database,
  engine,
  file,
  names,
  signal,
}: SnapshotRequest): Promise<SnapshotFacts> {
  await engine.backup(file);
  signal.throwIfAborted();
  const rows = await openStoredRows(`sqlite:${file}`);
  try {
    await using inspection = await inspectDatabase(database);
    return { engineVersion: inspection.version, ...(await describeRows(rows, names, signal)) };
  } finally {
    await rows.close();
  }
}

async function dumpServerDatabase({
  database,
  programs,
  file,
  names,
  signal,
}: SnapshotRequest): Promise<SnapshotFacts> {
  const snapshot = await openServerSnapshot(database, programs);
  try {
    if (await snapshot.rows.isDistributed())
      throw new BackupRefused(
        'the tables are spread over several servers, of which one dump has no common state: see docs/backups.md#citus',
      );
    await snapshot.dump(file, signal);
    return { engineVersion: snapshot.engineVersion, ...(await describeRows(snapshot.rows, names, signal)) };
  } finally {
    await snapshot.close();
  }
}

async function describeRows(
  rows: StoredRows,
  names: NameSpool,
  signal: AbortSignal,
): Promise<Pick<Manifest, 'schemaVersion' | 'tables'>> {
  for await (const some of listNamedFiles(rows)) {
    signal.throwIfAborted();
    await names.add(some);
  }
  return { schemaVersion: await rows.countRows('pipit_migrations'), tables: await countTables(rows) };
}

/** Returns the number of rows of each table that is no part of the search index. */
async function countTables(rows: StoredRows): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of copiedAmong(await rows.tableNames())) counts[name] = await rows.countRows(name);
  return counts;
}
