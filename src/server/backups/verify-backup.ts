import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { copiedAmong } from '../../database/copied-tables.js';
import { ProgramFailed, StorageUnavailable } from '../../database/errors.js';
import {
  createScratchDatabase,
  inspectDatabase,
  openDumpTarget,
  openStoredRows,
} from '../../database/open-engine.js';
import { fileExists, orMissing } from '../../database/private-file.js';
import type { StoredRows } from '../../database/stored-rows.js';
import { pathOfBlob } from '../../stores/blobs/disk-blobs.js';
import { partsOf } from '../../services/checks/all-parts.js';
import { runChecks } from '../../services/checks/run-checks.js';
import { CHECK_KINDS } from '../../stores/checks/part.js';
import { openBackend, type Backend } from '../backend.js';
import { listNamedFiles, mayBeAbsent, pagesOf } from '../media-names.js';
import { BackupRefused } from './backup-refused.js';
import { readSums, sumOf } from './checksums.js';
import type { FoundBackup } from './find-backups.js';
import { DATABASE_FILES, KEY, MANIFEST, MEDIA, SUMS, type Manifest } from './manifest.js';

export interface VerifyOptions {
  /** A database on a server of PostgreSQL, where a scratch database may be created; for backups of PostgreSQL. */
  readonly server: string | undefined;
  /** The folder of PostgreSQL's programs. */
  readonly programs: string | undefined;
  /** Also runs the checks of `pipit check`, which read many rows again and again. */
  readonly isDeep: boolean;
  readonly signal: AbortSignal;
}

/** What a verification found. */
export interface Verified {
  readonly rows: number;
  readonly files: number;
  /** Empty for a sound backup. */
  readonly problems: readonly string[];
  /** What `pipit check` would find in the restored database, which was so when it was backed up. */
  readonly differences: readonly string[];
}

/** Rows that are read at once. */
const PAGE_ROWS = 1_000;

/**
 * Compares all files of a backup with their checksums, restores the database to a scratch place, which is removed
 * afterwards, and reads everything there. Changes nothing else. Throws BackupRefused without a server for a backup of
 * PostgreSQL, the errors of its programs if they are missing, and the reason of `signal`.
 */
export async function verifyBackup(backup: FoundBackup, options: VerifyOptions): Promise<Verified> {
  const problems: string[] = [];
  const files = await compareFiles(backup, problems, options.signal);
  const isReadable = !problems.some((problem) => problem.startsWith('pipit.'));
  let restored: RestoredFacts = NOTHING;
  if (isReadable) {
    await using scratch = await openScratch(backup.manifest, options);
    restored = await checkRestored(backup, scratch, problems, options);
  }
  options.signal.throwIfAborted();
  return { ...restored, files, problems };
}

/** Compares the files of a backup with the list of them. Returns the number of media files. */
async function compareFiles(
  { path, manifest }: FoundBackup,
  problems: string[],
  signal: AbortSignal,
): Promise<number> {
  const listed = new Set<string>([SUMS]);
  let [files, bytes] = [0, 0];
  try {
    for await (const { name, sha256 } of readSums(path)) {
      signal.throwIfAborted();
      if (listed.has(name)) problems.push(`${SUMS}: ${name} is listed twice`);
      listed.add(name);
      const found = await orMissing(sumOf(join(path, name)));
      if (found?.sha256 !== sha256) problems.push(`${name}: ${found ? 'damaged' : 'missing'}`);
      if (!name.startsWith(`${MEDIA}/`)) continue;
      files += 1;
      bytes += found?.bytes ?? 0;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof BackupRefused)) throw error;
    problems.push(`${SUMS}: damaged`);
  }
  for (const name of [DATABASE_FILES[manifest.engine], KEY, MANIFEST])
    if (!listed.has(name)) problems.push(`${name}: not listed in ${SUMS}`);
  for await (const name of filesBelow(path))
    if (!listed.has(name)) problems.push(`${name}: not listed in ${SUMS}`);
  const expected = manifest.media ?? { files: 0, bytes: 0 };
  if (files !== expected.files || bytes !== expected.bytes)
    problems.push(
      `${MEDIA}: ${files} files with ${bytes} bytes, not ${expected.files} with ${expected.bytes}`,
    );
  return files;
}

async function* filesBelow(folder: string, root = folder): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path, root);
    else yield relative(root, path);
  }
}

/** A place for the restored database. */
interface Scratch extends AsyncDisposable {
  readonly database: string;
  /** Restores the database of a backup. Throws ProgramFailed and StorageUnavailable. */
  restore(file: string, signal: AbortSignal): Promise<void>;
}

async function openScratch({ engine }: Manifest, options: VerifyOptions): Promise<Scratch> {
  return engine === 'SQLite' ? openScratchFolder() : openScratchOnServer(options);
}

async function openScratchFolder(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'pipit-verify-'));
  const database = join(folder, DATABASE_FILES.SQLite);
  return {
    database: `sqlite:${database}`,
    restore: (file) => copyFile(file, database),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

async function openScratchOnServer({ server, programs }: VerifyOptions): Promise<Scratch> {
  if (server === undefined)
    throw new BackupRefused(
      'the backup is of PostgreSQL: name a server by --database, on which a scratch database is created',
    );
  // Without the program nothing could be said about the backup.
  await (await openDumpTarget(server, programs)).close();
  const scratch = await createScratchDatabase(server);
  return {
    database: scratch.url,
    restore: async (file, signal) => {
      const target = await openDumpTarget(scratch.url, programs);
      try {
        await target.restore(file, signal);
      } finally {
        await target.close();
      }
    },
    [Symbol.asyncDispose]: () => scratch.drop(),
  };
}

type RestoredFacts = Pick<Verified, 'rows' | 'differences'>;

const NOTHING: RestoredFacts = { rows: 0, differences: [] };

/** Restores the database and reads it. */
async function checkRestored(
  { path, manifest }: FoundBackup,
  scratch: Scratch,
  problems: string[],
  { isDeep, signal }: VerifyOptions,
): Promise<RestoredFacts> {
  const file = DATABASE_FILES[manifest.engine];
  try {
    await scratch.restore(join(path, file), signal);
    const damage = await findDamage(scratch.database);
    if (damage !== undefined) problems.push(`${file}: ${damage}`);
    const rows = await readRestored(path, manifest, scratch, problems, signal);
    return { rows, differences: await checkOpened(path, scratch.database, problems, { isDeep, signal }) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProgramFailed) && !(error instanceof StorageUnavailable)) throw error;
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    problems.push(`${file}: cannot be restored: ${error.message}${cause}`);
    return NOTHING;
  }
}

/** Reads all rows, and compares their number and the files that they name. */
async function readRestored(
  path: string,
  { media, tables }: Manifest,
  { database }: Scratch,
  problems: string[],
  signal: AbortSignal,
): Promise<number> {
  const rows = await openStoredRows(database);
  try {
    if (media) await compareNames(path, rows, media.missing, problems);
    return await readAll(rows, tables, problems, signal);
  } finally {
    await rows.close();
  }
}

async function findDamage(database: string): Promise<string | undefined> {
  await using inspection = await inspectDatabase(database);
  return await inspection.findDamage();
}

/** Reads all rows and compares their number. */
async function readAll(
  rows: StoredRows,
  expected: Readonly<Record<string, number>>,
  problems: string[],
  signal: AbortSignal,
): Promise<number> {
  let total = 0;
  const names = copiedAmong(await rows.tableNames());
  for (const table of await rows.describe(names)) {
    let count = 0;
    for await (const page of pagesOf(rows, table, PAGE_ROWS)) {
      signal.throwIfAborted();
      count += page.length;
    }
    total += count;
    if (count !== expected[table.name])
      problems.push(`table ${table.name}: ${count} rows, not ${expected[table.name] ?? 'there'}`);
  }
  const isThere = new Set(names);
  for (const name of Object.keys(expected)) if (!isThere.has(name)) problems.push(`table ${name}: missing`);
  return total;
}

/** Looks for the files that rows name. */
async function compareNames(
  path: string,
  rows: StoredRows,
  missing: readonly string[],
  problems: string[],
): Promise<void> {
  const known = new Set(missing);
  for await (const names of listNamedFiles(rows))
    for (const name of new Set(names)) {
      if (mayBeAbsent(name) || known.has(name) || (await fileExists(pathOfBlob(join(path, MEDIA), name))))
        continue;
      problems.push(`${MEDIA}: rows name the file ${name}, which is missing`);
    }
}

/**
 * Opens the database as a server does, which compares the key, and runs the checks of `pipit check` if asked. Returns what
 * they found: the database had it when it was backed up.
 */
async function checkOpened(
  path: string,
  database: string,
  problems: string[],
  { isDeep, signal }: Pick<VerifyOptions, 'isDeep' | 'signal'>,
): Promise<string[]> {
  const key = await readFile(join(path, KEY));
  let backend: Backend;
  try {
    backend = await openBackend(database, { keyPlace: { kind: 'given', key } });
  } catch (error) {
    problems.push(`${KEY}: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
  const differences: string[] = [];
  try {
    const parts = isDeep ? partsOf(backend.engine, new Set(CHECK_KINDS), undefined) : [];
    for await (const { of, differing, examples } of runChecks(backend.engine, parts, {
      mends: false,
      signal,
    }))
      if (differing > 0) differences.push(`${of}: ${differing}, such as ${examples[0]}`);
  } finally {
    await backend.close();
  }
  return differences;
}
