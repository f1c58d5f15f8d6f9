import pg from 'pg';
import { expect, test } from 'vitest';
import { AlreadyExists, StorageUnavailable } from '../../src/database/errors.js';
import {
  Conflict,
  ConnectionLost,
  TransactionAborted,
  translated,
} from '../../src/database/postgres/driver-errors.js';
import { Busy } from '../../src/database/sqlite/driver-errors.js';
import { failureOf } from '../../src/http/problems.js';

const KINDS = [StorageUnavailable, Busy, Conflict, ConnectionLost, TransactionAborted];

test.each(KINDS.map((kind) => [kind.name, kind] as const))('%s is answered with 503', (_, Kind) => {
  expect(failureOf(new Kind('no answer')).code).toBe('unavailable');
});

/** What the driver throws for an error of the server. */
function answered(code: string, message: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code });
}

test.each([
  'failure on connection marked as essential: 10.0.0.2:5432',
  'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
  'could not receive data from server: Connection reset by peer',
])('a worker that ended makes the database unavailable, however Citus says so: %s', (message) => {
  expect(translated(answered('XX000', message))).toBeInstanceOf(StorageUnavailable);
});

test('a statement that relied on a failed preparation by an equal one is repeated', () => {
  expect(translated(answered('26000', 'prepared statement "pipit_1" does not exist'))).toBeInstanceOf(
    Conflict,
  );
});

test.each(['23505', 'XX000'])('a taken key is one also if Citus says so while it copies rows: %s', (code) => {
  const message = 'duplicate key value violates unique constraint "home_entries_pkey_102008"';
  expect(translated(answered(code, message))).toBeInstanceOf(AlreadyExists);
});

test('other internal errors are faults', () => {
  expect(translated(answered('XX000', 'cache lookup failed'))).not.toBeInstanceOf(StorageUnavailable);
});
