import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { StreamedBodyValue } from '../../api/body/body.js';

/** Returns the body of a call with a file, or a part of it, in a field of a multipart form. */
export function fileBody(
  field: string,
  path: string,
  part?: { readonly start: number; readonly end: number },
): StreamedBodyValue {
  const boundary = randomUUID();
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    chunks: formOf(field, createReadStream(path, part), boundary),
    hold: () => {
      throw new Error('a multipart form is not held');
    },
  };
}

async function* formOf(
  field: string,
  bytes: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<Buffer> {
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="file"\r\n\r\n`;
  yield Buffer.from(head);
  yield* bytes;
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}
