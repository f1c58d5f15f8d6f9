import { expect, test } from 'vitest';
import { StorageUnavailable } from '../../src/database/errors.js';
import { Conflict, ConnectionLost, TransactionAborted } from '../../src/database/postgres/driver-errors.js';
import { Busy } from '../../src/database/sqlite/driver-errors.js';
import { failureOf } from '../../src/http/problems.js';

const KINDS = [StorageUnavailable, Busy, Conflict, ConnectionLost, TransactionAborted];

test.each(KINDS.map((kind) => [kind.name, kind] as const))('%s is answered with 503', (_, Kind) => {
  expect(failureOf(new Kind('no answer')).code).toBe('unavailable');
});
