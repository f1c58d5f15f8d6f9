import type { Clock } from '../../core/clock.js';
import { encodeEvents, type FeedEvent } from '../../core/feed-event.js';
import type { Change } from '../effect.js';
import {
  type Changes,
  NO_CHANGES,
  NOTHING,
  OtherProcesses,
  UNKNOWN,
  decodeChanges,
  encodeChanges,
} from '../watchers.js';
import type { Row } from '../queryable.js';
import { asId, asText, sql, type Sql } from '../sql.js';
import type { Connection } from './connection.js';

/** A process that is further behind discards everything: that is faster than reading more entries. */
const MAX_BEHIND = 1_000;

/**
 * The table `change_feed`: what each transaction changed, in the order of commits. Positions have no gaps, since only
 * one transaction writes at a time and the newest entry stays. Each transaction that changes a cached table or has
 * events appends an entry, and every process reads the entries of the others before it uses a cache.
 */
export class ChangeFeed {
  /** The position up to which this process knows all changes; undefined before the first use of a cache. */
  private seen: bigint | undefined;
  private isMigrated = false;
  private readonly others: OtherProcesses;

  /** `writer` is the connection of this process's transactions; `reader` sees nothing that may be rolled back. */
  constructor(
    private readonly writer: Connection,
    private readonly reader: Connection,
    private readonly clock: Clock,
  ) {
    this.others = new OtherProcesses(clock);
  }

  /** Appends the entry of the open transaction and returns its position; undefined if nobody needs one. */
  append(changes: Iterable<Change | 'unknown'>, events: readonly FeedEvent[]): bigint | undefined {
    const changed = encodeChanges(changes, { forOthers: this.others.areActive() });
    if ((changed === undefined && events.length === 0) || !this.exists(this.writer)) return undefined;
    const row = this.writer.get(sql`
      INSERT INTO change_feed (created_at, changes, events)
      VALUES (${this.clock()}, ${changed ?? NO_CHANGES}, ${events.length > 0 ? encodeEvents(events) : null})
      RETURNING position`);
    return asId<bigint>(row?.['position']);
  }

  /**
   * Returns the changes of other processes before an entry of this process that was just committed. They come first:
   * of an inserted and a deleted row the later one counts.
   */
  before(position: bigint): Changes {
    const { seen } = this;
    this.seen = position;
    if (seen === undefined) return UNKNOWN;
    if (seen === position - 1n) return NOTHING;
    return this.since(seen)
      .filter((entry) => entry.position < position || entry.changes === UNKNOWN)
      .flatMap(({ changes }) => changes);
  }

  /** Returns the changes that other processes committed since the last call. */
  missed(): Changes {
    // Checked before any read of the feed: a later commit shows at the next check.
    const hasOthers = this.writer.hasOtherCommits();
    if (this.seen === undefined) return this.start(hasOthers);
    if (!hasOthers) return NOTHING;
    this.others.noteActive();
    const entries = this.since(this.seen);
    this.seen = entries.at(-1)?.position ?? this.seen;
    return entries.flatMap(({ changes }) => changes);
  }

  /**
   * Follows the feed from its newest entry on. If the table does not exist, other processes record no changes, so any of
   * their commits may have changed anything.
   */
  private start(hasOthers: boolean): Changes {
    try {
      if (!this.exists(this.reader)) return hasOthers ? UNKNOWN : NOTHING;
      this.seen = this.newest();
    } catch {
      // The database may be locked: until it answers, nothing stays cached.
    }
    return UNKNOWN;
  }

  /** Returns the entries after a position; a single unknown change if some are missing, unreadable or too many. */
  private since(position: bigint): readonly Entry[] {
    try {
      const entries = this.reader.readAll(after(position)).map(entryOf);
      const first = entries[0]?.position ?? position + 1n;
      if (entries.length <= MAX_BEHIND && first === position + 1n) return entries;
      return [{ position: this.newest(), changes: UNKNOWN }];
    } catch {
      // The database may be locked or full: without its answer nothing may stay cached.
      return [{ position, changes: UNKNOWN }];
    }
  }

  private newest(): bigint {
    return asId<bigint>(
      this.reader.readOne(sql`SELECT COALESCE(MAX(position), 0) AS newest FROM change_feed`)?.['newest'],
    );
  }

  /** The table and its columns are missing until the migrations have run. */
  private exists(connection: Connection): boolean {
    this.isMigrated ||=
      connection.readOne(
        sql`SELECT 1 AS found FROM pragma_table_info('change_feed') WHERE name = 'events'`,
      ) !== undefined;
    return this.isMigrated;
  }
}

function after(position: bigint): Sql {
  return sql`
    SELECT position, changes FROM change_feed WHERE position > ${position}
    ORDER BY position LIMIT ${MAX_BEHIND + 1}`;
}

interface Entry {
  readonly position: bigint;
  readonly changes: Changes;
}

function entryOf(row: Row): Entry {
  return { position: asId<bigint>(row['position']), changes: decodeChanges(asText(row['changes'])) };
}
