import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createGunzip } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { gzipped, messageOf, MessageStream } from '../../src/http/message-stream.js';
import { manualTimers } from './support/manual-timers.js';

function start(maxWaitingBytes = 1_000_000) {
  const { timers, advance, pending } = manualTimers();
  const stream = new MessageStream({ timers, maxWaitingBytes, onSlow: () => messageOf('{"slow":true}') });
  return { stream, advance, pending };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('messages (docs/api/streams.md#messages)', () => {
  test('are one chunk each, with their line end, in ASCII', async () => {
    const { stream } = start();
    const chunks: string[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString('latin1')));
    stream.send(messageOf('{"text":"one"}'));
    stream.send(messageOf(JSON.stringify({ text: 'é 👍🏽 東京' })));
    await settled();
    expect(chunks).toEqual(['\r\n', '{"text":"one"}\r\n', expect.stringMatching(/^[\0-\x7f]*\r\n$/)]);
    expect(JSON.parse(chunks[2] ?? '')).toEqual({ text: 'é 👍🏽 東京' });
  });

  test('are followed by a blank line within 20 seconds of silence, and by none while there are messages', async () => {
    const { stream, advance } = start();
    const chunks: string[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
    await settled();
    chunks.length = 0;
    advance(19_000);
    await settled();
    expect(chunks).toEqual(['\r\n']);
    for (let second = 0; second < 60; second++) {
      stream.send(messageOf('{}'));
      advance(1_000);
    }
    await settled();
    expect(chunks.slice(1).filter((chunk) => chunk === '\r\n')).toEqual([]);
    chunks.length = 0;
    advance(20_000);
    await settled();
    expect(chunks.length).toBeGreaterThanOrEqual(1);
  });

  test('are compressed one by one', async () => {
    const { stream } = start();
    const unpacked = gzipped(stream).pipe(createGunzip());
    const texts: string[] = [];
    unpacked.on('data', (chunk: Buffer) => texts.push(chunk.toString()));
    for (const text of ['{"a":1}', '{"b":2}']) {
      stream.send(messageOf(text));
      while (!texts.join('').includes(`${text}\r\n`)) await once(unpacked, 'data');
    }
    expect(texts.join('').trim()).toBe('{"a":1}\r\n{"b":2}');
    stream.destroy();
  });
});

describe('a client that does not read', () => {
  test('gets a last message when too much waits for it, and nothing else', async () => {
    const { stream } = start(1_000);
    for (let n = 0; n < 50; n++) stream.send(messageOf(JSON.stringify({ n, text: 'x'.repeat(60) })));
    const received: string[] = [];
    for await (const chunk of stream) received.push(String(chunk));
    expect(received.at(-1)).toBe('{"slow":true}\r\n');
    expect(received.length).toBeLessThan(5);
  });

  test('is cut after five seconds if it does not read that either', async () => {
    const { stream, advance, pending } = start(10);
    stream.send(messageOf('{"text":"longer than ten bytes"}'));
    const closed = once(stream, 'close');
    advance(6_000);
    await closed;
    expect(stream.destroyed).toBe(true);
    expect(pending.size).toBe(0);
  });
});

describe('a client that is behind', () => {
  const message = messageOf(JSON.stringify({ text: 'x'.repeat(90) }));

  test('is waited for until it has read half of what may wait', async () => {
    const { stream } = start(1_000);
    await stream.room();
    for (let n = 0; n < 8; n++) stream.send(message);
    let hasRoom = false;
    const room = stream.room().then(() => (hasRoom = true));
    await settled();
    expect(hasRoom).toBe(false);
    stream.resume();
    await room;
  });

  test('is cut off if it reads nothing for a minute', async () => {
    const { stream, advance } = start(1_000);
    for (let n = 0; n < 8; n++) stream.send(message);
    const room = stream.room();
    advance(61_000);
    await room;
    const received: string[] = [];
    for await (const chunk of stream) received.push(String(chunk));
    expect(received.at(-1)).toBe('{"slow":true}\r\n');
  });

  test('may read the rest of a stream that has ended, without haste', async () => {
    const { stream, advance, pending } = start(1_000);
    for (let n = 0; n < 8; n++) stream.send(message);
    stream.finishRead();
    advance(50_000);
    const received: string[] = [];
    for await (const chunk of stream) received.push(String(chunk));
    expect(received.join('')).toBe('\r\n' + message.toString().repeat(8));
    expect(pending.size).toBe(0);
  });

  test('does not keep a stream that has ended', async () => {
    const { stream, advance } = start(1_000);
    for (let n = 0; n < 8; n++) stream.send(message);
    stream.finishRead();
    const closed = once(stream, 'close');
    advance(61_000);
    await closed;
  });
});

test('a finished stream ends after its last message and takes no more', async () => {
  const { stream, pending } = start();
  stream.send(messageOf('{"n":1}'));
  stream.finish(messageOf('{"end":true}'));
  stream.send(messageOf('{"n":2}'));
  stream.finish(messageOf('{"end":false}'));
  const received: string[] = [];
  for await (const chunk of stream) received.push(String(chunk));
  expect(received.join('')).toBe('\r\n{"n":1}\r\n{"end":true}\r\n');
  expect(pending.size).toBe(0);
});

test('memory stays flat over 1,000,000 messages', async () => {
  const { stream } = start();
  const json = JSON.stringify({ text: 'A heron 👍🏽 at the pond', rules: ['heron', 'pond'] });
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
  const sendMany = async (count: number): Promise<number> => {
    for (let n = 1; n <= count; n += 1) {
      stream.send(messageOf(json));
      if (n % 1_000 === 0) await settled();
    }
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = await sendMany(100_000);
  const after = await sendMany(900_000);
  expect(bytes).toBeGreaterThan(1_000_000 * json.length);
  expect(after - before).toBeLessThan(4 * 1024 * 1024);
  stream.destroy();
});
