import type { Command } from 'commander';
import { basename, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { ImportParts, ImportResult } from '../archive/import-twarc.js';
import type { Backend } from '../server/backend.js';
import type { Source } from '../archive/source.js';
import { shellWord } from '../core/shell-word.js';
import {
  CommandRefused,
  requireFolderOf,
  withCommonOptions,
  type CommandIo,
  type CommonOptions,
  type Result,
} from './command.js';
import { onDatabase } from './on-database.js';
import { createProgress } from './import-progress.js';
import { onTrial } from './import-trial.js';
import { openSources, STANDARD_INPUT } from './import-sources.js';

interface ImportFlags extends CommonOptions {
  readonly dryRun?: true;
  readonly restart?: true;
  readonly refused?: string;
}

/** Adds `pipit import ...` (docs/command-line.md). */
export function addImportCommands(program: Command, io: CommandIo): void {
  const command = program.command('import').description('posts and users from archives');
  withCommonOptions(command.command('twarc <files...>'))
    .description(
      'import twarc2 JSONL, plain or gzip; - reads standard input; repeated imports create no duplicates',
    )
    .option('--dry-run', 'read and check everything, change nothing')
    .option('--restart', 'start interrupted files from the beginning')
    .option(
      '--refused <file>',
      'the file for refused lines (default: the first name + .refused.jsonl in the current folder)',
    )
    .action((files: readonly string[], flags: ImportFlags) => importFiles(io, files, flags));
}

async function importFiles(io: CommandIo, files: readonly string[], flags: ImportFlags): Promise<void> {
  const sources = await openSources(io, files);
  const refusedFile = resolve(io.folder, flags.refused ?? `${nameOf(files[0])}.refused.jsonl`);
  // Checked now: refused lines occur in the middle of the import.
  await requireFolderOf(refusedFile);
  await using reader = await openReader(io);
  const stopped = io.stopRequested();
  const progress = createProgress(io, sources);
  const written = flags.dryRun ? undefined : refusedFile;
  const options = { ...flags, refusedFile: written, stopped, onProgress: progress.onProgress };
  let result: ImportResult | undefined;
  const importInto = async (parts: Omit<ImportParts, 'readBatches'>, dryRun: boolean): Promise<Result> => {
    const { importTwarc } = await import('../archive/import-twarc.js');
    const all = { ...parts, readBatches: reader.readBatches };
    result = await importTwarc(all, sources, { ...options, dryRun }).finally(progress.end);
    return describe(result, { refusedFile, isDryRun: flags.dryRun ?? false });
  };
  if (flags.dryRun) await tryImport(io, flags, importInto);
  else await onDatabase(io, flags, async (backend) => importInto(await partsOf(backend), false), CREATES);
  if (!result) return;
  if (result.files < sources.length) throw interrupted(io, sources.slice(result.files), flags);
  if (result.unreadableFiles.length > 0)
    throw new CommandRefused(`no importable line in ${result.unreadableFiles.join(', ')}`);
}

const CREATES = { creates: true } as const;

async function partsOf({ engine, queue }: Backend): Promise<Omit<ImportParts, 'readBatches'>> {
  const { indexImported } = await import('../services/search/index-posts.js');
  const { enqueueAuthorIndexing } = await import('../services/search/index-author.js');
  return {
    engine,
    indexPosts: (tx, posts, superseded) => indexImported(tx, engine, posts, superseded),
    indexAuthor: (tx, userId) => enqueueAuthorIndexing(tx, { queue }, userId),
  };
}

/** Runs a dry run without indexing, which affects no count and takes most of the time. */
function tryImport(
  io: CommandIo,
  flags: ImportFlags,
  importInto: (parts: Omit<ImportParts, 'readBatches'>, dryRun: boolean) => Promise<Result>,
): Promise<void> {
  return onTrial(io, flags, ({ engine, isCopy }) =>
    importInto({ engine, indexPosts: () => Promise.resolve() }, !isCopy),
  );
}

/** Returns an error with the command to continue: the current file, recognized by its mark, and those after it. */
function interrupted(
  { folder }: CommandIo,
  left: readonly Source[],
  { dryRun, database, refused }: ImportFlags,
): CommandRefused {
  const [current] = left;
  if (dryRun || !current) return new CommandRefused('interrupted; nothing was changed', 130);
  if (current.key === undefined)
    return new CommandRefused(
      `interrupted in ${current.name}; the lines read so far are stored. Import all of it again: this creates no duplicates`,
      130,
    );
  const words = [
    ...left.map(({ key, name }) => (key === undefined ? STANDARD_INPUT : relative(folder, name))),
    ...(database === undefined ? [] : ['--database', hasPassword(database) ? 'DATABASE' : database]),
    ...(refused === undefined ? [] : ['--refused', refused]),
  ];
  const command = `pipit import twarc ${words.map(shellWord).join(' ')}`;
  return new CommandRefused(
    `interrupted in ${current.name}; the lines read so far are stored. To continue: ${command}`,
    130,
  );
}

function hasPassword(database: string): boolean {
  return URL.canParse(database) && new URL(database).password !== '';
}

function nameOf(file: string | undefined): string {
  return file === undefined || file === STANDARD_INPUT ? 'stdin' : basename(file);
}

/** Opens the reading thread; disposal also ends reading from an idle pipe. */
async function openReader({ stdin }: CommandIo): Promise<AsyncDisposable & Pick<ImportParts, 'readBatches'>> {
  const { openReadingThread } = await import('../archive/reading-thread.js');
  const { readBatches, close } = openReadingThread();
  return {
    readBatches,
    [Symbol.asyncDispose]: async () => {
      await close();
      if (stdin instanceof Readable) stdin.destroy();
    },
  };
}

function describe(
  result: ImportResult,
  { refusedFile, isDryRun }: { refusedFile: string; isDryRun: boolean },
): Result {
  const { files, resumed, lines, skipped, tallies, refused, firstRefusals, refusedByReason } = result;
  const isWritten = refused > 0 && !isDryRun;
  return {
    json: {
      files,
      resumed,
      lines,
      ...tallies,
      skipped,
      refused,
      refused_by_reason: refusedByReason,
      first_refusals: firstRefusals,
      ...(isWritten && { refused_file: refusedFile }),
      ...(isDryRun && { dry_run: true }),
    },
    text: [
      `${isDryRun ? 'would import' : 'imported'} ${lines} lines of ${files} files`,
      ...Object.entries(tallies).flatMap(([kind, tally]) => tallyLine(kind, tally)),
      ...Object.entries(skipped).flatMap(([kind, count]) => (count > 0 ? [`skipped: ${count} ${kind}`] : [])),
      ...(refused > 0 ? [`refused: ${refused}${isWritten ? `, listed in ${refusedFile}` : ''}`] : []),
      ...refusalLines(result),
    ].join('\n'),
  };
}

/** The number of refusals shown individually. */
const SHOWN_REFUSALS = 5;

function refusalLines({ refused, firstRefusals, refusedByReason }: ImportResult): string[] {
  const shown = firstRefusals
    .slice(0, SHOWN_REFUSALS)
    .map(
      ({ file, line, id, reason }) => `  ${file} line ${line}${id === undefined ? '' : `, ${id}`}: ${reason}`,
    );
  if (refused <= SHOWN_REFUSALS) return shown;
  return [
    ...shown,
    '  in total:',
    ...Object.entries(refusedByReason).map(([reason, count]) => `  ${count} ${reason}`),
  ];
}

function tallyLine(kind: string, tally: ImportResult['tallies']['posts']): string[] {
  const counts = Object.entries(tally).filter(([, count]) => count > 0);
  return counts.length > 0
    ? [`${kind}: ${counts.map(([what, count]) => `${count} ${what}`).join(', ')}`]
    : [];
}
