import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { readLines } from '../archive/lines.js';
import { callerIdOf, type SeenAnswer } from './seen-answer.js';
import { withExactIds } from './v1-objects.js';

/** The part of an answer or of a line of a stream that is read; longer ones pass unread. */
const MAX_READ_BYTES = 16 * 1024 * 1024;

export interface AnswerHead {
  readonly method: string;
  /** The path with the query. */
  readonly url: string;
  readonly authorization: string | undefined;
  readonly contentType: string;
  readonly contentEncoding: string;
}

/**
 * Reads a copy of an answer's body and passes its JSON on: whole, or each line of a stream when it has come. Never
 * rejects: a body that cannot be read passes unread.
 */
export async function readAnswer(
  { method, url, authorization, contentType, contentEncoding }: AnswerHead,
  body: Readable,
  take: (answer: SeenAnswer) => void,
): Promise<void> {
  const [path = '', query = ''] = url.split('?', 2);
  const isStream = /\/stream(?:\/|$)|\/sample/.test(path);
  const request = { method, path, query: new URLSearchParams(query), callerId: callerIdOf(authorization) };
  const takeJson = (text: string): void => {
    const json = parsed(withExactIds(path, text));
    if (json !== undefined) take({ ...request, json });
  };
  try {
    if (!contentType.includes('json')) {
      await drain(body);
      return;
    }
    const decoder = decoderOf(contentEncoding);
    const decoded = decoder ? body.pipe(decoder) : body;
    if (decoder) body.on('error', (error) => decoder.destroy(error));
    if (isStream) await readLinesOf(decoded, takeJson);
    else await readWhole(decoded, takeJson);
  } catch {
    body.resume();
  }
}

function decoderOf(encoding: string): Transform | undefined {
  switch (encoding) {
    case 'gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}

async function drain(body: Readable): Promise<void> {
  for await (const _chunk of body);
}

async function readWhole(body: Readable, take: (json: string) => void): Promise<void> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_READ_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (bytes <= MAX_READ_BYTES) take(Buffer.concat(chunks).toString());
}

async function readLinesOf(body: Readable, take: (json: string) => void): Promise<void> {
  for await (const lines of readLines(body, undefined, MAX_READ_BYTES)) {
    for (const { text, fault } of lines) if (fault === undefined) take(text);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
