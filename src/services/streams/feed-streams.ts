import { createAtMost } from '../../core/at-most.js';
import type { Clock } from '../../core/clock.js';
import { PipitError } from '../../core/errors.js';
import type { StreamConnectionId } from '../../core/ids.js';
import { counter, gauge, Tally, type Metrics } from '../../core/metrics.js';
import type { StreamEnd, StreamName } from '../../core/stream-connection.js';
import type { Engine } from '../../database/engine.js';
import type { FeedEntry } from '../../database/feed.js';
import type { NewConnection, StreamConnections } from './connections.js';

/** What happened, as sources get it. */
export type StreamEntry = FeedEntry;

/** What a stream carries: a function from what happened to messages. */
export interface StreamSource {
  /** The same for streams with the same messages, which are made once for all of them. */
  readonly key: string;
  /** Returns the messages for entries of the feed, in order. */
  messages(entries: readonly FeedEntry[]): Promise<readonly Buffer[]>;
  /** Called when the stream has ended. */
  close?(): void;
}

/** The client of a stream. Its methods never throw, and do nothing after the end. */
export interface StreamReader {
  send(message: Buffer): void;
  /** Resolves when the client has read most of what was sent, or the stream has ended. */
  room(): Promise<void>;
  /** The server ends the stream. */
  end(reason: StreamEnd): void;
}

/** The time that a stream carries: from now on, the last minutes too, or only a time of the past. */
export type StreamSpan =
  | { readonly backfillMs: number }
  /** In milliseconds since the epoch; the end is not included. */
  | { readonly startMs: number; readonly endMs: number };

export interface StreamRequest extends Omit<NewConnection, 'isRecovery'> {
  readonly span: StreamSpan;
}

interface FeedStreamDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: { error(fields: object, message: string): void };
  readonly connections: StreamConnections;
}

/** An open stream. */
class Stream {
  id: StreamConnectionId | undefined;
  /** Present once the stream has ended. */
  reason: StreamEnd | undefined;

  constructor(
    readonly name: StreamName,
    readonly source: StreamSource,
    readonly reader: StreamReader,
  ) {}
}

/** Streams with the same messages. */
interface Group {
  readonly source: StreamSource;
  readonly streams: Set<Stream>;
}

/**
 * The streams of this process over the feed: one subscription for all of them (docs/design/streams.md#streams).
 */
export class FeedStreams {
  readonly #deps: FeedStreamDeps;
  /** Open streams by the names of their connections. */
  readonly #open = new Map<string, Stream>();
  /** The streams that have reached the present, by the keys of their sources. */
  readonly #groups = new Map<string, Group>();
  /** Present while there are streams. */
  #following: AbortController | undefined;
  /** The groups have the messages up to this position. */
  #position = 0n;
  readonly #exclusively = createAtMost(1);
  #isStopping = false;
  readonly #sent = new Tally<StreamName>();
  readonly #ended = new Tally<StreamEnd>();

  constructor(deps: FeedStreamDeps) {
    this.#deps = deps;
  }

  /**
   * Opens a stream, which the reader may receive messages of at once. Returns a function that ends it. Throws
   * 'stream-refused' if the app has as many connections as it may, and 'unavailable' after `stop`; the source is
   * closed then.
   */
  async open(
    { span, ...request }: StreamRequest,
    source: StreamSource,
    reader: StreamReader,
  ): Promise<(reason: StreamEnd) => void> {
    const { connections } = this.#deps;
    const stream = new Stream(request.stream, source, reader);
    const uuid = connections.newName();
    // Before the connection is registered, so that this process learns when another one kills it.
    this.#open.set(uuid, stream);
    const end = (reason: StreamEnd): void => this.#end(uuid, stream, reason);
    try {
      if (this.#isStopping) throw new PipitError({ code: 'unavailable', retryAfterSeconds: 1 });
      await this.#exclusively(() => this.#follow());
      stream.id = await connections.open(uuid, { ...request, isRecovery: 'startMs' in span });
    } catch (error) {
      end('OperationalDisconnect');
      throw error;
    }
    // Ended while it was registered.
    if (stream.reason !== undefined) connections.end(stream.id, stream.reason);
    else if ('startMs' in span || span.backfillMs > 0) void this.#passOnPast(stream, span, end);
    else this.#join(stream);
    return end;
  }

  /** Ends all streams for good. */
  stop(): void {
    this.#isStopping = true;
    this.#disconnectAll();
  }

  readonly collect = (): Metrics => {
    const open = new Tally<StreamName>();
    for (const { name } of this.#open.values()) open.add(name);
    return [
      gauge('pipit_streams_open', 'Open streams of this process.', open.samples('stream')),
      counter('pipit_stream_messages_total', 'Messages sent to streams.', this.#sent.samples('stream')),
      counter(
        'pipit_stream_ends_total',
        'Streams that ended, by reason; SlowReader: messages were dropped.',
        this.#ended.samples('reason'),
      ),
    ];
  };

  #pass({ name, reader }: Stream, message: Buffer): void {
    this.#sent.add(name);
    reader.send(message);
  }

  #disconnectAll(): void {
    for (const [uuid, stream] of this.#open) this.#disconnect(uuid, stream, 'OperationalDisconnect');
  }

  #disconnect(uuid: string, stream: Stream, reason: StreamEnd): void {
    this.#end(uuid, stream, reason);
    stream.reader.end(reason);
  }

  #end(uuid: string, stream: Stream, reason: StreamEnd): void {
    if (!this.#open.delete(uuid)) return;
    stream.reason = reason;
    this.#ended.add(reason);
    if (stream.id !== undefined) this.#deps.connections.end(stream.id, reason);
    this.#leave(stream);
    stream.source.close?.();
    if (this.#open.size > 0) return;
    this.#following?.abort();
    this.#following = undefined;
  }

  #join(stream: Stream): void {
    if (stream.reason !== undefined) return;
    const { source } = stream;
    const group = this.#groups.get(source.key) ?? { source, streams: new Set() };
    this.#groups.set(source.key, group);
    group.streams.add(stream);
  }

  #leave(stream: Stream): void {
    const { key } = stream.source;
    const group = this.#groups.get(key);
    if (group?.streams.delete(stream) === true && group.streams.size === 0) this.#groups.delete(key);
  }

  /** Follows the feed, unless that is done or all streams have ended. */
  async #follow(): Promise<void> {
    if (this.#following !== undefined) return;
    const { feed } = this.#deps.engine;
    const position = await feed.position();
    if (this.#open.size === 0) return;
    const following = new AbortController();
    this.#following = following;
    this.#position = position;
    const handle = (entries: readonly FeedEntry[]) =>
      this.#exclusively(async () => {
        if (this.#following === following) await this.#handle(entries);
      });
    const from = { after: position, signal: following.signal, name: 'streams' } as const;
    feed.subscribe(from, handle).catch((error: unknown) => {
      if (this.#following === following) this.#fail(error);
    });
  }

  /** Ends all streams: their clients come back and ask for what they missed. */
  #fail(error: unknown): void {
    this.#deps.log.error({ err: error }, 'streams ended');
    this.#disconnectAll();
  }

  async #handle(entries: readonly FeedEntry[]): Promise<void> {
    const groups = [...this.#groups.values()];
    await Promise.all(groups.map((group) => this.#send(group, entries)));
    this.#position = entries.at(-1)?.position ?? this.#position;
    for (const { events } of entries)
      for (const event of events) if (event.kind === 'stream-killed') this.#kill(event.uuid);
  }

  async #send({ source, streams }: Group, entries: readonly FeedEntry[]): Promise<void> {
    try {
      for (const message of await source.messages(entries))
        for (const stream of streams) this.#pass(stream, message);
    } catch (error) {
      this.#deps.log.error({ err: error }, 'streams ended');
      for (const [uuid, stream] of this.#open)
        if (streams.has(stream)) this.#disconnect(uuid, stream, 'OperationalDisconnect');
    }
  }

  #kill(uuid: string): void {
    const stream = this.#open.get(uuid);
    if (stream !== undefined) this.#disconnect(uuid, stream, 'ForceDisconnect');
  }

  /** Passes on what happened earlier. A stream of the present then joins its group, another one ends. Never rejects. */
  async #passOnPast(stream: Stream, span: StreamSpan, end: (reason: StreamEnd) => void): Promise<void> {
    const finish = (reason: StreamEnd): void => {
      end(reason);
      stream.reader.end(reason);
    };
    try {
      await ('startMs' in span
        ? this.#recover(stream, span, finish)
        : this.#catchUp(stream, span.backfillMs));
    } catch (error) {
      this.#deps.log.error({ err: error }, 'a stream ended');
      finish('OperationalDisconnect');
    }
  }

  async #recover(
    stream: Stream,
    { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
    finish: (reason: StreamEnd) => void,
  ): Promise<void> {
    const { feed } = this.#deps.engine;
    const upTo = await feed.positionAt(endMs);
    await this.#passOn(stream, await feed.positionAt(startMs), () => upTo);
    finish('RecoveryCompleted');
  }

  async #catchUp(stream: Stream, backfillMs: number): Promise<void> {
    const { engine, clock } = this.#deps;
    const from = await engine.feed.positionAt(clock() - backfillMs);
    const almost = await this.#passOn(stream, from, () => this.#position);
    // The rest is short. The groups get nothing meanwhile.
    await this.#exclusively(async () => {
      await this.#passOn(stream, almost, () => this.#position, false);
      this.#join(stream);
    });
  }

  /**
   * Sends the messages after a position up to another one, and returns the position that it reached. With `waits`, as
   * fast as the client reads.
   */
  async #passOn(stream: Stream, from: bigint, upTo: () => bigint, waits = true): Promise<bigint> {
    const { feed } = this.#deps.engine;
    let after = from;
    for (let last = upTo(); after < last && stream.reason === undefined; last = upTo()) {
      const page = await feed.read(after);
      const entries = page.entries.filter(({ position }) => position <= last);
      for (const message of await stream.source.messages(entries)) {
        if (waits) await stream.reader.room();
        this.#pass(stream, message);
      }
      after = page.position < last ? page.position : last;
      if (waits && !page.isFull) break;
    }
    return after;
  }
}
