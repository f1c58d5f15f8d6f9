import { expect, onTestFinished, test } from 'vitest';
import { PipitError } from '../../src/core/errors.js';
import type { AppId, PostId, UserId } from '../../src/core/ids.js';
import { createSnowflakes } from '../../src/core/snowflake.js';
import type { StreamEnd } from '../../src/core/stream-connection.js';
import type { Engine } from '../../src/database/engine.js';
import { StreamConnections, type NewConnection } from '../../src/services/streams/connections.js';
import {
  FeedStreams,
  type StreamRequest,
  type StreamSource,
} from '../../src/services/streams/feed-streams.js';
import { openTestEngine } from '../support/test-database.js';
import { manualTimers } from './support/manual-timers.js';

/** Streams over the feed and the leases of their connections (docs/design/streams.md#streams). */

const NOW_MS = Date.UTC(2026, 5, 1);
const APP = 7n as AppId;
const LIVE = { backfillMs: 0 };

interface Faults {
  error(fields: object, message: string): void;
}

const noFaults: Faults = { error: (fields, message) => expect.fail(`${message} ${JSON.stringify(fields)}`) };

async function open({ log = noFaults, maxConnections = 1 } = {}) {
  let nowMs = NOW_MS;
  const clock = () => nowMs;
  const engine = await openTestEngine();
  const { timers, advance } = manualTimers();
  const ids = createSnowflakes(clock, 1);
  const create = () =>
    new StreamConnections({ engine, clock, ids, log, maxConnections, graceMs: 30_000, timers });
  const connections = create();
  const feed = new FeedStreams({ engine, clock, log, connections });
  onTestFinished(async () => {
    feed.stop();
    await connections.stop();
    await engine.close();
  });
  return {
    engine,
    connections,
    /** The connections of another process. */
    other: create(),
    feed,
    setTime: (ms: number) => void (nowMs = NOW_MS + ms),
    advance,
  };
}

const request = (more: Partial<StreamRequest> = {}): StreamRequest => ({
  ...{ appId: APP, stream: 'sample_stream', partition: 0, span: LIVE },
  ...more,
});

const connection = (more: Partial<NewConnection> = {}): NewConnection => ({
  ...{ appId: APP, stream: 'sample_stream', partition: 0, isRecovery: false },
  ...more,
});

/** A reader that keeps what it gets. */
function reader() {
  const texts: string[] = [];
  const ends: StreamEnd[] = [];
  return {
    texts,
    ends,
    send: (message: Buffer) => void texts.push(message.toString()),
    room: () => Promise.resolve(),
    end: (reason: StreamEnd) => void ends.push(reason),
  };
}

/** A source of the ids of deleted posts, which counts its calls. */
function deletions(key: string) {
  const source = {
    key,
    calls: 0,
    closed: 0,
    messages: (entries: Parameters<StreamSource['messages']>[0]) => {
      source.calls += 1;
      const ids = entries.flatMap(({ events }) =>
        events.flatMap((event) => (event.kind === 'post-deleted' ? [String(event.postId)] : [])),
      );
      return Promise.resolve(ids.map((id) => Buffer.from(id)));
    },
    close: () => void (source.closed += 1),
  };
  return source;
}

const happen = (engine: Engine, postId: number) =>
  engine.tx('happen', (tx) => {
    tx.emit({ kind: 'post-deleted', postId: BigInt(postId) as PostId, authorId: 1n as UserId });
    return Promise.resolve();
  });

const issueOf = (error: unknown): unknown =>
  error instanceof PipitError && 'issue' in error.failure ? error.failure.issue : error;

test('streams with the same key share their messages, which are made once', async () => {
  const { engine, feed } = await open({ maxConnections: 3 });
  const [first, second, third] = [deletions('same'), deletions('same'), deletions('other')];
  const readers = [reader(), reader(), reader()];
  for (const [index, source] of [first, second, third].entries())
    await feed.open(request(), source, readers[index] ?? reader());
  await happen(engine, 1);
  for (const { texts } of readers) await expect.poll(() => texts).toEqual(['1']);
  expect([first.calls + second.calls, third.calls]).toEqual([1, 1]);
});

test('a stream that joins late gets each message once, whatever happens meanwhile', async () => {
  const { engine, feed } = await open({ maxConnections: 9 });
  await feed.open(request(), deletions('live'), reader());
  const readers = Array.from({ length: 8 }, reader);
  const posts: number[] = [];
  const opening: Promise<unknown>[] = [];
  for (let n = 1; n <= 400; n++) {
    posts.push(n);
    await happen(engine, n);
    const late = n % 50 === 0 ? readers[n / 50 - 1] : undefined;
    if (late) opening.push(feed.open(request({ span: { backfillMs: 60_000 } }), deletions('late'), late));
  }
  await Promise.all(opening);
  for (const { texts } of readers) await expect.poll(() => texts.length).toBe(400);
  for (const { texts } of readers) expect(texts).toEqual(posts.map(String));
});

test('a source that fails ends the streams of its group only', async () => {
  const messages: string[] = [];
  const log = { error: (_: object, message: string) => void messages.push(message) };
  const { engine, feed } = await open({ log, maxConnections: 2 });
  const [broken, sound] = [reader(), reader()];
  const failing = { ...deletions('broken'), messages: () => Promise.reject(new Error('no')) };
  await feed.open(request(), failing, broken);
  await feed.open(request(), deletions('sound'), sound);
  await happen(engine, 1);
  await expect.poll(() => sound.texts).toEqual(['1']);
  expect([broken.ends, sound.ends, messages]).toEqual([['OperationalDisconnect'], [], ['streams ended']]);
});

test('a source is closed when its stream ends, and when it is refused', async () => {
  const { feed } = await open();
  const [first, second] = [deletions('first'), deletions('second')];
  const end = await feed.open(request(), first, reader());
  expect(issueOf(await feed.open(request(), second, reader()).catch((error: unknown) => error))).toBe(
    'TooManyConnections',
  );
  expect([first.closed, second.closed]).toEqual([0, 1]);
  end('ClientDisconnect');
  end('SlowReader');
  expect(first.closed).toBe(1);
});

test('a connection that its process renews stays open, and one that it does not expires', async () => {
  const { connections, other, setTime, advance } = await open();
  const id = await connections.open('one', connection());
  const endsAtMs = async () =>
    (await other.page(APP, { streams: new Set() }, { limit: 1 })).items[0]?.endsAtMs;
  for (let seconds = 10; seconds <= 100; seconds += 10) {
    setTime(seconds * 1_000);
    advance(10_000);
    await expect.poll(endsAtMs).toBe(NOW_MS + (seconds + 30) * 1_000);
  }
  expect(issueOf(await other.open('two', connection()).catch((error: unknown) => error))).toBe(
    'TooManyConnections',
  );
  connections.end(id, 'ClientDisconnect');
  await connections.stop();
  await other.open('three', connection());
  await other.stop();
  setTime(131_000);
  await connections.open('four', connection());
});

test('two connections may recover the past, beside one of the present, and each partition counts alone', async () => {
  const { connections } = await open();
  await connections.open('live', connection());
  await connections.open('one', connection({ isRecovery: true }));
  await connections.open('two', connection({ isRecovery: true }));
  const third = connections.open('three', connection({ isRecovery: true }));
  expect(issueOf(await third.catch((error: unknown) => error))).toBe('TooManyConnections');
  await connections.open('part', connection({ partition: 2 }));
  await connections.open('other', connection({ stream: 'likes_compliance_stream' }));
  await connections.open('app', connection({ appId: 8n as AppId }));
  await connections.open('more', connection({ stream: 'activity_stream', minLimit: 2 }));
  await connections.open('more again', connection({ stream: 'activity_stream', minLimit: 2 }));
});

test('of connections that open at once, as many as may be are open', async () => {
  const { connections, other } = await open({ maxConnections: 3 });
  const tries = Array.from({ length: 8 }, (_, n) =>
    (n % 2 === 0 ? connections : other).open(`at once ${n}`, connection()).then(
      () => true,
      (error: unknown) => issueOf(error) === 'TooManyConnections' && false,
    ),
  );
  expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(3);
});
