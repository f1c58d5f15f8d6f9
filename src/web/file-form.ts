import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PipitError } from '../core/errors.js';
import { MAX_VIDEO_BYTES } from '../core/limits.js';
import { PICTURE_KINDS } from '../core/profile-picture.js';
import { readMultipart, type FilePart, type MultipartReader } from '../http/multipart.js';
import type { PlainRequest } from '../http/plain-route.js';
import { isForm, mediaTypeOf } from '../http/request-parts.js';

/** A file of a form, on disk until the form is answered. */
export interface SentFile {
  /** The name that the browser sent, which may be anything. */
  readonly name: string;
  /** The declared media type. */
  readonly type: string;
  readonly path: string;
  readonly sizeBytes: number;
}

/** The fields and files of a form. */
export interface FileForm extends AsyncDisposable {
  /** In the order of the form. A field with a file has the index of the file as its value. */
  readonly fields: URLSearchParams;
  readonly files: readonly SentFile[];
}

/** The name of fields with the files of posts and messages. */
export const FILE_FIELD = 'file';

/** The name of the field with the logo of the server. */
export const LOGO_FIELD = 'logo';

/** The names of the fields with files; other fields have text. */
const FILE_FIELDS: ReadonlySet<string> = new Set([FILE_FIELD, LOGO_FIELD, ...PICTURE_KINDS]);

/** The most bytes of all fields without files: a thread of long posts. */
const MAX_FIELD_BYTES = 1024 * 1024;

const MAX_PARTS = 400;

/** The largest form: a video and its texts. */
export const MAX_FILE_FORM_BYTES = MAX_VIDEO_BYTES + 2 * MAX_FIELD_BYTES;

/** The largest form of a visitor without a session, and the time to send it: no other limit holds for its sender. */
const STRANGER = { maxBytes: 64 * 1024, maxMs: 10_000 } as const;

/** Reads the fields of a form whose sender is not signed in; none if it is large. Files are dropped. */
export async function readStrangersForm(request: PlainRequest): Promise<URLSearchParams> {
  if (!(Number(request.headers['content-length']) <= STRANGER.maxBytes)) return new URLSearchParams();
  const stream = withinTime(request.stream, STRANGER.maxMs);
  return (await readFileForm({ ...request, stream }, () => false)).fields;
}

async function* withinTime(chunks: AsyncIterable<Buffer>, maxMs: number): AsyncGenerator<Buffer> {
  const startedMs = performance.now();
  for await (const chunk of chunks) {
    if (performance.now() - startedMs > maxMs) throw new PipitError({ code: 'request-timeout' });
    yield chunk;
  }
}

/**
 * Reads a form with files. `mayHaveFiles` is asked at the first file, with the fields before it; otherwise files are
 * read and dropped. Throws the errors of `readMultipart`. Disposing of the form deletes its files.
 */
export async function readFileForm(
  { headers, stream }: PlainRequest,
  mayHaveFiles: (fields: URLSearchParams) => boolean,
): Promise<FileForm> {
  const contentType = headers['content-type'] ?? '';
  if (isForm(contentType)) return plainForm(await textOf(stream));
  if (mediaTypeOf(contentType) !== 'multipart/form-data') return plainForm('');
  const form = new FormWriter(mayHaveFiles);
  try {
    await readMultipart(contentType, stream, form, { fields: MAX_PARTS, fieldBytes: MAX_FIELD_BYTES });
    return form;
  } catch (error) {
    await form[Symbol.asyncDispose]();
    throw error;
  }
}

function plainForm(text: string): FileForm {
  const fields = new URLSearchParams(text);
  // A field of text does not name a file.
  for (const name of FILE_FIELDS) fields.delete(name);
  return { fields, files: [], [Symbol.asyncDispose]: () => Promise.resolve() };
}

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const read: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_FIELD_BYTES) throw new PipitError({ code: 'payload-too-large' });
    read.push(chunk);
  }
  return Buffer.concat(read).toString();
}

/** Writes the files of a form into a folder of its own. */
class FormWriter implements FileForm, MultipartReader {
  readonly fields = new URLSearchParams();
  readonly files: SentFile[] = [];
  #folder: Promise<string> | undefined;
  #count = 0;
  #fieldBytes = 0;

  constructor(private readonly mayHaveFiles: (fields: URLSearchParams) => boolean) {}

  isFile(field: string): boolean {
    return FILE_FIELDS.has(field);
  }

  field(name: string, value: string): void {
    this.#fieldBytes += name.length + value.length;
    if (this.#fieldBytes > MAX_FIELD_BYTES) throw new PipitError({ code: 'payload-too-large' });
    this.fields.append(name, value);
  }

  async file({ field, name, type }: FilePart, chunks: Readable): Promise<void> {
    // A browser sends an empty part for a field in which nothing was chosen.
    if (name === '' || !this.mayHaveFiles(this.fields)) {
      chunks.resume();
      return;
    }
    const index = this.#count;
    this.#count += 1;
    this.fields.append(field, String(index));
    this.#folder ??= mkdtemp(join(tmpdir(), 'pipit-form-'));
    const path = join(await this.#folder, String(index));
    const target = createWriteStream(path);
    await pipeline(chunks, target);
    this.files[index] = { name, type, path, sizeBytes: target.bytesWritten };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const folder = await this.#folder;
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}
