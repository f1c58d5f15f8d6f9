import pg from 'pg';
import { AlreadyExists, StorageUnavailable } from '../errors.js';

/** Another transaction got in the way: the same work may succeed a moment later. */
export class Conflict extends StorageUnavailable {}

/** The connection is of no use any more. */
export class ConnectionLost extends StorageUnavailable {}

/** Another process changed the schema below the connection's prepared statements: a new connection prepares anew. */
export class StalePlan extends Conflict {}

/** A table that is not there, or not any more. */
export class NoTable extends Error {}

/** A writing statement in a transaction that may only read: of a read outside transactions, or of a standby server. */
export class ReadOnly extends StorageUnavailable {}

/** SQLSTATEs (PostgreSQL manual, appendix A) of a server that cannot serve now, whole classes by two characters. */
const UNAVAILABLE = ['08', '28', '3D', '53', '55P03', '57', '58', '25P03'];
const UNIQUE_VIOLATION = '23505';
const CONFLICTS = new Set(['40001', '40P01']);
const READ_ONLY = '25006';
const UNDEFINED_TABLE = '42P01';

/** What the code above the engine may know of a driver's error: one of database/errors.ts, else a plain Error. */
export function translated(error: unknown): unknown {
  // A mistake in the code, found before anything was sent.
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof StorageUnavailable)
    return error;
  const options = { cause: error };
  // What is not an answer of the server is a failure to reach it.
  if (!(error instanceof pg.DatabaseError)) {
    return new ConnectionLost(error.message || 'the database server cannot be reached', options);
  }
  const { code = '', message } = error;
  if (code === UNIQUE_VIOLATION) return new AlreadyExists(message, options);
  if (CONFLICTS.has(code)) return new Conflict(message, options);
  if (error.routine === 'RevalidateCachedQuery') return new StalePlan(message, options);
  if (code === READ_ONLY) return new ReadOnly(message, options);
  if (code === UNDEFINED_TABLE) return new NoTable(message, options);
  if (UNAVAILABLE.some((known) => code.startsWith(known))) return new StorageUnavailable(message, options);
  return new Error(`${code}: ${message}`, options);
}
