import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { nearest } from '../core/nearest.js';
import { CommandRefused, type CommandIo } from './command.js';

/** Refuses a SQLite database that is not there: only `serve`, `load`, `import` and `restore` create one. */
export async function requireDatabase(database: string): Promise<void> {
  const { databaseFile } = await import('../server/backend.js');
  const file = databaseFile(database);
  if (file === undefined || (await hasDatabase(file))) return;
  const { requireNoFolder } = await import('../server/database-use.js');
  await requireNoFolder(file);
  const near = await nearDatabase(file);
  const hint =
    near === undefined
      ? 'pipit serve, load, import or restore creates one, and --database names another'
      : `did you mean ${near}?`;
  throw new CommandRefused(`there is no database at ${file}; ${hint}`);
}

/** Looks whether there is a SQLite file now; the function it resolves to says that it was created, if it was not there. */
export async function watchCreation(io: CommandIo, database: string): Promise<() => void> {
  const { databaseFile } = await import('../server/backend.js');
  const file = databaseFile(database);
  const isNew = file !== undefined && !(await hasDatabase(file));
  return () => {
    if (isNew) io.note(`created the database ${file}`);
  };
}

/** An empty file is none yet. What this user may not look at is left to the command, which says why. */
export async function hasDatabase(file: string): Promise<boolean> {
  try {
    const found = await stat(file);
    return found.isFile() && found.size > 0;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code)));
  }
}

/** Returns the database with a name like the one that is missing, in its folder or in one with a name like that. */
async function nearDatabase(file: string): Promise<string | undefined> {
  const folder = dirname(file);
  const siblings = await namesIn(dirname(folder));
  const nearFolder = nearest(basename(folder), siblings);
  for (const place of nearFolder === undefined ? [folder] : [folder, join(dirname(folder), nearFolder)]) {
    const near = nearest(basename(file), (await namesIn(place)).filter(isDatabaseName));
    if (near !== undefined && (await hasDatabase(join(place, near)))) return join(place, near);
  }
  return undefined;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Leaves out what lies beside databases. */
function isDatabaseName(name: string): boolean {
  return !/-(wal|shm|lock|pid|journal)$|\.key$/.test(name);
}
