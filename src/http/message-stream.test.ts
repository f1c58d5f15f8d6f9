import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { expect, test } from 'vitest';
import { gzipped, messageOf, MessageStream } from './message-stream.js';

const LINE_END = '\r\n';

function openStream(): MessageStream {
  return new MessageStream({ onSlow: () => messageOf('{}'), maxWaitingBytes: 10_000_000 });
}

/** Returns a message of so many bytes, of which gzip saves a quarter. */
function messageWith(bytes: number): Buffer {
  const text = randomBytes(bytes).toString('base64');
  return messageOf(JSON.stringify(text.slice(0, bytes - '""'.length - LINE_END.length)));
}

/** Sends messages, and returns the pieces as a reader gets them; a blank line comes first. */
async function piecesOf(
  messages: readonly Buffer[],
  passOn: (stream: MessageStream) => Readable,
): Promise<Buffer[]> {
  const stream = openStream();
  const pieces: Buffer[] = [];
  const reader = passOn(stream).on('data', (piece: Buffer) => pieces.push(piece));
  for (const message of messages) stream.send(message);
  stream.finishRead();
  await once(reader, 'end');
  return pieces;
}

function decompressed(stream: MessageStream): Readable {
  return gzipped(stream).pipe(createGunzip({ flush: constants.Z_SYNC_FLUSH }));
}

test('no piece that a client decompresses begins with the line end of a message', async () => {
  // The blank line takes two bytes: the 128th message would have its line end there.
  const messages = Array.from({ length: 1_000 }, () => messageWith(128));
  const pieces = (await piecesOf(messages, decompressed)).map(String);
  const ends = pieces.map((_, index) => pieces.slice(0, index).join('').endsWith(LINE_END));
  const torn = pieces.filter((piece, index) => index > 0 && piece.startsWith(LINE_END) && !ends[index]);
  expect(torn).toEqual([]);
  expect(pieces.some((piece) => piece.length % 128 > 2)).toBe(true);
  expect(pieces.join('').split(LINE_END).filter(Boolean)).toEqual(
    messages.map((message) => String(message).trim()),
  );
});

test('each message becomes one compressed chunk, however long it is', async () => {
  const messages = [300, 40_000, ...Array.from({ length: 200 }, (_, n) => 300 + n), 100_000].map(messageWith);
  const pieces = await piecesOf(messages, gzipped);
  // The blank line at the start, and the end of the file.
  expect(pieces).toHaveLength(messages.length + 2);
});

/** Resolves when a stream is closed, with or without an error. */
function closed(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.on('error', () => undefined).once('close', resolve);
  });
}

test('the compressed stream and its source are destroyed together', async () => {
  for (const destroysSource of [false, true]) {
    const source = openStream();
    const compressed = gzipped(source);
    const bothClosed = Promise.all([closed(source), closed(compressed)]);
    (destroysSource ? source : compressed).destroy();
    await bothClosed;
  }
});
