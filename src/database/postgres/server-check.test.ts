import { describe, expect, it } from 'vitest';
import { UnsupportedDatabase } from '../errors.js';
import { checkDataDisk } from './data-disk.js';
import { checkServer, requireServer } from './server-check.js';
import { readServerFacts, type ServerFacts } from './server-facts.js';

const MIB = 1024 * 1024;

/** As `readServerFacts` gets it. */
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

/** The facts of a server that answers with such a row. */
function factsOf(overrides: Partial<Record<keyof typeof SOUND_ROW, unknown>> = {}): Promise<ServerFacts> {
  const row = { ...SOUND_ROW, ...overrides } as typeof SOUND_ROW;
  return readServerFacts({ get: () => Promise.resolve(row), all: () => Promise.resolve([row]) });
}

/** What is not as it should be, by check. */
async function faultsOf(overrides: Parameters<typeof factsOf>[0], processes = 1) {
  const findings = checkServer(await factsOf(overrides), processes).filter(({ level }) => level !== 'ok');
  return findings.map(({ level, check, message }) => [level, check, message]);
}

/** What the start says of a server. */
async function startOn(overrides: Parameters<typeof factsOf>[0], processes = 1): Promise<string[]> {
  const warnings: string[] = [];
  const log = { warn: (_fields: object, message: string) => void warnings.push(message) };
  requireServer(await factsOf(overrides), processes, log);
  return warnings;
}

describe('a PostgreSQL server', () => {
  it('as it comes is sound, and nothing is warned of', async () => {
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
  ])('that is %o is a problem, and the start refuses it', async (overrides, check, message) => {
    expect(await faultsOf(overrides)).toEqual([['problem', check, message]]);
    await expect(startOn(overrides)).rejects.toThrow(new UnsupportedDatabase(message));
  });

  it.each([
    [
      { collation: 'de_DE.UTF-8' },
      'warning',
      'collation',
      'the database sorts text by the locale de_DE.UTF-8: REINDEX it when the system changes its locales',
    ],
    [{ fsync: 'off' }, 'problem', 'fsync', 'off: a crash of the server may destroy the database'],
    [{ full_page_writes: 'off' }, 'problem', 'full_page_writes', 'off: a power cut may destroy the database'],
    [
      { synchronous_commit: 'off' },
      'warning',
      'synchronous_commit',
      'off: Pipit turns it on for itself, but what others commit, as psql, a crash of the server may lose',
    ],
    [
      { shared_buffers_bytes: BigInt(16 * MIB) },
      'warning',
      'shared_buffers',
      '16 MiB is little: a quarter of the memory is usual',
    ],
    [
      { connections: 20n },
      'problem',
      'max_connections',
      'it leaves 20 connections, --workers 1 opens up to 22: requests will be refused under load',
    ],
  ])('with %o is told of, and the start warns', async (overrides, level, check, message) => {
    expect(await faultsOf(overrides)).toEqual([[level, check, message]]);
    expect(await startOn(overrides)).toEqual([`${check}: ${message}`]);
  });

  it('that takes connections as it does unless configured is enough for 16 workers, not for 64', async () => {
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

  it('is looked at when the server runs on this machine, however it is reached', async () => {
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

  it('is said not to be looked at when it is elsewhere, kept secret or out of sight', async () => {
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
        'not looked at: it is that of the server, another machine',
        'not looked at: the server tells where its data lies to pg_read_all_settings only',
        'not looked at: /var/lib/postgresql/data is that of the server and cannot be seen from here',
      ].map((message) => ({ level: 'ok', check: 'disk', message })),
    );
  });
});
