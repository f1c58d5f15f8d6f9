import { createConnections, type ConnectionSettings } from './connections.js';
import { coalesce } from './coalesce.js';

/** Waits for the server's disk, once for all commits that wait. */
export interface GroupCommit {
  /** Resolves when every commit that was answered before the call is on disk. Throws StorageUnavailable if it may not be. */
  durable(): Promise<void>;
  close(): Promise<void>;
}

/** Writes to the log, for nobody, in a transaction that the server ends by itself, however it goes. */
const FLUSH = `SET TRANSACTION READ WRITE; SELECT pg_logical_emit_message(true, 'pipit', '')`;

/**
 * Transactions commit without waiting for the disk, so that nobody waits for their rows while the disk turns, and are
 * acknowledged after a commit that does wait: the log is written in order, so what waits for one record waits for all
 * before it, on this server's disk and, where `synchronous_standby_names` asks for them, on others' (PostgreSQL manual,
 * "Asynchronous Commit"). It has a connection of its own: it must not queue behind those who wait for it.
 */
export function createGroupCommit(settings: ConnectionSettings): GroupCommit {
  if (settings.durability === 'relaxed')
    return { durable: async () => undefined, close: async () => undefined };
  const connections = createConnections(settings, 1);
  return {
    durable: coalesce(() => connections.use((connection) => connection.command(FLUSH))),
    close: connections.close,
  };
}
