import { createAtMost } from '../../core/at-most.js';
import { PipitError } from '../../core/errors.js';
import type { PostId, UserId } from '../../core/ids.js';
import { counter, gauge, Tally, type Metrics } from '../../core/metrics.js';
import { systemTimers, type Timers } from '../../core/timers.js';
import type { Engine } from '../../database/engine.js';
import { findPosts } from '../../stores/posts.js';
import type { RelationCache } from '../../stores/relation-cache.js';
import { News } from './news.js';

/** What a reader may follow: new posts at home, what is unread, new replies in a conversation. */
export type LiveTopic = 'home' | 'unread' | 'replies';

/** Somebody who follows what is new. */
export interface LiveReader {
  readonly userId: UserId;
  /** Returns the present value of each topic that the reader follows. */
  readonly topics: ReadonlyMap<LiveTopic, () => Promise<object>>;
  /** The conversation of the topic `replies`. */
  readonly conversationId?: PostId;
  /** Sends a value. Returns false if the reader cannot take it now; call `missed` when it can. */
  send(topic: LiveTopic, json: string): boolean;
  /** Ends the reader: by another one of the same user, or because the server cannot go on. */
  end(reason: 'replaced' | 'unavailable'): void;
}

/** The ends of an open reader. */
export interface OpenReader {
  /** Sends the values again that the reader could not take. */
  missed(): void;
  /** Stops sending. */
  close(): void;
}

interface LiveReaderDeps {
  readonly engine: Engine;
  readonly relations: Pick<RelationCache, 'read'>;
  readonly log: { error(fields: object, message: string): void };
  readonly timers?: Timers;
}

/** A user's open readers in a process. More tabs than these are hardly visible at once. */
const MAX_OF_USER = 8;
/** The open readers of a process. */
const MAX_OPEN = 5_000;
/** The time in which changes are collected before values are computed. */
const PAUSE_MS = 300;
/** Computing values takes at most a quarter of the time. */
const PAUSE_FACTOR = 3;
const AT_ONCE = 4;

/** A reader with what it was sent last and what is due. */
class Follower {
  readonly due: Set<LiveTopic>;
  readonly missed = new Set<LiveTopic>();
  readonly sent = new Map<LiveTopic, string>();

  constructor(readonly reader: LiveReader) {
    this.due = new Set(reader.topics.keys());
  }

  follows(topic: LiveTopic): boolean {
    return this.reader.topics.has(topic);
  }

  touch(topic: LiveTopic): void {
    if (this.follows(topic)) this.due.add(topic);
  }
}

/**
 * The users who follow in this process what is new for them (docs/design/streams.md#live). One subscription to the feed
 * serves all. Events only decide whose values are computed again, so that nothing is counted twice and reconnecting
 * misses nothing. Much at once makes the pauses longer, not the work.
 */
export class LiveReaders {
  readonly #deps: LiveReaderDeps;
  readonly #timers: Timers;
  readonly #open = new Map<UserId, Set<Follower>>();
  readonly #bounded = createAtMost(AT_ONCE);
  #size = 0;
  #news = new News();
  /** Present while there are readers. */
  #following: AbortController | undefined;
  #isScheduled = false;
  #isStopping = false;
  readonly #values = new Tally<'sent' | 'missed'>();

  constructor(deps: LiveReaderDeps) {
    this.#deps = deps;
    this.#timers = deps.timers ?? systemTimers;
  }

  /**
   * Opens a reader, which gets the values of its topics, and again what changes. A user with too many loses the oldest
   * one. Throws 'unavailable' if the process has too many, or stops.
   */
  open(reader: LiveReader): OpenReader {
    if (this.#isStopping || this.#size >= MAX_OPEN)
      throw new PipitError({ code: 'unavailable', retryAfterSeconds: this.#isStopping ? 1 : 30 });
    const follower = new Follower(reader);
    const ofUser = this.#open.get(reader.userId) ?? new Set();
    this.#open.set(reader.userId, ofUser.add(follower));
    this.#size += 1;
    const [oldest] = ofUser;
    if (ofUser.size > MAX_OF_USER && oldest) {
      this.#close(oldest);
      oldest.reader.end('replaced');
    }
    if (!this.#following) this.#follow();
    this.#schedule(0);
    return {
      missed: () => {
        for (const topic of follower.missed) follower.due.add(topic);
        if (follower.missed.size > 0) this.#schedule(0);
        follower.missed.clear();
      },
      close: () => this.#close(follower),
    };
  }

  readonly collect = (): Metrics => [
    gauge('pipit_live_readers', 'Pages in browsers that follow what is new.', this.#size),
    counter(
      'pipit_live_values_total',
      'Values for these pages: sent, or missed because the browser reads too slowly.',
      this.#values.samples('outcome'),
    ),
  ];

  /** Ends all readers for good. */
  stop(): void {
    this.#isStopping = true;
    this.#endAll();
  }

  #endAll(): void {
    for (const ofUser of [...this.#open.values()])
      for (const follower of [...ofUser]) {
        this.#close(follower);
        follower.reader.end('unavailable');
      }
  }

  #close(follower: Follower): void {
    const { userId } = follower.reader;
    const ofUser = this.#open.get(userId);
    if (ofUser?.delete(follower) !== true) return;
    this.#size -= 1;
    if (ofUser.size === 0) this.#open.delete(userId);
    if (this.#size > 0) return;
    this.#following?.abort();
    this.#following = undefined;
    this.#news = new News();
  }

  #follow(): void {
    const following = new AbortController();
    this.#following = following;
    this.#readFeed(following.signal).catch((error: unknown) => {
      if (this.#following === following) this.#fail(error);
    });
  }

  async #readFeed(signal: AbortSignal): Promise<void> {
    const { feed } = this.#deps.engine;
    const after = await feed.position();
    // What the first readers got may be older than this position.
    this.#touchAll();
    await feed.subscribe({ after, signal, name: 'live' }, (entries) => {
      if (signal.aborted) return;
      this.#news.add(entries);
      this.#schedule(PAUSE_MS);
    });
  }

  #touchAll(): void {
    for (const follower of this.#followers())
      for (const topic of follower.reader.topics.keys()) follower.touch(topic);
    this.#schedule(0);
  }

  *#followers(): Generator<Follower> {
    for (const ofUser of this.#open.values()) yield* ofUser;
  }

  /** Ends all readers: browsers connect again. */
  #fail(error: unknown): void {
    if (!this.#isStopping) this.#deps.log.error({ err: error }, 'live readers ended');
    this.#endAll();
  }

  #schedule(pauseMs: number): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#timers.after(pauseMs, () => {
      this.#flush().catch((error: unknown) => {
        this.#isScheduled = false;
        this.#fail(error);
      });
    });
  }

  async #flush(): Promise<void> {
    const startedMs = performance.now();
    const news = this.#news;
    this.#news = new News();
    await this.#deps.engine.catchUp();
    await this.#mark(news);
    const due = [...this.#followers()].filter((follower) => follower.due.size > 0);
    await Promise.all(due.map((follower) => this.#bounded(() => this.#update(follower))));
    this.#isScheduled = false;
    const isMore = !this.#news.isEmpty || [...this.#followers()].some((follower) => follower.due.size > 0);
    const tookMs = performance.now() - startedMs;
    if (isMore) this.#schedule(Math.max(PAUSE_MS, PAUSE_FACTOR * tookMs));
  }

  /** Marks the values that may have changed. */
  async #mark(news: News): Promise<void> {
    const { engine } = this.#deps;
    await news.findRecipients(engine);
    this.#touch(news.notified, 'unread');
    this.#touch(news.related, 'home');
    await Promise.all([this.#markHomes([...news.authors]), this.#markReplies([...news.posts])]);
  }

  #touch(users: ReadonlySet<UserId>, topic: LiveTopic): void {
    for (const userId of users) for (const follower of this.#open.get(userId) ?? []) follower.touch(topic);
  }

  async #markHomes(authors: readonly UserId[]): Promise<void> {
    if (authors.length === 0) return;
    for (const [userId, ofUser] of this.#open) {
      if (![...ofUser].some((follower) => follower.follows('home'))) continue;
      const { follows } = await this.#deps.relations.read(userId, authors);
      if (authors.some((id) => follows.has(id))) this.#touch(new Set([userId]), 'home');
    }
  }

  async #markReplies(posts: readonly PostId[]): Promise<void> {
    const readers = [...this.#followers()].filter((follower) => follower.follows('replies'));
    if (posts.length === 0 || readers.length === 0) return;
    const found = await findPosts(this.#deps.engine, posts);
    const conversations = new Set([...found.values()].map(({ conversationId }) => conversationId));
    for (const follower of readers) {
      const { conversationId } = follower.reader;
      if (conversationId !== undefined && conversations.has(conversationId)) follower.touch('replies');
    }
  }

  /** Computes what is due and sends what has changed. */
  async #update(follower: Follower): Promise<void> {
    const { reader, due, sent, missed } = follower;
    const topics = [...due];
    due.clear();
    for (const topic of topics) {
      const json = JSON.stringify(await reader.topics.get(topic)?.());
      if (json === sent.get(topic)) continue;
      const isSent = reader.send(topic, json);
      this.#values.add(isSent ? 'sent' : 'missed');
      if (isSent) sent.set(topic, json);
      else missed.add(topic);
    }
  }
}
