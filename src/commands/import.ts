import type { Command } from 'commander';
import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { ImportParts, ImportProgress, ImportResult } from '../archive/import-twarc.js';
import type { Source } from '../archive/source.js';
import {
  CommandRefused,
  onDatabase,
  requireFolderOf,
  withCommonOptions,
  type CommandIo,
  type CommonOptions,
  type Result,
} from './command.js';

interface ImportFlags extends CommonOptions {
  readonly dryRun?: true;
  readonly restart?: true;
  readonly refused?: string;
}

const STANDARD_INPUT = '-';

/** At most one line of progress in this time. */
const PROGRESS_MS = 1_000;

/** `pipit import ...` (reference/world-file.md). */
export function addImportCommands(program: Command, io: CommandIo): void {
  const command = program.command('import').description('posts and users from archives');
  withCommonOptions(command.command('twarc <files...>'))
    .description(
      'import twarc2 JSONL, plain or gzip; - reads standard input; repeated, nothing is there twice',
    )
    .option('--dry-run', 'read and check everything, change nothing')
    .option('--restart', 'begin at the start of files of which an import was broken off')
    .option('--refused <file>', 'where refused lines go (default: the first name + .refused.jsonl, here)')
    .action((files: readonly string[], flags: ImportFlags) => importFiles(io, files, flags));
}

async function importFiles(io: CommandIo, files: readonly string[], flags: ImportFlags): Promise<void> {
  const { importTwarc } = await import('../archive/import-twarc.js');
  const sources = await openSources(io, files);
  const refusedFile = resolve(io.folder, flags.refused ?? `${nameOf(files[0])}.refused.jsonl`);
  // Asked now: refused lines come in the midst of the import.
  await requireFolderOf(refusedFile);
  await using reader = await openReader(io);
  let unreadableFiles: readonly string[] = [];
  const { indexImported } = await import('../services/search/index-posts.js');
  const { orderAuthorIndexing } = await import('../services/search/index-author.js');
  await onDatabase(
    io,
    flags,
    async ({ engine, queue }) => {
      const parts: ImportParts = {
        engine,
        readBatches: reader.readBatches,
        indexPosts: (tx, posts, superseded) => indexImported(tx, engine, posts, superseded),
        indexAuthor: (tx, userId) => orderAuthorIndexing(tx, { queue }, userId),
      };
      const onProgress = createProgress(io);
      const result = await importTwarc(parts, sources, { ...flags, refusedFile, onProgress });
      unreadableFiles = result.unreadableFiles;
      return describe(result, { refusedFile, isDryRun: flags.dryRun ?? false });
    },
    { creates: true },
  );
  if (unreadableFiles.length > 0)
    throw new CommandRefused(`no line that could be imported in ${unreadableFiles.join(', ')}`);
}

function nameOf(file: string | undefined): string {
  return file === undefined || file === STANDARD_INPUT ? 'stdin' : basename(file);
}

/** Whatever ends the import ends its reading, also of a pipe that says nothing. */
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

/** Every file is looked at before the first is read. */
async function openSources(io: CommandIo, files: readonly string[]): Promise<Source[]> {
  const { fileSource, streamSource } = await import('../archive/source.js');
  return Promise.all(
    files.map((file) =>
      file === STANDARD_INPUT
        ? streamSource('standard input', bytesOf(io.stdin))
        : fileSource(resolve(io.folder, file)),
    ),
  );
}

async function* bytesOf(stream: NodeJS.ReadableStream): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of stream) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

/** Words on a terminal, else JSON lines. */
function createProgress(io: CommandIo): (progress: ImportProgress) => void {
  let nextMs = performance.now() + PROGRESS_MS;
  return ({ file, lines, bytes, result }) => {
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + PROGRESS_MS;
    const { posts, users } = result.tallies;
    const { refused } = result;
    io.note(
      io.isTerminal
        ? `${file}: ${lines} lines, ${posts.new} new posts, ${users.new} new users, ${refused} refused`
        : JSON.stringify({ file, lines, bytes, new_posts: posts.new, new_users: users.new, refused }),
    );
  };
}

function describe(
  result: ImportResult,
  { refusedFile, isDryRun }: { refusedFile: string; isDryRun: boolean },
): Result {
  const { files, resumed, lines, skipped, tallies, refused, firstRefusals } = result;
  const isWritten = refused > 0 && !isDryRun;
  return {
    json: {
      files,
      resumed,
      lines,
      ...tallies,
      skipped,
      refused,
      first_refusals: firstRefusals,
      ...(isWritten && { refused_file: refusedFile }),
      ...(isDryRun && { dry_run: true }),
    },
    text: [
      `${isDryRun ? 'would import' : 'imported'} ${lines} lines of ${files} files`,
      ...Object.entries(tallies).flatMap(([kind, tally]) => tallyLine(kind, tally)),
      ...Object.entries(skipped).flatMap(([kind, count]) => (count > 0 ? [`skipped: ${count} ${kind}`] : [])),
      ...(refused > 0 ? [`refused: ${refused}${isWritten ? `, listed in ${refusedFile}` : ''}`] : []),
    ].join('\n'),
  };
}

function tallyLine(kind: string, tally: ImportResult['tallies']['posts']): string[] {
  const counts = Object.entries(tally).filter(([, count]) => count > 0);
  return counts.length > 0
    ? [`${kind}: ${counts.map(([what, count]) => `${count} ${what}`).join(', ')}`]
    : [];
}
