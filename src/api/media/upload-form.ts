import { invalidRequest, PipitError } from '../../core/errors.js';
import { MAX_GIF_BYTES, MAX_PHOTO_BYTES } from '../../core/limits.js';
import type { MediaService } from '../../services/media/media.js';
import { type StreamedBody, type StreamedBodyValue, streamedBody } from '../body/body.js';
import type { HeldBody } from '../../http/body-room.js';
import { readMultipart, type MultipartReader } from '../../http/multipart.js';
import { mediaTypeOf } from '../../http/request-parts.js';
import { textOf } from '../call-arguments.js';
import { decodeBase64, decodePicture, fromBase64 } from './base64.js';
import { JsonRefused, readJson } from '../../http/json.js';

type Draft = Awaited<ReturnType<MediaService['receive']>>;

/** The fields and bytes of an upload request, in any format. */
export interface UploadForm extends AsyncDisposable {
  readonly fields: ReadonlyMap<string, string>;
  readonly media?: Draft;
}

/** An upload in one piece may be as large as an animated image; larger files need segments. */
const MAX_MEDIA_BYTES = MAX_GIF_BYTES;

/** The base64 size of the largest photo or segment in JSON and forms, plus room for short fields. */
const MAX_TEXT_BYTES = Math.ceil(MAX_PHOTO_BYTES / 3) * 4 + 1024;
const MAX_FIELDS = 30;

/** Fields without media; the longest contains 100 user ids. */
const MAX_SHORT_FIELD = 4 * 1024;

/** Boundaries and short fields. */
const FORM_BYTES = 64 * 1024;

/** A part with media in base64, which is streamed to disk like parts with raw bytes. */
const ENCODED_FILE = 'media_data';

/** The names of the parts with the bytes of an upload. */
interface FileNames {
  /** The bytes themselves in a multipart form, base64 in JSON and other forms. */
  readonly plain: string;
  /** Base64 in every form. */
  readonly encoded?: string;
  /** Whether clients send base64 under the plain name of a multipart form too. */
  readonly isEither?: true;
}

const MEDIA: FileNames = { plain: 'media', encoded: ENCODED_FILE };

const fields = {
  media: { type: 'string', format: 'binary', description: 'The bytes; base64 in JSON.' },
  media_category: { type: 'string', description: 'The use of the media, such as tweet_image.' },
};

/** The body of an upload: multipart, JSON with base64, or a form for commands without bytes. */
export const uploadBody: StreamedBody = streamedBody(
  {
    'multipart/form-data': { type: 'object', properties: fields },
    'application/json': { type: 'object', properties: fields },
    'application/x-www-form-urlencoded': { type: 'object' },
  },
  MAX_MEDIA_BYTES + FORM_BYTES,
);

/**
 * Reads an upload's parameters from query and body, of which the body takes precedence, and stores its bytes on disk.
 * Throws PipitError for an invalid request. Disposing of the form removes bytes that were not taken.
 */
export async function readUploadForm(
  media: Pick<MediaService, 'receive'>,
  body: StreamedBodyValue,
  rawQuery: string,
  names: FileNames = MEDIA,
): Promise<UploadForm> {
  const form = new FormReader(media, names);
  try {
    for (const [name, value] of new URLSearchParams(rawQuery)) form.fields.set(name, value);
    await readBody(form, body);
    return await form.finish();
  } catch (error) {
    await form.dispose();
    throw error;
  }
}

async function readBody(form: FormReader, body: StreamedBodyValue): Promise<void> {
  const { chunks } = body;
  const readWhole = () => readBytes(chunks, body.hold());
  const contentType = withSemicolon(body.contentType);
  const type = mediaTypeOf(contentType);
  if (type === 'multipart/form-data') {
    await readMultipart(contentType, chunks, partsOf(form), {
      fields: MAX_FIELDS,
      fieldBytes: MAX_SHORT_FIELD,
    });
  } else if (type === 'application/x-www-form-urlencoded') {
    for (const [name, value] of new URLSearchParams((await readWhole()).toString()))
      form.fields.set(name, value);
  } else if (type === 'application/json') {
    readMembers(form, await readWhole());
  } else if ((await readWhole()).length > 0) {
    throw invalidRequest('content-type', [contentType], 'The content-type must be multipart/form-data.');
  }
}

/** Accepts a comma between type and boundary, as some samples send. */
function withSemicolon(contentType: string): string {
  return contentType.replace(/^multipart\/form-data,/i, 'multipart/form-data;');
}

/** Collects the parts of one request. */
class FormReader {
  readonly fields = new Map<string, string>();
  #media: Promise<Draft> | undefined;

  constructor(
    private readonly media: Pick<MediaService, 'receive'>,
    private readonly names: FileNames,
  ) {}

  isFile(name: string): boolean {
    return name === this.names.plain || name === this.names.encoded;
  }

  /** Returns the bytes of a part, decoded. */
  bytesOf(name: string, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    if (name === this.names.encoded) return decodeBase64(name, chunks);
    return this.names.isEither ? decodePicture(name, chunks) : chunks;
  }

  /** Receives the bytes of the file part; refuses a second one. */
  receive(chunks: AsyncIterable<Uint8Array>): Promise<unknown> {
    if (this.#media) throw invalidRequest(this.names.plain, [], 'Only one file can be uploaded at once.');
    this.#media = this.media.receive(chunks, MAX_MEDIA_BYTES);
    return this.#media;
  }

  async finish(): Promise<UploadForm> {
    const { plain, encoded } = this.names;
    const base64Fields = encoded === undefined ? [plain] : [encoded, plain];
    for (const name of this.#media ? [] : base64Fields) {
      const text = this.fields.get(name);
      if (text !== undefined && this.#media === undefined) {
        this.#media = this.media.receive([fromBase64(name, text)], MAX_MEDIA_BYTES);
      }
    }
    for (const name of base64Fields) this.fields.delete(name);
    const isLong = [...this.fields.values()].some((text) => text.length > MAX_SHORT_FIELD);
    if (isLong) throw new PipitError({ code: 'payload-too-large' });
    const media = await this.#media;
    return { fields: this.fields, media, [Symbol.asyncDispose]: () => this.dispose() };
  }

  async dispose(): Promise<void> {
    const media = await this.#media?.catch(() => undefined);
    await media?.[Symbol.asyncDispose]();
  }
}

function partsOf(form: FormReader): MultipartReader {
  return {
    isFile: (name) => form.isFile(name),
    field: (name, value) => form.fields.set(name, value),
    file: ({ field }, chunks) => form.receive(form.bytesOf(field, chunks)),
  };
}

async function readBytes(chunks: AsyncIterable<Buffer>, held: HeldBody): Promise<Buffer> {
  let sizeBytes = 0;
  try {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length;
      if (sizeBytes > MAX_TEXT_BYTES) throw new PipitError({ code: 'payload-too-large' });
      held.add(chunk);
    }
    return held.finish();
  } finally {
    held.release();
  }
}

function readMembers(form: FormReader, bytes: Buffer): void {
  const value = bytes.length === 0 ? {} : parseOrRefuse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest('$', [], '$: is no object.');
  }
  for (const [name, member] of Object.entries(value)) {
    if (member !== null && member !== undefined) form.fields.set(name, textOf(member));
  }
}

function parseOrRefuse(bytes: Buffer): unknown {
  try {
    return readJson(bytes);
  } catch (error) {
    if (error instanceof JsonRefused) throw invalidRequest('$', [], error.message);
    throw error;
  }
}
