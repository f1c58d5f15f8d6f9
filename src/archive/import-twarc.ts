import { deleteImportMark, findImportMark, putImportMark } from '../stores/imports.js';
import type { LineStart } from './lines.js';
import { readBatches, type ReadBatch, type ReadBatches } from './read-batches.js';
import { createRefusalLog, type Refusal, type RefusalLog } from './refusals.js';
import type { Source } from './source.js';
import {
  addSkipped,
  addTallies,
  newTallies,
  noSkippedLines,
  type SkippedLines,
  type Tallies,
} from './tally.js';
import { withoutTrace, type ImportEngine } from './try-import.js';
import { untilStopped } from './until-stopped.js';
import { writeBatch } from './write-batch.js';
import type { IndexPosts } from './write-posts.js';
import type { IndexAuthor } from './write-users.js';

export interface ImportParts {
  readonly engine: ImportEngine;
  /** In this thread unless told. */
  readonly readBatches?: ReadBatches;
  readonly indexPosts: IndexPosts;
  readonly indexAuthor?: IndexAuthor;
}

export interface ImportOptions {
  /** Reads and checks everything, and changes neither the database nor any file. */
  readonly dryRun?: boolean;
  /** Begins at the start of files of which an import was broken off. */
  readonly restart?: boolean;
  /** Where refused lines are written with their reasons. */
  readonly refusedFile?: string;
  /** Ends the import after what is being written; it can be resumed there. */
  readonly stopped?: Promise<void>;
  /** Told after each batch. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** How far an import is. */
export interface ImportProgress {
  readonly file: string;
  readonly lines: number;
  /** Read of the unpacked file. */
  readonly bytes: number;
  /** Read of the file as it is stored, perhaps compressed. */
  readonly storedBytes: number;
  readonly result: ImportResult;
}

export interface ImportResult {
  /** Those that were read to their end. */
  files: number;
  /** Files of which an earlier import was broken off, and that were read on from there. */
  resumed: number;
  /** Lines read that are not blank. */
  lines: number;
  /** Files of whose lines nothing could be used. */
  readonly unreadableFiles: string[];
  readonly skipped: SkippedLines;
  readonly tallies: Tallies;
  /** Refused lines and refused objects of lines. */
  refused: number;
  /** The first of them. */
  firstRefusals: readonly Refusal[];
  /** How many there were for each reason, the most frequent first. */
  refusedByReason: Readonly<Record<string, number>>;
}

/**
 * Imports posts and users from files of twarc2 JSONL in one pass and in the memory of a few batches. Reading a file again
 * changes nothing; one whose import was broken off is read on from its last batch. Lines that cannot be used are
 * counted, written down with their reason, and passed over.
 */
export async function importTwarc(
  parts: ImportParts,
  sources: readonly Source[],
  options: ImportOptions = {},
): Promise<ImportResult> {
  const result: ImportResult = {
    files: 0,
    resumed: 0,
    lines: 0,
    unreadableFiles: [],
    skipped: noSkippedLines(),
    tallies: newTallies(),
    refused: 0,
    firstRefusals: [],
    refusedByReason: {},
  };
  const refusedFile = options.dryRun ? undefined : options.refusedFile;
  const refusals = createRefusalLog(refusedFile, () => result.resumed > 0);
  const run = { ...parts, ...options, result, refusals };
  if (options.dryRun) await withoutTrace(parts.engine, (engine) => importAll({ ...run, engine }, sources));
  else await importAll(run, sources);
  return result;
}

async function importAll(run: Omit<SourceImport, 'source'>, sources: readonly Source[]): Promise<void> {
  const { result } = run;
  for (const source of sources) {
    const before = { resumed: result.resumed, refused: result.refused, used: countUsed(result) };
    if (!(await importSource({ ...run, source }))) return;
    result.files += 1;
    // Of a resumed file only the rest was read: it held something before.
    const isResumed = result.resumed > before.resumed;
    const isRefused = result.refused > before.refused && countUsed(result) === before.used;
    if (isRefused && !isResumed) result.unreadableFiles.push(source.name);
  }
}

/** How many objects were taken, and lines of other kinds passed over. */
function countUsed({ tallies, skipped }: ImportResult): number {
  const counts = [
    ...Object.values(tallies).flatMap((tally) => Object.values(tally)),
    ...Object.values(skipped),
  ];
  return counts.reduce((sum, count) => sum + count, 0);
}

interface SourceImport extends ImportParts, ImportOptions {
  readonly source: Source;
  readonly result: ImportResult;
  readonly refusals: RefusalLog;
}

/** Resolves to whether the source was read to its end. */
async function importSource(run: SourceImport): Promise<boolean> {
  const read = run.readBatches ?? readBatches;
  const batches = read(run.source, await findStart(run));
  for await (const batch of untilStopped(batches, run.stopped)) {
    takeReport(run, batch);
    await run.refusals.flush();
    await commit(run, batch);
    if (batch.isLast) return true;
  }
  return false;
}

const BEGINNING: LineStart = { lines: 0, bytes: 0 };

async function findStart({ engine, source, restart, result }: SourceImport): Promise<LineStart> {
  if (source.key === undefined || restart) return BEGINNING;
  const mark = await findImportMark(engine, source.key);
  if (!mark) return BEGINNING;
  result.resumed += 1;
  return mark;
}

/** What became of the lines, as far as it does not hang on what is stored. */
function takeReport({ result, refusals, source }: SourceImport, batch: ReadBatch): void {
  result.lines += batch.lines;
  addSkipped(result.skipped, batch.skipped);
  for (const refusal of batch.refusals) refusals.add({ file: source.name, ...refusal });
  result.refused = refusals.count;
  result.firstRefusals = refusals.first;
  result.refusedByReason = refusals.byReason;
}

async function commit(run: SourceImport, { objects, end, storedBytes, isLast }: ReadBatch): Promise<void> {
  const { engine, source } = run;
  const tallies = await engine.tx('import', async (tx) => {
    const written = await writeBatch(tx, objects, run);
    if (source.key === undefined) return written;
    if (isLast) await deleteImportMark(tx, source.key);
    else await putImportMark(tx, source.key, end);
    return written;
  });
  addTallies(run.result.tallies, tallies);
  run.onProgress?.({ file: source.name, ...end, storedBytes, result: run.result });
}
