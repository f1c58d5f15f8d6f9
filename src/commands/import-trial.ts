import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportEngine } from '../archive/try-import.js';
import {
  printResult,
  readLastingDatabase,
  type CommandIo,
  type CommonOptions,
  type Result,
} from './command.js';
import { onDatabase } from './on-database.js';

/** The engine of a dry run. */
export interface Trial {
  readonly engine: ImportEngine;
  /** Whether the engine is a disposable copy, so that the import may write. */
  readonly isCopy: boolean;
}

/**
 * Runs a dry run and prints its result. A database file is first copied below TMPDIR, since a transaction as long as
 * an import would block a running server's writes.
 */
export async function onTrial(
  io: CommandIo,
  options: CommonOptions,
  work: (trial: Trial) => Promise<Result>,
): Promise<void> {
  const database = readLastingDatabase(io, options);
  const { databaseFile } = await import('../server/backend.js');
  const file = databaseFile(database);
  if (file === undefined) return onDatabase(io, options, ({ engine }) => work({ engine, isCopy: false }));
  const folder = await mkdtemp(join(tmpdir(), 'pipit-dry-run-'));
  try {
    await onCopy(file, join(folder, 'copy.db'), async (engine) =>
      printResult(io, options, await work({ engine, isCopy: true })),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function onCopy(
  file: string,
  copy: string,
  work: (engine: ImportEngine) => Promise<void>,
): Promise<void> {
  const { useEngine } = await import('../database/open-engine.js');
  const { fileExists } = await import('../database/private-file.js');
  if (await fileExists(file)) {
    await useEngine(`sqlite:${file}`, { durability: 'full' }, (original) => original.backup(copy));
  }
  await useEngine(`sqlite:${copy}`, { durability: 'relaxed' }, work);
}
