import { inMib } from '../disk-space.js';
import { UnsupportedDatabase } from '../errors.js';
import type { Finding } from '../inspection.js';
import type { StorageLog } from '../storage-log.js';
import { connectionsOf } from './connections.js';
import type { ServerFacts } from './server-facts.js';

const OLDEST_VERSION = 150_000;

/** Orders text by its bytes, in every version of every system. */
const BYTE_ORDERS = /^(C|POSIX|C\.UTF-?8)$/i;

/** PostgreSQL's own default is 128 MiB; a server that has less was made small on purpose or by mistake. */
const LEAST_BUFFERS_BYTES = 128 * 1024 * 1024;

/** Something that a server, or the database on it, should be. */
interface Rule {
  readonly check: string;
  /** What follows when it is not so; `refused`: Pipit does not start on it. */
  readonly otherwise: 'refused' | 'problem' | 'warning';
  /** Says what is wrong; undefined: nothing. */
  fault(facts: ServerFacts, processes: number): string | undefined;
  /** Says how it is when nothing is wrong. */
  state(facts: ServerFacts): string;
}

/**
 * A collation other than the order of bytes does no harm at first: no page here is in the order of a text, but indexes
 * over texts have to be rebuilt when the system's rules for that order change. Each session of Pipit sees to
 * `synchronous_commit` itself (connections.ts).
 */
const RULES: readonly Rule[] = [
  {
    check: 'version',
    otherwise: 'refused',
    fault: ({ version }) =>
      version < OLDEST_VERSION
        ? `the PostgreSQL server has version ${majorOf(version)}, Pipit needs 15 or newer`
        : undefined,
    state: ({ version }) => `${majorOf(version)}`,
  },
  {
    check: 'encoding',
    otherwise: 'refused',
    fault: ({ encoding }) =>
      encoding === 'UTF8'
        ? undefined
        : `the database is encoded in ${encoding}: CREATE DATABASE ... ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0`,
    state: ({ encoding }) => encoding,
  },
  {
    check: 'collation',
    otherwise: 'warning',
    fault: ({ collation }) =>
      BYTE_ORDERS.test(collation)
        ? undefined
        : `the database sorts text by the locale ${collation}: REINDEX it when the system changes its locales`,
    state: ({ collation }) => collation,
  },
  {
    check: 'fsync',
    otherwise: 'problem',
    fault: ({ fsync }) => unlessOn(fsync, 'a crash of the server may destroy the database'),
    state: ({ fsync }) => fsync,
  },
  {
    check: 'full_page_writes',
    otherwise: 'problem',
    fault: ({ fullPageWrites }) => unlessOn(fullPageWrites, 'a power cut may destroy the database'),
    state: ({ fullPageWrites }) => fullPageWrites,
  },
  {
    check: 'synchronous_commit',
    otherwise: 'warning',
    fault: ({ synchronousCommit }) =>
      synchronousCommit === 'off'
        ? 'off: Pipit turns it on for itself, but what others commit, as psql, a crash of the server may lose'
        : undefined,
    state: ({ synchronousCommit }) => synchronousCommit,
  },
  {
    check: 'shared_buffers',
    otherwise: 'warning',
    fault: ({ sharedBuffersBytes }) =>
      sharedBuffersBytes < LEAST_BUFFERS_BYTES
        ? `${inMib(sharedBuffersBytes)} is little: a quarter of the memory is usual`
        : undefined,
    state: ({ sharedBuffersBytes }) => inMib(sharedBuffersBytes),
  },
  {
    check: 'max_connections',
    otherwise: 'problem',
    fault: ({ connections }, processes) =>
      connections < connectionsOf(processes)
        ? `it leaves ${connections} connections, --workers ${processes} opens up to ${connectionsOf(processes)}: ` +
          'requests will be refused under load'
        : undefined,
    state: ({ connections }) => `it leaves ${connections} connections`,
  },
];

/**
 * Throws UnsupportedDatabase for a server below version 15 or a database that cannot hold every text; warns of whatever
 * else is not as it should be for so many processes.
 */
export function requireServer(facts: ServerFacts, processes: number, log: StorageLog): void {
  for (const { check, otherwise, fault } of RULES) {
    const found = fault(facts, processes);
    if (found === undefined) continue;
    if (otherwise === 'refused') throw new UnsupportedDatabase(found);
    log.warn({}, `${check}: ${found}`);
  }
}

/** What there is to say of a server that so many processes are to use: a finding for each rule. */
export function checkServer(facts: ServerFacts, processes: number): Finding[] {
  return RULES.map(({ check, otherwise, fault, state }) => {
    const found = fault(facts, processes);
    if (found === undefined) return { level: 'ok', check, message: state(facts) };
    return { level: otherwise === 'refused' ? 'problem' : otherwise, check, message: found };
  });
}

function majorOf(version: number): number {
  return Math.floor(version / 10_000);
}

function unlessOn(state: string, danger: string): string | undefined {
  return state === 'on' ? undefined : `${state}: ${danger}`;
}
