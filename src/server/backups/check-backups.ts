import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { inMib } from '../../database/disk-space.js';
import { ProgramFailed } from '../../database/errors.js';
import { ok, problem, warning, type Finding } from '../../database/inspection.js';
import { openDumpTarget, openServerSnapshot } from '../../database/open-engine.js';
import { fileExists, orMissing } from '../../database/private-file.js';
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
  const found = await orMissing(stat(folder)).catch(() => undefined);
  if (found && !found.isDirectory()) return problem(CHECK, `${folder} is not a folder`);
  const place = found ? folder : await folderAbove(folder);
  if (!(await isWritable(place))) return problem(CHECK, `${place} cannot be written by this user`);
  if (!found) return ok(CHECK, `${folder} is created by the first backup`);
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

async function folderAbove(path: string): Promise<string> {
  let folder = dirname(path);
  while (!(await fileExists(folder))) folder = dirname(folder);
  return folder;
}

async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function checkServer(database: string, programs: string | undefined): Promise<Finding[]> {
  const check = 'backup programs';
  try {
    const snapshot = await openServerSnapshot(database, programs);
    const isDistributed = await snapshot.rows.isDistributed();
    await snapshot.close();
    if (isDistributed)
      return [problem(CHECK, 'the tables are spread over several servers: see docs/backups.md#citus')];
    await (await openDumpTarget(database, programs)).close();
    return [ok(check, 'pg_dump and pg_restore fit the server')];
  } catch (error) {
    if (error instanceof ProgramFailed) return [problem(check, error.message)];
    throw error;
  }
}
