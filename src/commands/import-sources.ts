import { createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Source } from '../archive/source.js';
import { shellWord } from '../core/shell-word.js';
import { CommandRefused, type CommandIo } from './command.js';

/** The name of standard input on the command line. */
export const STANDARD_INPUT = '-';

/**
 * Checks all files before reading the first. Empty files are reported and skipped. Throws ForeignFile for a file of
 * another kind, UnreadableFile, and CommandRefused if all are empty.
 */
export async function openSources(io: CommandIo, files: readonly string[]): Promise<Source[]> {
  const sources: Source[] = [];
  const empty: string[] = [];
  for (const file of files) {
    const { source, isEmpty } =
      file === STANDARD_INPUT ? await openStandardInput(io) : await openFile(resolve(io.folder, file));
    if (isEmpty) empty.push(source.name);
    else sources.push(source);
  }
  if (sources.length === 0)
    throw new CommandRefused(
      `${empty.join(', ')}: nothing to import. twarc2 leaves an empty file when it finds nothing`,
    );
  for (const name of empty) io.note(`${name} is empty`);
  return sources;
}

interface Opened {
  readonly source: Source;
  readonly isEmpty: boolean;
}

async function openStandardInput({ stdin }: CommandIo): Promise<Opened> {
  const { beginningOf, isBlank, peekLine } = await import('../archive/beginning.js');
  const { recognize } = await import('../archive/recognize.js');
  const { streamSource } = await import('../archive/source.js');
  const { start, stream } = await peekLine(bytesOf(stdin));
  const beginning = await beginningOf(Readable.from([start]));
  const source = streamSource('standard input', stream);
  recognize(source.name, undefined, beginning);
  // The first bytes of compressed data may decompress to nothing.
  return { source, isEmpty: isBlank(start) };
}

async function* bytesOf(stream: NodeJS.ReadableStream): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of stream) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

async function openFile(path: string): Promise<Opened> {
  const { beginningOf, isBlank } = await import('../archive/beginning.js');
  const { recognize } = await import('../archive/recognize.js');
  const { fileSource } = await import('../archive/source.js');
  await refuseFolder(path);
  const source = await fileSource(path);
  const beginning = await beginningOf(createReadStream(path));
  recognize(path, shellWord(path), beginning);
  return { source, isEmpty: isBlank(beginning) && (await isReadableWhole(source)) };
}

/** Reports whether a file with a blank beginning is blank to its end. False if it is damaged. */
async function isReadableWhole(source: Source): Promise<boolean> {
  try {
    for await (const chunk of source.read(0))
      if (Buffer.from(chunk).toString('latin1').trim() !== '') return false;
    return true;
  } catch {
    return false;
  }
}

async function refuseFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return;
  const { X_ARCHIVE, ForeignFile } = await import('../archive/recognize.js');
  const isArchive = await access(join(path, 'data', 'manifest.js')).then(
    () => true,
    () => false,
  );
  throw new ForeignFile(
    path,
    isArchive
      ? `is ${X_ARCHIVE}`
      : `is a folder: specify the files in it, such as ${shellWord(path)}/*.jsonl`,
  );
}
