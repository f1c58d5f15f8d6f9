import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { inMib } from '../../database/disk-space.js';
import { ProgramFailed } from '../../database/errors.js';
import { ok, problem, warning, type Finding } from '../../database/inspection.js';
import { openDumpTarget, openServerSnapshot } from '../../database/open-engine.js';
import type { Config } from '../config.js';
import { listBackups } from './find-backups.js';
import { engineOf } from './snapshot-source.js';

const CHECK = 'backups';

/** A backup this much older than the interval is late, as one that failed all day. */
const LATE_INTERVALS = 2;

/** A new backup is complete before an old one is deleted, and the database grows meanwhile. */
const ROOM = 2;

type BackupConfig = Pick<Config, 'database' | 'backupEvery' | 'backupTo' | 'postgresPrograms'>;

/**
 * Checks what backups need, if a folder for them is configured: a place that can be written and has room, the programs of
 * PostgreSQL, and a newest backup that is not late. Changes nothing.
 */
export async function checkBackups(config: BackupConfig, nowMs: number): Promise<Finding[]> {
  const { database, backupEvery: everyMs, backupTo: folder, postgresPrograms } = config;
  if (folder === undefined) return [];
  const programs = engineOf(database) === 'SQLite' ? [] : await checkServer(database, postgresPrograms);
  return [await checkFolder(folder, everyMs, nowMs), ...programs];
}

async function checkFolder(folder: string, everyMs: number | undefined, nowMs: number): Promise<Finding> {
  const place = await existingAt(folder);
  if (!(await stat(place)).isDirectory()) return problem(CHECK, `${place} is not a folder`);
  if (!(await isWritable(place))) return problem(CHECK, `${place} cannot be written by this user`);
  if (place !== folder) return ok(CHECK, `${folder} is created by the first backup`);
  const [newest] = await listBackups(folder);
  if (newest === undefined) return ok(CHECK, `there is none in ${folder} yet`);
  const { createdAtMs, databaseBytes } = newest.manifest;
  const made = `the newest is of ${new Date(createdAtMs).toISOString()}`;
  if (everyMs !== undefined && nowMs - createdAtMs > LATE_INTERVALS * everyMs)
    return problem(CHECK, `${made}, and late: see "a job failed" in the log of the servers`);
  const { bavail, bsize } = await statfs(folder);
  const needed = ROOM * databaseBytes;
  return bavail * bsize < needed
    ? warning(
        CHECK,
        `${folder} has room for ${inMib(bavail * bsize)}, and the next one may need ${inMib(needed)}`,
      )
    : ok(CHECK, made);
}

/** Returns a path, or the nearest one above it that exists. */
async function existingAt(path: string): Promise<string> {
  let place = path;
  while (!(await isPossible(stat(place)))) place = dirname(place);
  return place;
}

function isWritable(folder: string): Promise<boolean> {
  return isPossible(access(folder, constants.W_OK | constants.X_OK));
}

function isPossible(operation: Promise<unknown>): Promise<boolean> {
  return operation.then(
    () => true,
    () => false,
  );
}

async function checkServer(database: string, programs: string | undefined): Promise<Finding[]> {
  const check = 'backup programs';
  try {
    if (await isDistributed(database, programs))
      return [problem(CHECK, 'the tables are spread over several servers: see docs/backups.md#citus')];
    await (await openDumpTarget(database, programs)).close();
    return [ok(check, 'pg_dump and pg_restore fit the server')];
  } catch (error) {
    if (error instanceof ProgramFailed) return [problem(check, error.message)];
    throw error;
  }
}

async function isDistributed(database: string, programs: string | undefined): Promise<boolean> {
  const snapshot = await openServerSnapshot(database, programs);
  try {
    return await snapshot.rows.isDistributed();
  } finally {
    await snapshot.close();
  }
}
