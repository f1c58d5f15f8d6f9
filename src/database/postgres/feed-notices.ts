import type pg from 'pg';
import { rawSql } from '../sql.js';
import { awaitLease } from './feed-lease.js';

/** An entry of the feed of changes as its notification brings it. */
export interface FeedNotice {
  readonly position: bigint;
  /** Undefined if the changes are too long for a notification: they are in the table. */
  readonly changes: string | undefined;
}

/**
 * Every role that may connect to a database can listen to its channels and notify them. So the name of the channel ends
 * with a random number, which only those can read who can read the feed: a sequence holds it.
 */
const CHANNEL = 'pipit_feed_';

const TOO_LONG = '?';

const ENTRY = /^(\d{1,19}) (\S*) (.*)$/s;

/** A payload has fewer than 8,000 bytes (PostgreSQL manual, NOTIFY). Position and source take 45 at most. */
const MAX_CHANGES_BYTES = 7_900;

/** The first character of the source of builds that send the notification themselves, with `SEND_NOTICE`. */
export const SENDS_NOTICES = '+';

const noticeOf = (channel: string, row = '') => `pg_notify(
  '${CHANNEL}' || pg_sequence_last_value(${channel}),
  ${row}position || ' ' || COALESCE(${row}source, '') || ' ' ||
    CASE WHEN octet_length(${row}changes) > ${MAX_CHANGES_BYTES} THEN '${TOO_LONG}' ELSE ${row}changes END)`;

/**
 * Sends the notification of an inserted entry. `NOTIFY` takes a lock of the whole server until the end of the commit, for
 * which the transaction holds the lock that orders the entries (feed-lease.ts) in any case.
 */
export const SEND_NOTICE = rawSql(`RETURNING ${noticeOf(`'change_feed_channel'::regclass`)}`);

/** The statements of migration 55. The trigger sends the notifications. */
export const FEED_NOTICES_DDL: readonly string[] = [
  'CREATE SEQUENCE change_feed_channel',
  `SELECT setval('change_feed_channel', ('x' || right(gen_random_uuid()::text, 12))::bit(48)::bigint + 1)`,
  `CREATE FUNCTION notify_of_change_feed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM ${noticeOf(`(quote_ident(TG_TABLE_SCHEMA) || '.change_feed_channel')::regclass`, 'NEW.')};
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER notify_of_change_feed AFTER INSERT ON change_feed FOR EACH ROW
    EXECUTE FUNCTION notify_of_change_feed()`,
];

/**
 * The statements of migration 57. The trigger takes a fifth of the CPU of a transaction with an entry, so it is left to
 * older builds and entries by hand. No build since migration 55 reads `xid`.
 */
export const OWN_NOTICES_DDL: readonly string[] = [
  `CREATE OR REPLACE TRIGGER notify_of_change_feed AFTER INSERT ON change_feed FOR EACH ROW
    WHEN (NEW.source IS NULL OR left(NEW.source, 1) <> '${SENDS_NOTICES}')
    EXECUTE FUNCTION notify_of_change_feed()`,
  awaitLease(`ltrim(NEW.source, '${SENDS_NOTICES}')`),
  'ALTER TABLE change_feed DROP COLUMN xid',
];

/** A process with more text than this that no request has waited for discards everything instead. */
const MAX_WAITING_CHARS = 4 * 1024 * 1024;

export interface NoticesParts {
  /** Returns the name under which this process appends entries at this moment. */
  source(): string;
  /** Called when an entry of another process has arrived. */
  onOther(): void;
}

/** The entries that a connection was notified of, in the order of their commits, until they are taken. */
export class FeedNotices {
  private newest = 0n;
  private waiting: FeedNotice[] = [];
  private waitingChars = 0;
  private isBehind = false;
  /** Whether own entries are kept too, although none of another process precedes them. */
  keepsOwn = false;

  constructor(private readonly parts: NoticesParts) {}

  /** Receives the entries that are committed from now on. `ask` runs a statement, and returns its first row. */
  async listen(client: pg.Client, ask: (text: string) => Promise<object | undefined>): Promise<void> {
    client.on('notification', ({ payload = '' }) => this.receive(payload));
    const row = await ask(`SELECT '${CHANNEL}' || last_value AS channel FROM change_feed_channel`);
    await ask(`LISTEN ${String(row && 'channel' in row && row.channel)}`);
  }

  /**
   * Returns the entries of other processes that have arrived since the last call, and own ones after them; `unknown` if
   * there were too many. Own entries are known already, but of an inserted and a deleted row the later one counts.
   */
  take(): readonly FeedNotice[] | 'unknown' {
    const taken = this.isBehind ? 'unknown' : this.waiting;
    this.waiting = [];
    this.waitingChars = 0;
    this.isBehind = false;
    return taken;
  }

  /** Reports whether all entries up to a position have arrived. */
  hasAll(position: bigint): boolean {
    return this.newest >= position;
  }

  /** Says that the entries up to a position need not arrive. */
  startAt(position: bigint): void {
    if (position > this.newest) this.newest = position;
  }

  /** Anyone who knows the channel may send to it: what is no entry is ignored. */
  private receive(payload: string): void {
    const [, digits = '', source, changes] = ENTRY.exec(payload) ?? [];
    if (changes === undefined) return;
    const position = BigInt(digits);
    const isOwn = source === this.parts.source();
    this.startAt(position);
    if (!isOwn) this.parts.onOther();
    if (this.isBehind || (isOwn && this.waiting.length === 0 && !this.keepsOwn)) return;
    this.waiting.push({ position, changes: changes === TOO_LONG ? undefined : changes });
    this.waitingChars += changes === TOO_LONG ? MAX_CHANGES_BYTES : payload.length;
    if (this.waitingChars <= MAX_WAITING_CHARS) return;
    this.isBehind = true;
    this.waiting = [];
  }
}
