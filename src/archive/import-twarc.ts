import type { Engine } from '../storage/engine.js';
import { deleteImportMark, findImportMark, putImportMark } from '../storage/imports.js';
import { addToBatch, batchSize, newBatch, type Batch } from './batch.js';
import { DamagedGzip } from './gunzip.js';
import { readLines, type Line, type LineStart } from './lines.js';
import { createRefusalLog, type Refusal, type RefusalLog } from './refusals.js';
import type { Source } from './source.js';
import { addTallies, newTallies, noSkippedLines, type SkippedLines, type Tallies } from './tally.js';
import { readTwarcLine, type LineContent } from './twarc-line.js';
import { asIdText, RefusedObject, withoutUndefined } from './wire-json.js';
import { writeBatch } from './write-batch.js';
import type { IndexPosts } from './write-posts.js';
import type { IndexAuthor } from './write-users.js';

export interface ImportParts {
  readonly engine: Engine;
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

/** What is written at once: enough to make commits cheap, little enough to hold other writers up for moments only. */
const BATCH_OBJECTS = 8_000;
const BATCH_CHARACTERS = 8 * 1024 * 1024;

/**
 * Imports posts and users from files of twarc2 JSONL in one pass and in the memory of a batch. Reading a file again
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
  const start = await findStart(run);
  let position = start;
  let batch = newBatch();
  let characters = 0;

  // The next batch is read while this one goes to the disk.
  let writing = Promise.resolve();
  const write = async (isFinished: boolean): Promise<void> => {
    await writing;
    await run.refusals.flush();
    writing = commit(run, batch, position, isFinished);
    // Thrown where it is awaited, which may be after the event loop would call it unhandled.
    writing.catch(() => undefined);
    batch = newBatch();
    characters = 0;
  };

  try {
    for await (const lines of readLines(run.source.read(start.bytes), start)) {
      for (const line of lines) {
        takeLine(run, batch, line);
        position = { lines: line.number, bytes: line.endByte };
        characters += line.text.length;
        if (batchSize(batch) >= BATCH_OBJECTS || characters >= BATCH_CHARACTERS) await write(false);
      }
    }
  } catch (error) {
    if (!(error instanceof DamagedGzip)) throw error;
    refuse(run, { line: position.lines + 1, reason: error.message });
  }
  await write(true);
  await writing;
}

const BEGINNING: LineStart = { lines: 0, bytes: 0 };

async function findStart({ engine, source, restart, result }: SourceImport): Promise<LineStart> {
  if (source.key === undefined || restart) return BEGINNING;
  const mark = await findImportMark(engine, source.key);
  if (!mark) return BEGINNING;
  result.resumed += 1;
  return mark;
}

function takeLine(run: SourceImport, batch: Batch, line: Line): void {
  if (isBlank(line.text) && line.fault === undefined) return;
  run.result.lines += 1;
  try {
    const content = contentOf(line);
    run.result.readableLines += 1;
    if ('skipped' in content) {
      run.result.skipped[content.skipped] += 1;
      return;
    }
    for (const { reason, object } of addToBatch(batch, content)) {
      refuse(run, withoutUndefined({ line: line.number, reason, id: asIdText(object.id) }));
    }
  } catch (error) {
    if (!(error instanceof RefusedObject)) throw error;
    refuse(run, { line: line.number, reason: error.message, excerpt: line.text });
  }
}

function contentOf(line: Line): LineContent {
  if (line.fault !== undefined) throw new RefusedObject(line.fault);
  let json: unknown;
  try {
    json = JSON.parse(line.text);
  } catch {
    throw new RefusedObject(line.isUnended ? 'cut off: not JSON, and no line end' : 'not JSON');
  }
  return readTwarcLine(json);
}

function isBlank(text: string): boolean {
  return text.length === 0 || (text.charCodeAt(0) <= 0x20 && text.trim() === '');
}

function refuse(run: SourceImport, refusal: Omit<Refusal, 'file'>): void {
  run.refusals.add({ file: run.source.name, ...refusal });
  run.result.refused = run.refusals.count;
  run.result.firstRefusals = run.refusals.first;
}

/** Thrown to leave nothing behind. */
class DryRunEnds extends Error {
  constructor(readonly tallies: Tallies) {
    super('dry run');
  }
}

async function commit(
  run: SourceImport,
  batch: Batch,
  position: LineStart,
  isFinished: boolean,
): Promise<void> {
  const { engine, source, dryRun } = run;
  const body = engine.tx('import', async (tx) => {
    const tallies = await writeBatch(tx, batch, run);
    if (dryRun) throw new DryRunEnds(tallies);
    if (source.key === undefined) return tallies;
    if (isFinished) await deleteImportMark(tx, source.key);
    else await putImportMark(tx, source.key, position);
    return tallies;
  });
  addTallies(run.result.tallies, await body.catch(talliesOfDryRun));
  run.onProgress?.({ file: source.name, ...position, result: run.result });
}

function talliesOfDryRun(error: unknown): Tallies {
  if (error instanceof DryRunEnds) return error.tallies;
  throw error;
}
