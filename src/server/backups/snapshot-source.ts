import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Engine } from '../../database/engine.js';
import { inspectDatabase, openServerSnapshot } from '../../database/open-engine.js';
import { hasCode } from '../../database/private-file.js';
import { databaseFile } from '../backend.js';
import { BackupRefused } from './backup-refused.js';
import { describeFile, describeRows, type RowFacts } from './describe-rows.js';
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
  await using inspection = await inspectDatabase(database);
  return { engineVersion: inspection.version, ...(await describeInThread(file, names)) };
}

/**
 * Reads the copy in another thread: each statement on a file occupies its thread, which may serve requests. A thread cannot
 * load sources that are translated on import; then this one reads.
 */
async function describeInThread(file: string, names: NameSpool): Promise<RowFacts> {
  const script = new URL('./describe-worker.js', import.meta.url);
  const worker = new Worker(script, { workerData: { file, names: names.folder } });
  const answers: Promise<unknown[]> = once(worker, 'message');
  try {
    const [facts] = await answers;
    return facts as RowFacts;
  } catch (error) {
    if (hasCode(error, 'ERR_MODULE_NOT_FOUND')) return describeFile(file, names.folder);
    throw error;
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
    return { engineVersion: snapshot.engineVersion, ...(await describeRows(snapshot.rows, names)) };
  } finally {
    await snapshot.close();
  }
}
