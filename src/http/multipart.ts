import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { invalidRequest, PipitError } from '../core/errors.js';
import { RequestAborted } from './read-body.js';

/** A file of a multipart form, as its part declares it. */
export interface FilePart {
  /** The name of the form field. */
  readonly field: string;
  /** The name that the client gave the file; empty when a browser sends a field without a file. */
  readonly name: string;
  /** The declared media type. */
  readonly type: string;
}

/** Takes the parts of a form, in their order. What its functions throw ends the reading. */
export interface MultipartReader {
  /** Reports whether the field has a file. */
  isFile(field: string): boolean;
  field(name: string, value: string): void;
  /** Must read all chunks. */
  file(part: FilePart, chunks: Readable): Promise<unknown>;
}

/** The limits of a form, besides that of its whole body. */
interface MultipartLimits {
  /** The most parts. */
  readonly fields: number;
  /** The most bytes of a field without a file. */
  readonly fieldBytes: number;
}

/** The time limit for the parser to process a chunk; it hangs on some malformed forms. */
const MAX_PARSER_DELAY_MS = 10_000;

/**
 * Matches the boundary, quoted or not (RFC 2046 5.1.1, but longer ones too). The parser hangs on an empty boundary.
 */
const BOUNDARY = /;\s*boundary=(?:"([^"\\]{1,200})"|([^\s";,]{1,200}))\s*(?:[;,]|$)/i;

/**
 * Reads a `multipart/form-data` body as it arrives. Throws PipitError `invalid-request` for a malformed form,
 * `payload-too-large` above a limit, the errors of the reader, and those of `chunks`.
 */
export async function readMultipart(
  contentType: string,
  chunks: AsyncIterable<Buffer>,
  reader: MultipartReader,
  limits: MultipartLimits,
): Promise<void> {
  const parser = openParser(contentType, reader, limits);
  let open: Readable | undefined;
  const fail = (error: unknown): void => {
    parser.destroy(error as Error);
    open?.destroy(error as Error);
  };
  const received = readParts(parser, reader, fail, (file) => {
    open = file;
  });
  const watch = createWatch(() => fail(new Error('the parser does not go on')));
  try {
    await pipeline(watch.over(chunks), parser);
    await Promise.all(received);
  } catch (error) {
    open?.destroy(error as Error);
    throw isOurs(error) ? error : invalidRequest('$', [], 'Could not parse the multipart form.');
  } finally {
    watch.stop();
  }
}

/** Hands the parts to the reader. Returns the files that are being read, to which later ones are added. */
function readParts(
  parser: BusboyInstance,
  reader: MultipartReader,
  fail: (error: unknown) => void,
  opened: (file: Readable) => void,
): Promise<unknown>[] {
  const received: Promise<unknown>[] = [];
  // Both may emit further errors without a reader, which would end the process if unhandled.
  parser.on('error', () => undefined);
  parser.on('field', (name, value, _isNameCut, isCut) => {
    try {
      if (isCut) throw new PipitError({ code: 'payload-too-large' });
      reader.field(name, value);
    } catch (error) {
      fail(error);
    }
  });
  parser.on('file', (field, file, name, _encoding, type) => {
    file.on('error', () => undefined);
    opened(file);
    try {
      const reading = reader.file({ field, name: name ?? '', type }, file);
      reading.catch(fail);
      received.push(reading);
    } catch (error) {
      fail(error);
    }
  });
  return received;
}

/** Watches how long a reader takes to process each chunk and the end, excluding the time to receive chunks. */
function createWatch(onStuck: () => void) {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearTimeout(timer);
  const start = (): void => {
    timer = setTimeout(onStuck, MAX_PARSER_DELAY_MS);
  };
  return {
    stop,
    over: async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        start();
        yield chunk;
        stop();
      }
      start();
    },
  };
}

/** Creates a parser. Throws PipitError for a type without a boundary. */
function openParser(
  contentType: string,
  { isFile }: MultipartReader,
  { fields, fieldBytes }: MultipartLimits,
): BusboyInstance {
  try {
    const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
    const boundary = quoted ?? plain;
    if (boundary === undefined) throw new Error('there is no boundary');
    return new Busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      isPartAFile: (name) => name !== undefined && isFile(name),
      limits: { fieldSize: fieldBytes, fields, parts: fields, headerPairs: 20, headerSize: 8 * 1024 },
    });
  } catch {
    throw invalidRequest('content-type', [contentType], 'The multipart form has no boundary.');
  }
}

/** Returns true for our own errors and disconnected clients; other errors come from the parser. */
function isOurs(error: unknown): boolean {
  return error instanceof PipitError || error instanceof RequestAborted;
}
