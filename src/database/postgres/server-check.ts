import { inMib } from '../disk-space.js';
import { UnsupportedDatabase } from '../errors.js';
import { type Finding, ok, problem, warning } from '../inspection.js';
import type { StorageLog } from '../storage-log.js';
import { connectionsOf } from './connections.js';
import type { ServerFacts } from './server-facts.js';

const MIN_VERSION = 150_000;

/** Collations that sort by bytes, in every version of every system. */
const BYTE_ORDERS = /^(C|POSIX|C\.UTF-?8)$/i;

/** PostgreSQL's default of 128 MiB. */
const MIN_BUFFERS_BYTES = 128 * 1024 * 1024;

/** A requirement for the server or the database. */
interface Rule {
  readonly check: string;
  /** The consequence of a violation; `refused`: Pipit does not start. */
  readonly otherwise: 'refused' | 'problem' | 'warning';
  /** Describes the violation; undefined: none. */
  fault(facts: ServerFacts, processes: number): string | undefined;
  /** Describes the state without a violation. */
  state(facts: ServerFacts): string;
}

/**
 * Another collation than byte order is harmless at first: no page is sorted by text, but text indexes must be rebuilt
 * when the system's collation rules change. Pipit's sessions set `synchronous_commit` themselves (connections.ts).
 */
const RULES: readonly Rule[] = [
  {
    check: 'version',
    otherwise: 'refused',
    fault: ({ version }) =>
      version < MIN_VERSION
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
        : `the database sorts text by the locale ${collation}: run REINDEX after an upgrade of the system locales`,
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
        ? 'off: Pipit turns it on for its own sessions, but a server crash may lose commits of other clients'
        : undefined,
    state: ({ synchronousCommit }) => synchronousCommit,
  },
  {
    check: 'shared_buffers',
    otherwise: 'warning',
    fault: ({ sharedBuffersBytes }) =>
      sharedBuffersBytes < MIN_BUFFERS_BYTES
        ? `${inMib(sharedBuffersBytes)} is low: a quarter of the memory is common`
        : undefined,
    state: ({ sharedBuffersBytes }) => inMib(sharedBuffersBytes),
  },
  {
    check: 'max_connections',
    otherwise: 'problem',
    fault: ({ connections }, processes) =>
      connections < connectionsOf(processes)
        ? `${connections} connections are available, --workers ${processes} opens up to ` +
          `${connectionsOf(processes)}: requests will be refused under load`
        : undefined,
    state: ({ connections }) => `${connections} connections are available`,
  },
];

/**
 * Throws UnsupportedDatabase for a server below version 15 or a database that cannot store all text. Logs other
 * violations for this number of processes as warnings.
 */
export function requireServer(facts: ServerFacts, processes: number, log: StorageLog): void {
  for (const { check, otherwise, fault } of RULES) {
    const found = fault(facts, processes);
    if (found === undefined) continue;
    if (otherwise === 'refused') throw new UnsupportedDatabase(found);
    log.warn({}, `${check}: ${found}`);
  }
}

/** Returns a finding for each rule, for a server used by this number of processes. */
export function checkServer(facts: ServerFacts, processes: number): Finding[] {
  return RULES.map(({ check, otherwise, fault, state }) => {
    const found = fault(facts, processes);
    if (found === undefined) return ok(check, state(facts));
    return (otherwise === 'warning' ? warning : problem)(check, found);
  });
}

function majorOf(version: number): number {
  return Math.floor(version / 10_000);
}

function unlessOn(state: string, danger: string): string | undefined {
  return state === 'on' ? undefined : `${state}: ${danger}`;
}
