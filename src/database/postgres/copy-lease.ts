import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** The names of copies begin with this, the id of their owner and a line. */
const PREFIX = 'pipit_sandbox_';
const NAME = /^(?<owner>pipit_sandbox_[0-9a-f]{12})_\d+$/;

/** Distinguishes these locks from those of others in the same database. */
const LOCK_CLASS = 0x70_69_70_69;

const RETRY_MS = 1_000;

/** The right to names of databases, as long as a process runs. */
export interface CopyLease {
  /** The beginning of the names, with a line at its end. */
  readonly prefix: string;
  /** Ends the lease. */
  release(): Promise<void>;
}

/**
 * Takes a lease and drops the databases whose owner no longer runs. `connect` opens a connection to the database in
 * which all owners hold their locks; the server releases a lock with the connection, however that ends. Rejects with
 * the errors of the connection.
 */
export async function takeCopyLease(connect: () => Promise<pg.Client>): Promise<CopyLease> {
  const owner = PREFIX + randomBytes(6).toString('hex');
  const holder = new LeaseHolder(connect, owner);
  await holder.hold();
  const client = await connect();
  try {
    await dropAbandoned(client);
  } finally {
    await client.end().catch(() => undefined);
  }
  return { prefix: `${owner}_`, release: () => holder.release() };
}

/** Holds the lock of an owner; takes it again when the connection breaks. */
class LeaseHolder {
  readonly #released = new AbortController();
  #client: pg.Client | undefined;

  constructor(
    private readonly connect: () => Promise<pg.Client>,
    private readonly owner: string,
  ) {}

  async hold(): Promise<void> {
    const client = await this.connect();
    try {
      await client.query(`SELECT pg_advisory_lock(${LOCK_CLASS}, hashtext($1))`, [this.owner]);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    client.once('end', () => void this.#holdAgain());
    this.#client = client;
  }

  async release(): Promise<void> {
    this.#released.abort();
    await this.#client?.end().catch(() => undefined);
  }

  async #holdAgain(): Promise<void> {
    const { signal } = this.#released;
    while (!signal.aborted) {
      try {
        await this.hold();
        return;
      } catch {
        await delay(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }
}

async function dropAbandoned(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
  for (const { datname: name } of rows) {
    const owner = NAME.exec(name)?.groups?.['owner'];
    if (owner !== undefined) await dropUnlessOwned(client, name, owner);
  }
}

async function dropUnlessOwned(client: pg.Client, name: string, owner: string): Promise<void> {
  const taken = await client.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_lock(${LOCK_CLASS}, hashtext($1)) AS taken`,
    [owner],
  );
  if (!taken.rows[0]?.taken) return;
  try {
    // A database of another user stays.
    await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)}`).catch(() => undefined);
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${LOCK_CLASS}, hashtext($1))`, [owner]);
  }
}
