import { withoutEvents } from '../database/feed.js';
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
import { inDryRun, type ImportEngine } from './try-import.js';
import { untilStopped } from './until-stopped.js';
import { writeBatch } from './write-batch.js';
import type { IndexPosts } from './write-posts.js';
import type { IndexAuthor } from './write-users.js';

export interface ImportParts {
  readonly engine: ImportEngine;
  /** Default: reads in this thread. */
  readonly readBatches?: ReadBatches;
  readonly indexPosts: IndexPosts;
  readonly indexAuthor?: IndexAuthor;
}

export interface ImportOptions {
  /** Reads and validates everything without changing the database or any file. */
  readonly dryRun?: boolean;
  /** Starts from the beginning of files whose import was interrupted. */
  readonly restart?: boolean;
  /** The file for refused lines and their reasons. */
  readonly refusedFile?: string;
  /** Ends the import after the current batch; it can be resumed. */
  readonly stopped?: Promise<void>;
  /** Called after each batch. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** The progress of an import. */
export interface ImportProgress {
  readonly file: string;
  readonly lines: number;
  /** The number of bytes read of the unpacked file. */
  readonly bytes: number;
  /** The number of bytes read of the stored, possibly compressed, file. */
  readonly storedBytes: number;
  readonly result: ImportResult;
}

export interface ImportResult {
  /** The number of files read completely. */
  files: number;
  /** The number of files whose interrupted import was resumed. */
  resumed: number;
  /** The number of lines read, without blank lines. */
  lines: number;
  /** Files in which no line was usable. */
  readonly unreadableFiles: string[];
  readonly skipped: SkippedLines;
  readonly tallies: Tallies;
  /** The number of refused lines and objects. */
  refused: number;
  /** The first refusals. */
  firstRefusals: readonly Refusal[];
  /** The number of refusals by reason, most frequent first. */
  refusedByReason: Readonly<Record<string, number>>;
}

/**
 * Imports posts and users from twarc2 JSONL files in one pass with bounded memory. Idempotent: importing a file again
 * changes nothing, and an interrupted import resumes after its last batch. Unusable lines are counted, logged with
 * their reason and skipped.
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
  if (options.dryRun) await inDryRun(parts.engine, (engine) => importAll({ ...run, engine }, sources));
  else await importAll(run, sources);
  return result;
}

async function importAll(run: Omit<SourceImport, 'source'>, sources: readonly Source[]): Promise<void> {
  const { result } = run;
  for (const source of sources) {
    const before = { resumed: result.resumed, refused: result.refused, used: countUsed(result) };
    if (!(await importSource({ ...run, source }))) return;
    result.files += 1;
    // A resumed file had usable lines before the interruption.
    const isResumed = result.resumed > before.resumed;
    const isRefused = result.refused > before.refused && countUsed(result) === before.used;
    if (isRefused && !isResumed) result.unreadableFiles.push(source.name);
  }
}

/** Returns the number of imported objects and skipped lines. */
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

/** Resolves to whether the source was read completely. */
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

/** Adds the counts and refusals of a batch that do not depend on stored data. */
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
  const tallies = await engine.tx('import', async (open) => {
    const tx = withoutEvents(open);
    const written = await writeBatch(tx, objects, run);
    if (source.key === undefined) return written;
    if (isLast) await deleteImportMark(tx, source.key);
    else await putImportMark(tx, source.key, end);
    return written;
  });
  addTallies(run.result.tallies, tallies);
  run.onProgress?.({ file: source.name, ...end, storedBytes, result: run.result });
}
