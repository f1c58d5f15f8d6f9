import { PipitError } from '../../core/errors.js';
import type { AppId } from '../../core/ids.js';
import type { Clock } from '../../core/clock.js';
import type { Engine } from '../../database/engine.js';
import type { FeedEntry } from '../../database/feed.js';
import { countStreamRules } from '../../stores/stream-rules.js';
import { LiveRules } from './live-rules.js';
import { StreamGate, type StreamListener } from './stream-gate.js';

interface StreamDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: { error(fields: object, message: string): void };
  /** The most streams of one app. */
  readonly maxStreams: number;
}

const MINUTE_MS = 60_000;

/** The filtered streams of this process (docs/design/streams.md#streams). */
export class FilteredStreams {
  readonly #deps: StreamDeps;
  readonly #rules: LiveRules;
  readonly #streams = new Map<AppId, Set<StreamGate>>();
  /** Present while there are streams. */
  #following: AbortController | undefined;
  /** The feed has been handled up to this position. */
  #position = 0n;
  /** The end of the work that runs now: one piece at a time. */
  #busy: Promise<unknown> = Promise.resolve();

  constructor(deps: StreamDeps) {
    this.#deps = deps;
    this.#rules = new LiveRules(deps.engine);
  }

  /**
   * Opens a stream: posts of the last `backfillMinutes` first, then new ones, until the returned function is called.
   * Throws 'stream-refused' if the app has no rules, or as many streams as it may.
   */
  async open(appId: AppId, backfillMinutes: number, listener: StreamListener): Promise<() => void> {
    const { engine, maxStreams } = this.#deps;
    if ((await countStreamRules(engine, appId)) === 0) throw noRules();
    const streams = this.#streams.get(appId) ?? new Set();
    if (streams.size >= maxStreams) throw tooManyStreams();
    const gate = new StreamGate(listener, backfillMinutes === 0);
    this.#streams.set(appId, streams.add(gate));
    const close = (): void => this.#remove(appId, gate);
    try {
      await this.#exclusively(() => this.#begin(appId));
    } catch (error) {
      close();
      throw error;
    }
    if (backfillMinutes > 0) void this.#backfill(appId, backfillMinutes, gate);
    return close;
  }

  /** Ends all streams. */
  close(): void {
    for (const [appId, streams] of this.#streams) {
      for (const gate of streams) {
        gate.onEnd();
        this.#remove(appId, gate);
      }
    }
  }

  #remove(appId: AppId, gate: StreamGate): void {
    const streams = this.#streams.get(appId);
    if (streams?.delete(gate) !== true || streams.size > 0) return;
    this.#streams.delete(appId);
    this.#rules.exclude(appId);
    if (this.#streams.size > 0) return;
    this.#following?.abort();
    this.#following = undefined;
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#busy.then(work);
    this.#busy = result.catch(() => undefined);
    return result;
  }

  /** Loads the app's rules and follows the feed, unless another stream did or this one has been closed. */
  async #begin(appId: AppId): Promise<void> {
    if (!this.#streams.has(appId)) return;
    await this.#rules.include(appId);
    await this.#rules.refresh();
    if (this.#following !== undefined) return;
    const { feed } = this.#deps.engine;
    const position = await feed.position();
    if (this.#streams.size === 0) return;
    const following = new AbortController();
    this.#following = following;
    this.#position = position;
    const handle = (entries: readonly FeedEntry[]) =>
      this.#exclusively(async () => {
        if (this.#following === following) await this.#handle(entries);
      });
    feed.subscribe({ after: position, signal: following.signal }, handle).catch((error: unknown) => {
      if (this.#following === following) this.#fail(error);
    });
  }

  /** Ends all streams: their clients come back and ask for what they missed. */
  #fail(error: unknown): void {
    this.#deps.log.error({ err: error }, 'filtered streams ended');
    this.close();
  }

  async #handle(entries: readonly FeedEntry[]): Promise<void> {
    await this.#rules.refresh();
    const matches = await this.#rules.match(entries);
    this.#position = entries.at(-1)?.position ?? this.#position;
    const sent = [...matches].flatMap(([appId, found]) =>
      [...(this.#streams.get(appId) ?? [])].map((gate) => gate.onMatches(found)),
    );
    await Promise.all(sent);
  }

  /** Passes on the matches of the last minutes, then those that came meanwhile. Never rejects. */
  async #backfill(appId: AppId, minutes: number, gate: StreamGate): Promise<void> {
    const { engine, clock, log } = this.#deps;
    const upTo = this.#position;
    try {
      let after = await engine.feed.positionAt(clock() - minutes * MINUTE_MS);
      for (let isFull = true; isFull && after < upTo && this.#streams.get(appId)?.has(gate);) {
        const page = await engine.feed.read(after);
        const entries = page.entries.filter(({ position }) => position <= upTo);
        await gate.passOn((await this.#rules.match(entries)).get(appId) ?? []);
        ({ position: after, isFull } = page);
      }
      await gate.open();
    } catch (error) {
      log.error({ err: error }, 'a filtered stream ended');
      gate.onEnd();
    }
  }
}

function noRules(): PipitError {
  const detail =
    'The app has no rules. Add rules with POST /2/tweets/search/stream/rules before you connect to the stream.';
  return new PipitError({ code: 'stream-refused', issue: 'RuleConfigurationIssue', detail });
}

function tooManyStreams(): PipitError {
  const detail = 'This stream is currently at the maximum allowed connection limit.';
  return new PipitError({ code: 'stream-refused', issue: 'TooManyConnections', detail });
}
