import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { readLines } from '../archive/lines.js';
import { isObject } from '../core/validators.js';
import { fileExists, replacePrivateFile } from '../database/private-file.js';
import type { JournalEntry } from '../journal/entry.js';
import type { Sighting } from './seen-network.js';

/** A line of a log: the server that is recorded, a request with its answer, or an object that an answer showed. */
export type LogLine =
  | { readonly target: string }
  | { readonly entry: JournalEntry }
  | { readonly sighting: Sighting };

/** A log that has grown by this much more than what it repeats is replaced by a short one. */
const MAX_SURPLUS_BYTES = 64 * 1024 ** 2;

const PART_LENGTH = 1024 ** 2;

export interface RecordingLogOptions {
  readonly file: string;
  /** Returns the lines that say the same as all lines so far. */
  readonly summary: () => Iterable<LogLine>;
  /** Receives the first error of the disk. Nothing is written after it. */
  readonly onFailure: (error: Error) => void;
  readonly maxSurplusBytes?: number;
}

/**
 * Keeps a recording on disk as it goes (docs/recording.md#what-is-kept): lines are synced to the disk as soon as the
 * lines before them are.
 */
export class RecordingLog {
  #handle: FileHandle | undefined;
  #pending: string[] = [];
  #writing: Promise<void> | undefined;
  #surplusBytes = 0;
  #hasFailed = false;

  private constructor(private readonly options: RecordingLogOptions) {}

  /** Begins a log with its summary. Rejects with system errors. */
  static async begin(options: RecordingLogOptions): Promise<RecordingLog> {
    const log = new RecordingLog(options);
    await log.#shorten();
    return log;
  }

  append(line: LogLine): void {
    if (this.#hasFailed) return;
    this.#pending.push(asText(line));
    this.#writing ??= this.#write();
  }

  /** Resolves when all lines are on disk, or an error has ended the log. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#handle?.close();
  }

  async #write(): Promise<void> {
    try {
      while (this.#pending.length > 0) {
        const text = this.#pending.splice(0).join('');
        await this.#handle?.appendFile(text);
        await this.#handle?.datasync();
        this.#surplusBytes += text.length;
        if (this.#surplusBytes > (this.options.maxSurplusBytes ?? MAX_SURPLUS_BYTES)) await this.#shorten();
      }
    } catch (error) {
      this.#hasFailed = true;
      this.#pending = [];
      this.options.onFailure(error as Error);
    } finally {
      this.#writing = undefined;
    }
  }

  async #shorten(): Promise<void> {
    const { file, summary } = this.options;
    await this.#handle?.close();
    this.#handle = undefined;
    await replacePrivateFile(file, summaryText(summary()));
    this.#handle = await open(file, 'a');
    this.#surplusBytes = 0;
  }
}

const asText = (line: LogLine): string => `${JSON.stringify(line)}\n`;

/** Returns lines as texts of about a megabyte. */
function* summaryText(lines: Iterable<LogLine>): Generator<string, void> {
  let text = '';
  for (const line of lines) {
    text += asText(line);
    if (text.length < PART_LENGTH) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** Reads a log, without lines that a crash has cut. Yields nothing if there is none. */
export async function* readRecordingLog(file: string): AsyncGenerator<LogLine, void> {
  if (!(await fileExists(file))) return;
  for await (const lines of readLines(createReadStream(file))) {
    for (const { text, fault } of lines) {
      const line = fault === undefined ? parsed(text) : undefined;
      if (line) yield line;
    }
  }
}

function parsed(text: string): LogLine | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return isObject(line) ? (line as LogLine) : undefined;
  } catch {
    return undefined;
  }
}
