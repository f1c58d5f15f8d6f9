import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createGunzip } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Timers } from '../../src/core/timers.js';
import { gzipped, MessageStream, takesGzip } from '../../src/http/message-stream.js';

/** Timers that tests advance. */
function manualTimers() {
  const pending = new Set<{ dueMs: number; everyMs?: number; work: () => void }>();
  let nowMs = 0;
  const add = (delayMs: number, work: () => void, everyMs?: number) => {
    const timer = { dueMs: nowMs + delayMs, everyMs, work };
    pending.add(timer);
    return () => void pending.delete(timer);
  };
  const timers: Timers = {
    every: (intervalMs, work) => add(intervalMs, work, intervalMs),
    after: (delayMs, work) => add(delayMs, work),
  };
  const advance = (ms: number): void => {
    for (const endMs = nowMs + ms; nowMs < endMs;) {
      nowMs += 1_000;
      for (const timer of pending) {
        if (timer.dueMs > nowMs) continue;
        if (timer.everyMs === undefined) pending.delete(timer);
        else timer.dueMs += timer.everyMs;
        timer.work();
      }
    }
  };
  return { timers, advance, pending };
}

function start(maxWaitingBytes?: number) {
  const { timers, advance, pending } = manualTimers();
  const stream = new MessageStream({ timers, maxWaitingBytes, onSlow: () => '{"slow":true}' });
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
    stream.send('{"text":"one"}');
    stream.send(JSON.stringify({ text: 'é 👍🏽 東京' }));
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
      stream.send('{}');
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
      stream.send(text);
      while (!texts.join('').includes(`${text}\r\n`)) await once(unpacked, 'data');
    }
    expect(texts.join('').trim()).toBe('{"a":1}\r\n{"b":2}');
    stream.destroy();
  });
});

describe('a client that does not read', () => {
  test('gets a last message when too much waits for it, and nothing else', async () => {
    const { stream } = start(1_000);
    for (let n = 0; n < 50; n++) stream.send(JSON.stringify({ n, text: 'x'.repeat(60) }));
    const received: string[] = [];
    for await (const chunk of stream) received.push(String(chunk));
    expect(received.at(-1)).toBe('{"slow":true}\r\n');
    expect(received.length).toBeLessThan(5);
  });

  test('is cut after five seconds if it does not read that either', async () => {
    const { stream, advance, pending } = start(10);
    stream.send('{"text":"longer than ten bytes"}');
    const closed = once(stream, 'close');
    advance(6_000);
    await closed;
    expect(stream.destroyed).toBe(true);
    expect(pending.size).toBe(0);
  });
});

test('a finished stream ends after its last message and takes no more', async () => {
  const { stream, pending } = start();
  stream.send('{"n":1}');
  stream.finish('{"end":true}');
  stream.send('{"n":2}');
  stream.finish('{"end":false}');
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
      stream.send(json);
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

test.each([
  ['gzip', true],
  ['gzip, deflate, br', true],
  ['deflate, gzip;q=0.5', true],
  ['*', true],
  ['gzip;q=0', false],
  ['identity', false],
  [undefined, false],
  ['x-gzip', false],
])('accept-encoding %s takes gzip: %s', (header, takes) => expect(takesGzip(header)).toBe(takes));
