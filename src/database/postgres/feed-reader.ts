import pg from 'pg';
import type { StorageLog } from '../storage-log.js';
import { createGathering } from '../gathering.js';
import { coalesce } from './coalesce.js';
import { LEASE_MS, TAKE_LEASE, type LeaseAnswer } from './feed-lease.js';

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
  /** Called when another process has the lease. */
  onOthers(): void;
  /** The statement to run after reading entries, before their rows are read; none on one server. */
  readonly settle?: string | undefined;
}

const CONNECT_LIMIT_MS = 5_000;
/** A server that does not answer for this long counts as lost: waiting callers continue. */
const ANSWER_LIMIT_MS = 2_000;
const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/** A process that is further behind discards everything: that is faster than reading more entries. */
const MAX_BEHIND = 10_000n;

const NO_LEASE = { source: '', endsAtMs: 0 };

/** Half of the shortest time for which the feed keeps entries (`--feed-retention`). */
const MAX_IDLE_MS = 30 * 60_000;

/** What the process knows of the feed. */
interface Seen {
  /** The snapshot (PostgreSQL manual, "Transaction ID and Snapshot Information Functions") of the last answer. */
  readonly snapshot: string;
  readonly newest: bigint;
  readonly atMs: number;
}

interface Answer {
  readonly snapshot: string;
  readonly newest: string | null;
  readonly entries: string[] | null;
}

/**
 * Returns the snapshot of the statement, and the entries that are visible in it and were not in snapshot $1, unless the
 * feed has grown by too many since position $3. Own entries are known already; among those of others they are repeated,
 * since of an inserted and a deleted row the later one counts.
 */
const NEWS = `
  SELECT CAST(pg_current_snapshot() AS TEXT) AS snapshot, newest,
    CASE WHEN newest - CAST($3 AS BIGINT) <= ${MAX_BEHIND} THEN
      (SELECT CASE WHEN bool_or(source IS DISTINCT FROM $2) THEN array_agg(changes ORDER BY position) END
        FROM change_feed
        WHERE xid >= pg_snapshot_xmin(CAST($1 AS pg_snapshot))
          AND NOT pg_visible_in_snapshot(xid, CAST($1 AS pg_snapshot)))
    END AS entries
  FROM (SELECT MAX(position) AS newest FROM change_feed) AS feed`;

/**
 * Entries that pg_dump moved from another server may have transaction numbers of the future of this one: they would be
 * news again and again. 3 is the first number of any server (PostgreSQL manual, "Transactions and Identifiers").
 */
const FORGET_RESTORED = `
  UPDATE change_feed SET xid = '3' WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())`;

/**
 * The plan of `NEWS` is kept. One made while the table was small would read all of it for each request, until the
 * server analyzes it again.
 */
const BY_INDEX = 'SET enable_seqscan = off';

/** The next entry follows the last position that was ever given. */
const START = `
  SELECT CAST(pg_current_snapshot() AS TEXT) AS snapshot, last_value AS newest FROM change_feed_position_seq`;

/**
 * A connection that reads the feed of changes. It is separate from the pool, so that requests do not wait for slow
 * statements. A lost connection reconnects itself.
 */
export class FeedReader {
  private client: pg.Client | undefined;
  private seen: Seen | undefined;
  private connecting: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private pauseMs = MIN_PAUSE_MS;
  private isClosed = false;
  private extending: Promise<void> | undefined;
  private lease = NO_LEASE;
  private readAtMs = -Infinity;
  /** Requests of a turn are served together also if they need not wait for the feed. */
  private readonly gather = createGathering();
  private readonly news = coalesce(async () => {
    const { client, seen } = this;
    if (client && seen) await this.read(client, seen).catch((error: unknown) => this.lose(client, error));
  });

  constructor(private readonly parts: FeedReaderParts) {}

  /** Reports whether all entries are read. The first call connects. */
  isFollowing(): boolean {
    if (this.client) return true;
    if (!this.isClosed && this.timer === undefined) this.connect();
    return false;
  }

  /**
   * Resolves when the entries of all commits acknowledged before the call are read, or the connection is lost. Returns
   * undefined if it is not following.
   */
  catchUp(): Promise<void> | undefined {
    if (!this.client) return undefined;
    const { source, endsAtMs } = this.lease;
    const leftMs = source === this.parts.source() ? endsAtMs - performance.now() : 0;
    if (leftMs <= 0) return this.news();
    if (leftMs < LEASE_MS / 2) this.extending ??= this.news().finally(() => (this.extending = undefined));
    return this.gather();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.connecting;
    const { client } = this;
    this.client = undefined;
    await client?.end();
  }

  private connect(): void {
    this.timer = undefined;
    this.connecting ??= open(this.parts.url, (client, error) => this.lose(client, error))
      .then((client) => this.start(client))
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
    if (this.client !== client) return;
    this.client = undefined;
    this.lease = NO_LEASE;
    if (this.isClosed) return;
    this.parts.log.warn(
      { err },
      'the connection for the feed of changes was lost: caching is off until it is restored',
    );
    this.connect();
  }

  private async start(client: pg.Client): Promise<void> {
    await run(client, BY_INDEX);
    await run(client, FORGET_RESTORED);
    this.seen = seenOf(await ask<Answer>(client, START), 0n);
    this.client = client;
    this.pauseMs = MIN_PAUSE_MS;
    this.parts.onNews('unknown', this.parts.now());
  }

  private async read(client: pg.Client, before: Seen): Promise<void> {
    const source = this.parts.source();
    const askedAt = this.parts.now();
    const requestedAtMs = performance.now();
    // Without recent requests a lease would save nothing, and other processes may write that are not known yet.
    const wantsLease = this.parts.isAlone() && requestedAtMs - this.readAtMs < LEASE_MS;
    const taken = wantsLease ? await takeLease(client, source) : undefined;
    const answer = await ask<Answer>(
      client,
      NEWS,
      [before.snapshot, source, String(before.newest)],
      'pipit_news',
    );
    const seen = seenOf(answer, before.newest);
    if (answer.entries && this.parts.settle !== undefined) await run(client, this.parts.settle);
    this.seen = seen;
    const isBehind = seen.atMs - before.atMs > MAX_IDLE_MS || seen.newest - before.newest > MAX_BEHIND;
    // Entries under the former name are not known any more.
    if (isBehind || source !== this.parts.source()) this.parts.onNews('unknown', askedAt);
    else if (answer.entries) this.parts.onNews(answer.entries, askedAt);
    this.readAtMs = requestedAtMs;
    if (taken === 'refused') this.parts.onOthers();
    if (answer.entries || taken === 'refused') this.lease = NO_LEASE;
    else if (taken === 'taken') this.lease = { source, endsAtMs: requestedAtMs + LEASE_MS };
  }
}

/** The newest entry may have been deleted: positions go on from the last one that is known. */
function seenOf({ snapshot, newest }: Answer, last: bigint): Seen {
  const found = BigInt(newest ?? last);
  return { snapshot, newest: found > last ? found : last, atMs: performance.now() };
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
