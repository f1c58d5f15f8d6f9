import { nextTick } from 'node:process';
import pg from 'pg';
import { UnsupportedDatabase } from '../errors.js';
import type { Effect } from '../effect.js';
import type { Row } from '../engine.js';
import type { PoolFigures } from '../engine-counts.js';
import type { Sql } from '../sql.js';
import type { StatementWatch } from '../statement-watch.js';
import type { StorageLog } from '../storage-log.js';
import { ConnectionLost, StalePlan, translated } from './driver-errors.js';
import { createStatements, textOf } from './statements.js';
import { boundValues, valueTypes } from './values.js';

export interface ConnectionSettings {
  readonly url: string;
  readonly durability: 'full' | 'relaxed';
  readonly busyLimitMs: number;
  /** The number of server processes that share the database's connections. */
  readonly processes: number;
  readonly log: StorageLog;
  /** A server that does not answer for this long counts as lost; 0: no limit. */
  readonly answerLimitMs?: number;
  /** Receives the warnings and notices of the server. */
  onNotice?(message: string): void;
  /** Finds slow statements. */
  readonly watch?: StatementWatch;
}

/** The result of a statement. */
export interface Answer {
  readonly rows: Row[];
  readonly changed: number;
  /** The effect on existing rows. */
  readonly effect: Effect;
  /** True if the statement could change the database, even if it changed no row. */
  readonly mayHaveWritten: boolean;
}

/** A borrowed connection. Its methods throw translated errors. */
export interface Connection {
  /** Sends the statement, even while others run: the server answers in order. */
  run(query: Sql): Promise<Answer>;
  /** Returns the lines of the plan of a statement for any values. Needs a connection without open transaction. */
  explain(query: Sql): Promise<string[]>;
  /** Sends a command without parameters: BEGIN, COMMIT, ROLLBACK. */
  command(text: string): Promise<void>;
}

/** The connection pool of one engine. */
export interface Connections {
  /** Runs `work` with a connection. Lost or broken connections are not reused. */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  figures(): PoolFigures;
  /** Closes all connections. None may be borrowed. */
  close(): Promise<void>;
}

/** The maximum per process. With fewer, callers that wait for one busy row could take them all. */
const MAX_CONNECTIONS = 20;
/**
 * The maximum of all server processes together. PostgreSQL accepts 100 by default, and each process needs more: see
 * BESIDE_POOL.
 */
const MAX_TOGETHER = 48;
const MIN_CONNECTIONS = 2;
/** What each process needs besides: for the feed of changes, and for durable commits. */
const BESIDE_POOL = 2;
/**
 * How long an unused connection stays open. A new one costs both sides an authentication, and its process of PostgreSQL
 * plans each statement again: bursts of requests would pay for that after every pause of the driver's 10 seconds.
 */
const IDLE_LIMIT_MS = 600_000;
/** When an unused connection is first probed: routers forget connections on which nothing passes for some minutes. */
const PROBED_AFTER_MS = 60_000;
/** The time limit for acquiring a connection, new or from the pool. */
const ACQUIRE_LIMIT_MS = 5_000;
const STATEMENT_LIMIT_MS = 30_000;
const ANSWER_LIMIT_MS = STATEMENT_LIMIT_MS + 60_000;
/** Bounds how long a hanging body can hold its locks. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/** Creates a pool that connects on demand. Throws UnsupportedDatabase for an invalid URL. */
export function createConnections(settings: ConnectionSettings, max = shareOf(settings)): Connections {
  const pool = createPool(settings, max);
  const statementOf = createStatements();
  const { watch } = settings;

  const lend = (client: pg.PoolClient): Connection => {
    let answeredMs = 0;
    return {
      run: async (query) => {
        const { text, name, effect } = statementOf(query);
        sendTogether(client);
        const begunMs = watch?.begin() ?? 0;
        const result = await translateErrors(client.query<Row>({ text, name, values: boundValues(query) }));
        const changed = result.rowCount ?? 0;
        // The server runs one statement at a time: this one began after the answer before it.
        answeredMs = watch?.ended(query, Math.max(begunMs, answeredMs), changed) ?? 0;
        const mayHaveWritten = result.command !== 'SELECT' || effect !== 'none';
        return { rows: result.rows, changed, effect, mayHaveWritten };
      },
      explain: (query) => translateErrors(explainOver(client, query)),
      command: async (text) => {
        sendTogether(client);
        await translateErrors(client.query(text));
      },
    };
  };

  return {
    use: async (work) => {
      const client = await translateErrors(pool.connect());
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
    figures: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

/** Takes the plan for any values: one for certain values would show them. */
async function explainOver(client: pg.PoolClient, query: Sql): Promise<string[]> {
  await client.query(`SET plan_cache_mode = force_generic_plan`);
  try {
    await client.query(`PREPARE pipit_explained AS ${textOf(query)}`);
    try {
      const values = query.params.map(() => 'NULL').join(', ');
      const { rows } = await client.query<Record<string, string>>(
        `EXPLAIN EXECUTE pipit_explained${values === '' ? '' : `(${values})`}`,
      );
      return rows.map((row) => row['QUERY PLAN'] ?? '');
    } finally {
      await client.query('DEALLOCATE pipit_explained');
    }
  } finally {
    await client.query('RESET plan_cache_mode');
  }
}

/**
 * Sends what a client is given until the end of this turn of the microtask queue in one packet: waking the server's
 * process for each statement costs more than the statement.
 */
function sendTogether(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { readonly connection: pg.Connection }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  nextTick(() => stream.uncork());
}

/** Returns the maximum number of connections of all server processes, including those beside their pools. */
export function connectionsOf(processes: number): number {
  return processes * (shareOf({ processes }) + BESIDE_POOL);
}

function shareOf({ processes }: Pick<ConnectionSettings, 'processes'>): number {
  return Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, Math.floor(MAX_TOGETHER / processes)));
}

function createPool(settings: ConnectionSettings, max: number): pg.Pool {
  const config: pg.PoolConfig & { readonly pipeline: boolean } = {
    connectionString: settings.url,
    application_name: 'pipit',
    max,
    idleTimeoutMillis: IDLE_LIMIT_MS,
    connectionTimeoutMillis: ACQUIRE_LIMIT_MS,
    query_timeout: settings.answerLimitMs ?? ANSWER_LIMIT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBED_AFTER_MS,
    types: valueTypes,
    // Statements do not wait for earlier answers: BEGIN is sent together with the next statement.
    pipeline: true,
    verify: (client, done) => {
      client.query(sessionSettings(settings)).then(() => done(), done);
    },
  };
  requireValidUrl(config);
  const pool = new pg.Pool(config);
  // A lost connection fails at its next use; without a listener the event would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    if (settings.onNotice) client.on('notice', ({ message }) => settings.onNotice?.(message ?? ''));
  });
  pool.on('error', (err) => {
    if (!pool.ending) settings.log.warn({ err }, 'an idle connection to the database was lost');
  });
  return pool;
}

/**
 * Returns the settings of a session. Sessions are read-only unless a transaction says otherwise. "Acknowledged means
 * on disk" relies on synchronous commits; a server setting stricter than `on` is kept.
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

/** Throws UnsupportedDatabase for an invalid URL. The driver's own message would reveal the password. */
function requireValidUrl(config: pg.ClientConfig): void {
  try {
    new pg.Client(config);
  } catch {
    throw new UnsupportedDatabase(
      'the PostgreSQL URL cannot be read: postgres://user:password@host:port/database',
    );
  }
}

async function translateErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw translated(error);
  }
}
