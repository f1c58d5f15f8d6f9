import pg from 'pg';
import { AlreadyExists, StorageUnavailable } from '../errors.js';

/** Another transaction conflicted: a retry may succeed. */
export class Conflict extends StorageUnavailable {}

/** The connection can no longer be used. */
export class ConnectionLost extends StorageUnavailable {}

/**
 * Another process changed the schema, so prepared statements of this connection are invalid. A new connection
 * prepares them again.
 */
export class StalePlan extends Conflict {}

/** An earlier statement of the transaction failed, or one that Citus ran for it on a worker. */
export class TransactionAborted extends StorageUnavailable {}

/** The table does not exist, or no longer. */
export class NoTable extends Error {}

/** A write in a read-only transaction: in a read outside transactions, or on a standby server. */
export class ReadOnly extends StorageUnavailable {}

/** SQLSTATEs (PostgreSQL manual, appendix A) of a server that cannot serve now; two characters stand for a class. */
const UNAVAILABLE = ['08', '28', '3D', '53', '55P03', '57', '58', '25P03'];
/** How Citus reports a worker that ended while it answered, without a SQLSTATE of its own: its words, or the driver's. */
const LOST_WORKER =
  /server closed the connection unexpectedly|^(?:failure on connection marked as essential|invalid socket|connection not open|no connection to the server|could not (?:receive data from|send data to) server)/;
const INTERNAL = 'XX000';
const UNIQUE_VIOLATION = '23505';
/** How Citus reports it for rows that it copies to a worker. */
const DUPLICATE = /^duplicate key value violates unique constraint/;
/** 26000: a statement that relies on the preparation by an equal one before it in the packet, which failed. */
const CONFLICTS = new Set(['40001', '40P01', '26000']);
const READ_ONLY = '25006';
const IN_FAILED_TRANSACTION = '25P02';
const UNDEFINED_TABLE = '42P01';

/** Translates a driver's error to one of database/errors.ts or a plain Error. */
export function translated(error: unknown): unknown {
  // A programming error, found before anything was sent.
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof StorageUnavailable)
    return error;
  const options = { cause: error };
  // Anything but an answer of the server means that it could not be reached.
  if (!(error instanceof pg.DatabaseError)) {
    return new ConnectionLost(error.message || 'the database server cannot be reached', options);
  }
  const { code = '', message } = error;
  if (code === UNIQUE_VIOLATION || DUPLICATE.test(message)) return new AlreadyExists(message, options);
  if (CONFLICTS.has(code)) return new Conflict(message, options);
  if (error.routine === 'RevalidateCachedQuery') return new StalePlan(message, options);
  if (code === IN_FAILED_TRANSACTION) return new TransactionAborted(message, options);
  if (code === READ_ONLY) return new ReadOnly(message, options);
  if (code === UNDEFINED_TABLE) return new NoTable(message, options);
  if (code === INTERNAL && LOST_WORKER.test(message)) return new StorageUnavailable(message, options);
  if (UNAVAILABLE.some((known) => code.startsWith(known))) return new StorageUnavailable(message, options);
  return new Error(`${code}: ${message}`, options);
}
