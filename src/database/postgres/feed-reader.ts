import pg from 'pg';
import { createSignal } from '../../core/loop.js';
import { systemTimers } from '../../core/timers.js';
import { createGathering } from '../gathering.js';
import type { StorageLog } from '../storage-log.js';
import { ANY_CHANGES } from '../watchers.js';
import { coalesce } from './coalesce.js';
import { LEASE_MS, TAKE_LEASE, type LeaseAnswer } from './feed-lease.js';
import { FeedNotices, type FeedNotice } from './feed-notices.js';

/** New entries of the feed in order, or `unknown` if some may have been missed. */
export type FeedNews = readonly string[] | 'unknown';

export interface FeedReaderParts {
  readonly url: string;
  readonly log: StorageLog;
  /** Returns the name under which this process appends entries at this moment. */
  source(): string;
  /** Returns a time for `onNews`: when the feed was asked. */
  now(): number;
  onNews(news: FeedNews, askedAt: number): void;
  /** Reports whether no other process was active recently, so that this one may take the lease. */
  isAlone(): boolean;
  /** Called when another process has committed, or has the lease. */
  onOthers(): void;
  /** The statement to run after reading entries, before their rows are read; none on one server. */
  readonly settle?: string | undefined;
}

const CONNECT_LIMIT_MS = 5_000;
/** A server that does not answer for this long counts as lost: waiting callers continue. */
const ANSWER_LIMIT_MS = 2_000;
const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/** A lost connection may look open: what was committed meanwhile rings so late at most. */
const CHECKED_EVERY_MS = 1_000;

const NO_LEASE = { source: '', endsAtMs: 0 };

const NEWEST = 'SELECT MAX(position) AS newest FROM change_feed';

/** The plan of `NEWEST` is kept. One made while the table was small would read all of it for each request. */
const BY_INDEX = 'SET enable_seqscan = off';

/** The entries that were too long for their notifications. */
const LONG_ENTRIES = `
  SELECT position, changes FROM change_feed WHERE position = ANY (CAST($1 AS BIGINT[]))`;

/** A connection that is notified of the entries of the feed. */
interface Following {
  readonly client: pg.Client;
  readonly notices: FeedNotices;
}

/**
 * A connection that is notified of the entries of the feed. It is separate from the pool, so that requests do not wait
 * for slow statements. A lost connection reconnects itself.
 */
export class FeedReader {
  private following: Following | undefined;
  private connecting: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private pauseMs = MIN_PAUSE_MS;
  private isClosed = false;
  private extending: Promise<void> | undefined;
  private lease = NO_LEASE;
  private readAtMs = -Infinity;
  /** Requests of a turn are served together also if they need not wait for the feed. */
  private readonly gather = createGathering();
  private readonly rung = createSignal();
  private readonly news = coalesce(async () => {
    const { following } = this;
    if (following) await this.read(following).catch((error: unknown) => this.lose(following.client, error));
  });

  private readonly onOther = (): void => {
    this.parts.onOthers();
    this.rung.notify();
  };

  constructor(private readonly parts: FeedReaderParts) {}

  /** Reports whether all entries are read. The first call connects. */
  isFollowing(): boolean {
    if (this.following) return true;
    if (!this.isClosed && this.timer === undefined) this.connect();
    return false;
  }

  /**
   * Resolves when the entries of all commits acknowledged before the call are read, or the connection is lost. Returns
   * undefined if it is not following.
   */
  catchUp(): Promise<void> | undefined {
    if (!this.following) return undefined;
    const { source, endsAtMs } = this.lease;
    const leftMs = source === this.parts.source() ? endsAtMs - performance.now() : 0;
    if (leftMs <= 0) return this.news();
    if (leftMs < LEASE_MS / 2) this.extending ??= this.news().finally(() => (this.extending = undefined));
    return this.gather();
  }

  /** Calls `ring` when others have committed, and at times also if not, until the returned function is called. */
  listen(ring: () => void): () => void {
    this.isFollowing();
    const stop = this.rung.listen(ring);
    const stopChecks = systemTimers.every(CHECKED_EVERY_MS, ring);
    return () => {
      stop();
      stopChecks();
    };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.connecting;
    const { following } = this;
    this.following = undefined;
    await following?.client.end();
  }

  private connect(): void {
    this.timer = undefined;
    this.connecting ??= open(this.parts.url, (client, error) => this.lose(client, error))
      .then((client) => this.start(client).catch((error: unknown) => endAfter(client, error)))
      .catch(() => this.retry())
      .finally(() => (this.connecting = undefined));
  }

  private retry(): void {
    if (this.isClosed) return;
    this.timer = setTimeout(() => this.connect(), this.pauseMs);
    this.timer.unref();
    this.pauseMs = Math.min(2 * this.pauseMs, MAX_PAUSE_MS);
  }

  private lose(client: pg.Client, err: unknown): void {
    void client.end().catch(() => undefined);
    if (this.following?.client !== client) return;
    this.following = undefined;
    this.lease = NO_LEASE;
    if (this.isClosed) return;
    this.parts.log.warn(
      { err },
      'the connection for the feed of changes was lost: caching is off until it is restored',
    );
    this.connect();
  }

  private async start(client: pg.Client): Promise<void> {
    const notices = new FeedNotices({ source: this.parts.source, onOther: this.onOther });
    await run(client, BY_INDEX);
    await notices.listen(client, async (text) => (await run(client, text))[0]);
    notices.startAt(await newestPosition(client));
    this.following = { client, notices };
    this.pauseMs = MIN_PAUSE_MS;
    this.parts.onNews('unknown', this.parts.now());
    this.rung.notify();
  }

  private async read({ client, notices }: Following): Promise<void> {
    const source = this.parts.source();
    const askedAt = this.parts.now();
    const requestedAtMs = performance.now();
    // Without recent requests a lease would save nothing, and other processes may write that are not known yet.
    const wantsLease = this.parts.isAlone() && requestedAtMs - this.readAtMs < LEASE_MS;
    const taken = wantsLease ? await takeLease(client, source) : undefined;
    await untilNotified(client, notices, this.parts.settle);
    const entries = notices.take();
    const hasNews = entries.length > 0;
    notices.keepsOwn = hasNews;
    if (hasNews && this.parts.settle !== undefined) await run(client, this.parts.settle);
    const news = entries === 'unknown' ? entries : await changesOf(client, entries);
    // An own commit that was answered meanwhile comes after these entries.
    notices.keepsOwn = hasNews && this.parts.now() !== askedAt;
    if (hasNews) this.parts.onNews(news, askedAt);
    this.readAtMs = requestedAtMs;
    if (taken === 'refused') this.parts.onOthers();
    if (hasNews || taken === 'refused') this.lease = NO_LEASE;
    else if (taken === 'taken') this.lease = { source, endsAtMs: requestedAtMs + LEASE_MS };
  }
}

async function newestPosition(client: pg.Client): Promise<bigint> {
  const { newest } = await ask<{ readonly newest: string | null }>(client, NEWEST, [], 'pipit_newest');
  return BigInt(newest ?? 0);
}

/**
 * Waits for the notifications of all commits that are visible now. One is sent shortly after its commit is visible, on
 * several servers after `settle`, and arrives with the answer to a statement at the latest.
 */
async function untilNotified(client: pg.Client, notices: FeedNotices, settle = NEWEST): Promise<void> {
  const endsAtMs = performance.now() + ANSWER_LIMIT_MS;
  const newest = await newestPosition(client);
  while (!notices.hasAll(newest)) {
    if (performance.now() > endsAtMs) throw new Error('the server sent no notification of an entry');
    await run(client, settle);
  }
}

async function endAfter(client: pg.Client, error: unknown): Promise<never> {
  void client.end().catch(() => undefined);
  throw error;
}

/** Returns the changes of entries. One that was deleted from the table meanwhile may concern any table. */
async function changesOf(client: pg.Client, entries: readonly FeedNotice[]): Promise<string[]> {
  const long = entries.filter(({ changes }) => changes === undefined).map(({ position }) => position);
  if (long.length === 0) return entries.flatMap(({ changes = [] }) => changes);
  const rows = await run<{ readonly position: string; readonly changes: string }>(client, LONG_ENTRIES, [
    `{${long.join(',')}}`,
  ]);
  const found = new Map(rows.map(({ position, changes }) => [BigInt(position), changes]));
  return entries.map(({ position, changes }) => changes ?? found.get(position) ?? ANY_CHANGES);
}

async function takeLease(client: pg.Client, source: string): Promise<LeaseAnswer> {
  const { answer } = await ask<{ readonly answer: LeaseAnswer }>(client, TAKE_LEASE, [source], 'pipit_lease');
  return answer;
}

async function ask<T extends object>(
  client: pg.Client,
  text: string,
  values?: string[],
  name?: string,
): Promise<T> {
  const [answer] = await run<T>(client, text, values, name);
  if (answer) return answer;
  throw new Error('the feed of changes did not answer');
}

/** Runs a statement within the time limit: requests wait for it. One with a name is planned once. */
async function run<T extends object>(
  client: pg.Client,
  text: string,
  values?: string[],
  name?: string,
): Promise<T[]> {
  // The driver's types lack `query_timeout` for single statements.
  const query: pg.QueryConfig & { readonly query_timeout: number } = {
    name,
    text,
    values,
    query_timeout: ANSWER_LIMIT_MS,
  };
  return (await client.query<T>(query)).rows;
}

async function open(url: string, lose: (client: pg.Client, error: unknown) => void): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'pipit changes',
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
  });
  client.on('error', (error) => lose(client, error));
  client.on('end', () => lose(client, new Error('the server ended the connection')));
  try {
    await client.connect();
    return client;
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
}
