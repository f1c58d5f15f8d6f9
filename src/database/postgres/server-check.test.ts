import { describe, expect, it } from 'vitest';
import { UnsupportedDatabase } from '../errors.js';
import { checkDataDisk } from './data-disk.js';
import { checkServer, requireServer } from './server-check.js';
import { readServerFacts, type ServerFacts } from './server-facts.js';

const MIB = 1024 * 1024;

/** A row as `readServerFacts` reads it. */
const SOUND_ROW = {
  version: 150_004n,
  encoding: 'UTF8',
  collation: 'C',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers_bytes: BigInt(128 * MIB),
  connections: 97n,
  data_folder: '/var/lib/postgresql/data',
  address: '127.0.0.1',
};

/** Returns the facts of a server with these overrides. */
function factsOf(overrides: Partial<Record<keyof typeof SOUND_ROW, unknown>> = {}): Promise<ServerFacts> {
  const row = { ...SOUND_ROW, ...overrides } as typeof SOUND_ROW;
  return readServerFacts({ get: () => Promise.resolve(row), all: () => Promise.resolve([row]) });
}

/** Returns the findings that are not `ok`. */
async function faultsOf(overrides: Parameters<typeof factsOf>[0], processes = 1) {
  const findings = checkServer(await factsOf(overrides), processes).filter(({ level }) => level !== 'ok');
  return findings.map(({ level, check, message }) => [level, check, message]);
}

/** Returns the warnings of a start on such a server. */
async function startOn(overrides: Parameters<typeof factsOf>[0], processes = 1): Promise<string[]> {
  const warnings: string[] = [];
  const log = { warn: (_fields: object, message: string) => void warnings.push(message) };
  requireServer(await factsOf(overrides), processes, log);
  return warnings;
}

describe('a PostgreSQL server', () => {
  it('with default settings passes all checks without warnings', async () => {
    expect(await faultsOf({})).toEqual([]);
    expect(await startOn({})).toEqual([]);
    for (const collation of ['POSIX', 'C.UTF-8', 'C.utf8']) expect(await faultsOf({ collation })).toEqual([]);
  });

  it.each([
    [{ version: 140_012n }, 'version', 'the PostgreSQL server has version 14, Pipit needs 15 or newer'],
    [
      { encoding: 'SQL_ASCII' },
      'encoding',
      "the database is encoded in SQL_ASCII: CREATE DATABASE ... ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0",
    ],
    [
      { encoding: 'LATIN1' },
      'encoding',
      "the database is encoded in LATIN1: CREATE DATABASE ... ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0",
    ],
  ])('with %o is a problem, and the start refuses it', async (overrides, check, message) => {
    expect(await faultsOf(overrides)).toEqual([['problem', check, message]]);
    await expect(startOn(overrides)).rejects.toThrow(new UnsupportedDatabase(message));
  });

  it.each([
    [
      { collation: 'de_DE.UTF-8' },
      'warning',
      'collation',
      'the database sorts text by the locale de_DE.UTF-8: run REINDEX after an upgrade of the system locales',
    ],
    [{ fsync: 'off' }, 'problem', 'fsync', 'off: a crash of the server may destroy the database'],
    [{ full_page_writes: 'off' }, 'problem', 'full_page_writes', 'off: a power cut may destroy the database'],
    [
      { synchronous_commit: 'off' },
      'warning',
      'synchronous_commit',
      'off: Pipit turns it on for its own sessions, but a server crash may lose commits of other clients',
    ],
    [
      { shared_buffers_bytes: BigInt(16 * MIB) },
      'warning',
      'shared_buffers',
      '16 MiB is low: a quarter of the memory is common',
    ],
    [
      { connections: 20n },
      'problem',
      'max_connections',
      '20 connections are available, --workers 1 opens up to 22: requests will be refused under load',
    ],
  ])('with %o is reported, and the start warns', async (overrides, level, check, message) => {
    expect(await faultsOf(overrides)).toEqual([[level, check, message]]);
    expect(await startOn(overrides)).toEqual([`${check}: ${message}`]);
  });

  it('with the default number of connections is enough for 16 workers, not for 64', async () => {
    for (const processes of [1, 2, 4, 8, 16]) expect(await faultsOf({}, processes)).toEqual([]);
    expect(await faultsOf({}, 64)).toMatchObject([['problem', 'max_connections', /up to 256/]]);
  });
});

describe('the disk of a PostgreSQL server', () => {
  const free = (bytes: number) => ({
    addresses: () => ['127.0.0.1', '::1', '192.0.2.7'],
    freeBlocks: () => Promise.resolve({ bavail: bytes / 512, bsize: 512 }),
  });
  const look = async (overrides: Parameters<typeof factsOf>[0], machine = free(2048 * MIB)) =>
    checkDataDisk(await factsOf(overrides), machine);

  it('is checked if the server runs on this machine, at any address', async () => {
    for (const address of ['127.0.0.1', '::1', '192.0.2.7', null]) {
      expect(await look({ address })).toEqual({
        level: 'ok',
        check: 'disk',
        message: '2048 MiB free at /var/lib/postgresql/data',
      });
    }
    expect(await look({}, free(500 * MIB))).toMatchObject({ level: 'warning' });
    expect(await look({}, free(50 * MIB))).toMatchObject({ level: 'problem' });
  });

  it('is reported as unchecked if it is remote, hidden or inaccessible', async () => {
    const unseen = {
      addresses: () => ['127.0.0.1'],
      freeBlocks: () => Promise.reject(new Error('ENOENT')),
    };
    const findings = [
      await look({ address: '192.0.2.8' }, free(0)),
      await look({ data_folder: null }, free(0)),
      await look({}, unseen),
    ];
    expect(findings).toEqual(
      [
        'not checked: the database server runs on another machine',
        'not checked: only members of pg_read_all_settings may read the data directory',
        'not checked: /var/lib/postgresql/data on the database server is not accessible from here',
      ].map((message) => ({ level: 'ok', check: 'disk', message })),
    );
  });
});
