import { addToBatch, batchSize, newBatch, type Batch } from './batch.js';
import { DamagedGzip } from './gunzip.js';
import { readLines, type Line, type LineStart } from './lines.js';
import { packBatch, type PackedBatch } from './packed-batch.js';
import type { Refusal } from './refusals.js';
import type { Source } from './source.js';
import { noSkippedLines, type SkippedLines } from './tally.js';
import { readTwarcLine, type LineContent } from './twarc-line.js';
import { asIdText, RefusedObject, withoutUndefined } from './wire-json.js';

/** A batch of a file and the outcome of its lines. */
export interface ReadBatch {
  readonly objects: PackedBatch;
  /** The start of the next batch. */
  readonly end: LineStart;
  /** The number of bytes read of the stored file. */
  readonly storedBytes: number;
  /** True for the last batch of a file, which may be empty. */
  readonly isLast: boolean;
  /** The number of lines that are not blank. */
  readonly lines: number;
  readonly skipped: SkippedLines;
  readonly refusals: readonly LineRefusal[];
}

/** A refusal in the current file. */
type LineRefusal = Omit<Refusal, 'file'>;

/** Reads batches in this thread (`readBatches`) or in another one (reading-thread.ts). */
export type ReadBatches = (source: Source, start: LineStart) => AsyncIterable<ReadBatch>;

/** The size of a batch: large enough to make commits cheap, small enough to delay other writers only briefly. */
const BATCH_OBJECTS = 8_000;
const BATCH_CHARACTERS = 8 * 1024 * 1024;

const EXCERPT_LENGTH = 1_000;

/** Reads a file from `start` on and maps its lines. */
export async function* readBatches(source: Source, start: LineStart): AsyncGenerator<ReadBatch, void> {
  let reading = beginReading(start);
  try {
    for await (const lines of readLines(source.read(start.bytes), start)) {
      for (const line of lines) {
        takeLine(reading, line);
        if (isFull(reading)) {
          yield readSoFar(reading, source, false);
          reading = beginReading(reading.end);
        }
      }
    }
  } catch (error) {
    if (!(error instanceof DamagedGzip)) throw error;
    reading.refusals.push({ line: reading.end.lines + 1, reason: error.message });
  }
  yield readSoFar(reading, source, true);
}

/** The state of the current batch. */
interface Reading {
  readonly batch: Batch;
  end: LineStart;
  characters: number;
  lines: number;
  readonly skipped: SkippedLines;
  readonly refusals: LineRefusal[];
}

function beginReading(start: LineStart): Reading {
  return {
    batch: newBatch(),
    end: start,
    characters: 0,
    lines: 0,
    skipped: noSkippedLines(),
    refusals: [],
  };
}

function isFull({ batch, characters }: Reading): boolean {
  return batchSize(batch) >= BATCH_OBJECTS || characters >= BATCH_CHARACTERS;
}

function readSoFar(reading: Reading, source: Source, isLast: boolean): ReadBatch {
  const { batch, end, lines, skipped, refusals } = reading;
  const storedBytes = source.storedBytes?.() ?? end.bytes;
  return { objects: packBatch(batch), end, storedBytes, isLast, lines, skipped, refusals };
}

function takeLine(reading: Reading, line: Line): void {
  reading.end = { lines: line.number, bytes: line.endByte };
  reading.characters += line.text.length;
  if (isBlank(line.text) && line.fault === undefined) return;
  reading.lines += 1;
  try {
    const content = contentOf(line);
    if ('skipped' in content) {
      reading.skipped[content.skipped] += 1;
      return;
    }
    for (const { reason, object } of addToBatch(reading.batch, content)) {
      reading.refusals.push(withoutUndefined({ line: line.number, reason, id: asIdText(object.id) }));
    }
  } catch (error) {
    if (!(error instanceof RefusedObject)) throw error;
    const excerpt = line.text.slice(0, EXCERPT_LENGTH);
    reading.refusals.push({ line: line.number, reason: error.message, excerpt });
  }
}

function contentOf(line: Line): LineContent {
  if (line.fault !== undefined) throw new RefusedObject(line.fault);
  let json: unknown;
  try {
    json = JSON.parse(line.text);
  } catch {
    throw new RefusedObject(line.isUnended ? 'truncated: not JSON, and no line end' : 'not JSON');
  }
  return readTwarcLine(json);
}

function isBlank(text: string): boolean {
  return text.length === 0 || (text.charCodeAt(0) <= 0x20 && text.trim() === '');
}
