import pg from 'pg';
import { UnsupportedDatabase } from '../errors.js';
import type { Effect } from '../effect.js';
import type { Row } from '../engine.js';
import type { Sql } from '../sql.js';
import type { StorageLog } from '../storage-log.js';
import { ConnectionLost, StalePlan, translated } from './driver-errors.js';
import { createStatements } from './statements.js';
import { boundValues, valueTypes } from './values.js';

export interface ConnectionSettings {
  readonly url: string;
  readonly durability: 'full' | 'relaxed';
  readonly busyLimitMs: number;
  /** How many processes of this server share what the database gives. */
  readonly processes: number;
  readonly log: StorageLog;
  /** A server that says nothing for this long is gone; 0: however long it takes. */
  readonly answerLimitMs?: number;
}

/** What a statement gave back. */
export interface Answer {
  readonly rows: Row[];
  readonly changed: number;
  /** What it did to rows that were there. */
  readonly effect: Effect;
  /** False for what cannot change the database; true for what might have, even if it changed no row. */
  readonly mayHaveWritten: boolean;
}

/** A connection while it is lent. Its methods throw translated errors. */
export interface Connection {
  /** Sent at once, even while others run: the server answers in the order of sending. */
  run(query: Sql): Promise<Answer>;
  /** For what takes no parameters: BEGIN, COMMIT, ROLLBACK. */
  command(text: string): Promise<void>;
}

/** The connections of one engine. */
export interface Connections {
  /** Lends a connection to `work`. One that was lost, or cannot be trusted, is not lent again. */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Closes them; nothing may be lent. */
  close(): Promise<void>;
}

/** How many a process opens at most. Fewer would let those who wait for one busy row take them all. */
const MAX_CONNECTIONS = 20;
/**
 * How many the processes of a server open at most, together: PostgreSQL takes 100 from everybody unless configured
 * otherwise, and each process has two more, for what it hears and for durable commits.
 */
const MAX_TOGETHER = 64;
const MIN_CONNECTIONS = 2;
/** How long anything waits for a connection, be it new or lent to others. */
const ACQUIRE_LIMIT_MS = 5_000;
const STATEMENT_LIMIT_MS = 30_000;
const ANSWER_LIMIT_MS = STATEMENT_LIMIT_MS + 60_000;
/** A body that never ends would hold its locks for ever. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/** Opens nothing yet: connections are made as they are needed. Throws UnsupportedDatabase for a URL that makes no sense. */
export function createConnections(settings: ConnectionSettings, max = shareOf(settings)): Connections {
  const pool = createPool(settings, max);
  const statements = createStatements();

  const lend = (client: pg.PoolClient): Connection => ({
    run: async (query) => {
      const { text, name, effect } = statements.find(query);
      const result = await driven(client.query<Row>({ text, name, values: boundValues(query) }));
      const changed = result.rowCount ?? 0;
      const isIdle = changed === 0 && effect !== 'unknown';
      const mayHaveWritten = result.command !== 'SELECT' || effect !== 'none';
      return { rows: result.rows, changed, effect: isIdle ? 'none' : effect, mayHaveWritten };
    },
    command: async (text) => {
      await driven(client.query(text));
    },
  });

  return {
    use: async (work) => {
      const client = await driven(pool.connect());
      let isSound = false;
      try {
        const result = await work(lend(client));
        isSound = true;
        return result;
      } catch (error) {
        isSound = !(error instanceof ConnectionLost) && !(error instanceof StalePlan);
        throw error;
      } finally {
        client.release(!isSound);
      }
    },
    close: () => pool.end(),
  };
}

/** How many the processes of a server open at most, with those for what each hears and for durable commits. */
export function connectionsOf(processes: number): number {
  return processes * (shareOf({ processes }) + 2);
}

function shareOf({ processes }: Pick<ConnectionSettings, 'processes'>): number {
  return Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, Math.floor(MAX_TOGETHER / processes)));
}

function createPool(settings: ConnectionSettings, max: number): pg.Pool {
  const config: pg.PoolConfig & { readonly pipeline: boolean } = {
    connectionString: settings.url,
    application_name: 'pipit',
    max,
    connectionTimeoutMillis: ACQUIRE_LIMIT_MS,
    query_timeout: settings.answerLimitMs ?? ANSWER_LIMIT_MS,
    keepAlive: true,
    types: valueTypes,
    // Statements do not wait for the answers of earlier ones: BEGIN travels with what follows it.
    pipeline: true,
    verify: (client, done) => {
      client.query(sessionSettings(settings)).then(() => done(), done);
    },
  };
  requireReadable(config);
  const pool = new pg.Pool(config);
  // A lost connection shows where it is used next; unheard, the event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (err) => {
    if (!pool.ending) settings.log.warn({ err }, 'an idle connection to the database was lost');
  });
  return pool;
}

/**
 * Reads outside transactions may not write: sessions only read unless a transaction says otherwise. Synchronous commits
 * are what "acknowledged means on disk" rests on; a server that asks for more than `on` keeps that.
 */
function sessionSettings({ durability, busyLimitMs }: ConnectionSettings): string {
  const synchronous =
    durability === 'relaxed'
      ? 'SET synchronous_commit = off'
      : `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;
  return `
    SET default_transaction_read_only = on;
    SET lock_timeout = ${Math.round(busyLimitMs)};
    SET statement_timeout = ${STATEMENT_LIMIT_MS};
    SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS};
    ${synchronous}`;
}

/** The driver's own message would repeat the URL with its password. */
function requireReadable(config: pg.ClientConfig): void {
  try {
    new pg.Client(config);
  } catch {
    throw new UnsupportedDatabase(
      'the PostgreSQL URL cannot be read: postgres://user:password@host:port/database',
    );
  }
}

async function driven<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw translated(error);
  }
}
