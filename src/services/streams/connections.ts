import { randomUUID } from 'node:crypto';
import type { Clock } from '../../core/clock.js';
import { PipitError } from '../../core/errors.js';
import type { AppId, StreamConnectionId } from '../../core/ids.js';
import { createLoop } from '../../core/loop.js';
import type { Page, PageRequest } from '../../core/page.js';
import type { IdSource } from '../../core/snowflake.js';
import type { StreamConnection, StreamEnd } from '../../core/stream-connection.js';
import type { Timers } from '../../core/timers.js';
import type { Engine } from '../../database/engine.js';
import { lockApp } from '../../stores/locks.js';
import {
  countOpenConnections,
  endConnection,
  insertStreamConnection,
  killConnection,
  listConnections,
  listOpenConnections,
  renewConnections,
  type ConnectionFilter,
} from '../../stores/stream-connections.js';

export interface ConnectionDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: { error(fields: object, message: string): void };
  /** The most connections of one app to one stream, or to one of its partitions. */
  readonly maxConnections: number;
  /** How long a connection counts as open after its process died, or lost the database. */
  readonly graceMs: number;
  readonly timers?: Timers;
}

/** What an app connects to. */
export interface NewConnection extends Pick<
  StreamConnection,
  'appId' | 'stream' | 'partition' | 'isRecovery' | 'clientAddress'
> {
  /** The most connections to this stream, if it allows more than most. */
  readonly minLimit?: number;
}

/** Which connections to end. */
export type ConnectionChoice = Parameters<typeof listOpenConnections>[3];

/** The connections that recover a time of the past, beside those of the present (docs/api/streams.md#recovery). */
const MAX_RECOVERIES = 2;

/** A lease outlives two failed renewals. */
const RENEWALS_PER_LEASE = 3;

/**
 * The connections of apps to streams in all processes: rows of a table, each a lease that its process renews
 * (docs/design/streams.md#connections).
 */
export class StreamConnections {
  readonly #deps: ConnectionDeps;
  /** The open connections of this process. */
  readonly #own = new Set<StreamConnectionId>();
  readonly #ending = new Set<Promise<void>>();
  readonly #renewing: ReturnType<typeof createLoop>;

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
    this.#renewing = createLoop({
      work: () => this.renew(),
      everyMs: deps.graceMs / RENEWALS_PER_LEASE,
      timers: deps.timers,
      onError: (error) => deps.log.error({ err: error }, 'could not renew the connections of streams'),
    });
  }

  /** Returns a name for a new connection. */
  newName(): string {
    return randomUUID();
  }

  /** Registers a connection. Throws 'stream-refused' if the app has as many as it may. */
  async open(uuid: string, connection: NewConnection): Promise<StreamConnectionId> {
    const { engine, clock, ids, graceMs, maxConnections } = this.#deps;
    const id = ids.next<StreamConnectionId>();
    // A reader that was cut comes back sooner than its end is recorded.
    await Promise.all(this.#ending);
    await engine.tx('open stream', async (tx) => {
      await lockApp(tx, connection.appId);
      const nowMs = clock();
      const { appId, stream, partition, isRecovery, clientAddress } = connection;
      const others = await countOpenConnections(tx, appId, stream, partition, isRecovery ? 1 : 0, nowMs);
      if (others >= limitOf(connection, maxConnections)) throw tooManyConnections();
      const times = { connectedAtMs: nowMs, endsAtMs: nowMs + graceMs };
      await insertStreamConnection(tx, {
        ...{ id, uuid, appId, stream, partition, isRecovery, clientAddress },
        ...times,
      });
    });
    this.#own.add(id);
    this.#renewing.start();
    return id;
  }

  /** Records that a connection of this process has ended. Does nothing if it is recorded. Never throws. */
  end(id: StreamConnectionId, reason: StreamEnd): void {
    const work = this.#end(id, reason).finally(() => this.#ending.delete(work));
    this.#ending.add(work);
  }

  /** Returns a page of the app's connections, newest first. */
  page(appId: AppId, filter: ConnectionFilter, request: PageRequest): Promise<Page<StreamConnection>> {
    const { engine, clock } = this.#deps;
    return listConnections(engine, appId, filter, clock(), request);
  }

  /** Ends open connections of the app in any process, and returns those that it ended. */
  kill(appId: AppId, choice: ConnectionChoice): Promise<StreamConnection[]> {
    const { engine, clock } = this.#deps;
    return engine.tx('kill streams', async (tx) => {
      const nowMs = clock();
      const killed: StreamConnection[] = [];
      for (const connection of await listOpenConnections(tx, appId, nowMs, choice))
        if (await killConnection(tx, connection, nowMs)) killed.push(connection);
      return killed;
    });
  }

  /** Stops renewing, and waits until the ends of connections are recorded. Idempotent. */
  async stop(): Promise<void> {
    await this.#renewing.stop();
    await Promise.all(this.#ending);
  }

  /** Renews the leases of the open connections of this process. */
  async renew(): Promise<void> {
    const { engine, clock, graceMs } = this.#deps;
    if (this.#own.size === 0) return;
    await engine.tx('renew streams', (tx) => renewConnections(tx, clock() + graceMs, [...this.#own]));
  }

  async #end(id: StreamConnectionId, reason: StreamEnd): Promise<void> {
    const { engine, clock, log } = this.#deps;
    if (!this.#own.delete(id)) return;
    try {
      await engine.tx('end stream', (tx) => endConnection(tx, clock(), reason, id));
    } catch (error) {
      // The lease ends soon.
      log.error({ err: error }, 'could not record the end of a stream');
    }
  }
}

function limitOf({ isRecovery, minLimit = 1 }: NewConnection, maxConnections: number): number {
  return isRecovery ? MAX_RECOVERIES : Math.max(minLimit, maxConnections);
}

function tooManyConnections(): PipitError {
  const detail = 'This stream is currently at the maximum allowed connection limit.';
  return new PipitError({ code: 'stream-refused', issue: 'TooManyConnections', detail });
}
