import { systemTimers } from '../../core/timers.js';
import { sql } from '../sql.js';
import type { Connection } from './connection.js';

/** How often the feed is checked for commits of other processes. A check takes some microseconds. */
const CHECKED_EVERY_MS = 25;

/**
 * Calls `ring` soon after the feed has grown, until the returned function is called. A position says more than
 * `data_version`, which also grows with commits that nobody follows.
 */
export function watchFeed(reader: Connection, ring: () => void): () => void {
  let seen: unknown;
  return systemTimers.every(CHECKED_EVERY_MS, () => {
    try {
      const newest = reader.readOne(sql`SELECT MAX(position) AS newest FROM change_feed`)?.['newest'];
      if (newest !== seen) ring();
      seen = newest;
    } catch {
      // The database may be locked: the next check reads it.
    }
  });
}
