import { createConnections, type ConnectionSettings } from './connections.js';
import type { EngineCounts } from '../engine-counts.js';
import { coalesce } from './coalesce.js';

/** Waits for the server's disk once for all pending commits. */
export interface GroupCommit {
  /**
   * Resolves when every commit answered before the call is on disk. Throws StorageUnavailable if that is uncertain.
   */
  durable(): Promise<void>;
  close(): Promise<void>;
}

/** Writes an empty record to the log, in a transaction that the server ends itself. */
const FLUSH = `SET TRANSACTION READ WRITE; SELECT pg_logical_emit_message(true, 'pipit', '')`;

/**
 * Transactions commit without waiting for the disk, so that they release their row locks early. They are acknowledged
 * after a later commit that does wait. The log is written in order, so flushing one record flushes all earlier ones:
 * on this server's disk and on the standbys of `synchronous_standby_names` (PostgreSQL manual, "Asynchronous
 * Commit"). A separate connection keeps the flush from queueing behind its waiters.
 */
export function createGroupCommit(
  settings: ConnectionSettings & { readonly counts: EngineCounts },
): GroupCommit {
  if (settings.durability === 'relaxed')
    return { durable: async () => undefined, close: async () => undefined };
  const { counts } = settings;
  const connections = createConnections(settings, 1);
  const flush = () => connections.use((connection) => connection.command(FLUSH));
  const flushed = coalesce(() => counts.sync(flush));
  return {
    durable: () => {
      counts.addSynced(1);
      return flushed();
    },
    close: connections.close,
  };
}
