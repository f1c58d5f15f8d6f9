import type { Engine } from '../storage/engine.js';
import { deleteImportMark, findImportMark, putImportMark } from '../storage/imports.js';
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
import { writeBatch } from './write-batch.js';
import type { IndexPosts } from './write-posts.js';
import type { IndexAuthor } from './write-users.js';

export interface ImportParts {
  readonly engine: Engine;
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
  /** Told after each batch. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** How far an import is. */
export interface ImportProgress {
  readonly file: string;
  readonly lines: number;
  /** Read of the unpacked file. */
  readonly bytes: number;
  readonly result: ImportResult;
}

export interface ImportResult {
  files: number;
  /** Files of which an earlier import was broken off, and that were read on from there. */
  resumed: number;
  /** Lines read that are not blank. */
  lines: number;
  /** Those of them that are of a known kind, whatever became of the objects in them. */
  readableLines: number;
  /** Files with lines of which none is of a known kind: whatever they are, they are no archive. */
  readonly unreadableFiles: string[];
  readonly skipped: SkippedLines;
  readonly tallies: Tallies;
  /** Refused lines and refused objects of lines. */
  refused: number;
  /** The first of them. */
  firstRefusals: readonly Refusal[];
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
    readableLines: 0,
    unreadableFiles: [],
    skipped: noSkippedLines(),
    tallies: newTallies(),
    refused: 0,
    firstRefusals: [],
  };
  const refusedFile = options.dryRun ? undefined : options.refusedFile;
  const refusals = createRefusalLog(refusedFile, () => result.resumed > 0);
  for (const source of sources) {
    const before = { ...result };
    await importSource({ ...parts, ...options, source, result, refusals });
    result.files += 1;
    if (heldNothing(before, result)) result.unreadableFiles.push(source.name);
  }
  return result;
}

/** Of a resumed file only the rest was read: it held something before. */
function heldNothing(before: ImportResult, after: ImportResult): boolean {
  const isResumed = after.resumed > before.resumed;
  return !isResumed && after.refused > before.refused && after.readableLines === before.readableLines;
}

interface SourceImport extends ImportParts, ImportOptions {
  readonly source: Source;
  readonly result: ImportResult;
  readonly refusals: RefusalLog;
}

async function importSource(run: SourceImport): Promise<void> {
  const read = run.readBatches ?? readBatches;
  for await (const batch of read(run.source, await findStart(run))) {
    takeReport(run, batch);
    await run.refusals.flush();
    await commit(run, batch);
  }
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
  result.readableLines += batch.readableLines;
  addSkipped(result.skipped, batch.skipped);
  for (const refusal of batch.refusals) refusals.add({ file: source.name, ...refusal });
  result.refused = refusals.count;
  result.firstRefusals = refusals.first;
}

/** Thrown to leave nothing behind. */
class DryRunEnds extends Error {
  constructor(readonly tallies: Tallies) {
    super('dry run');
  }
}

async function commit(run: SourceImport, { objects, end, isLast }: ReadBatch): Promise<void> {
  const { engine, source, dryRun } = run;
  const body = engine.tx('import', async (tx) => {
    const tallies = await writeBatch(tx, objects, run);
    if (dryRun) throw new DryRunEnds(tallies);
    if (source.key === undefined) return tallies;
    if (isLast) await deleteImportMark(tx, source.key);
    else await putImportMark(tx, source.key, end);
    return tallies;
  });
  addTallies(run.result.tallies, await body.catch(talliesOfDryRun));
  run.onProgress?.({ file: source.name, ...end, result: run.result });
}

function talliesOfDryRun(error: unknown): Tallies {
  if (error instanceof DryRunEnds) return error.tallies;
  throw error;
}
