import pg from 'pg';
import { systemTimers } from '../../core/timers.js';
import { sql } from '../sql.js';
import type { StorageLog } from '../storage-log.js';
import type { Connections } from './connections.js';

const CHANNEL = 'pipit_feed';

/** Commits within this time share a notification. */
const SHARED_MS = 10;

/**
 * How often listeners read by themselves, since a notification may be lost with a connection that looks open, and
 * writers look for listeners.
 */
const CHECKED_EVERY_MS = 1_000;

/** Shared by the connections that listen, so that it is free only if nobody does. "pipiv" in ASCII. */
const LISTENER_LOCK = 0x7069706976n;

/** Returns a row if anybody listens. */
const NOTIFY = sql`SELECT pg_notify(${CHANNEL}, '') WHERE NOT pg_try_advisory_xact_lock(${LISTENER_LOCK})`;

const CONNECT_LIMIT_MS = 5_000;
const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/**
 * Creates the function that tells the processes that listen of commits with events: the first at once, later ones
 * together. While nobody listens it looks for listeners once a second. A notification within the writing transaction
 * would make all of them wait for one lock of the server until their commit.
 */
export function createFeedBell(connections: Pick<Connections, 'use'>): () => void {
  let isQuiet = true;
  let isDue = false;
  const send = async (): Promise<boolean> => {
    const { rows } = await connections.use((connection) => connection.run(NOTIFY));
    return rows.length > 0;
  };
  const notify = (): void => {
    isDue = !isQuiet;
    if (isDue) return;
    isQuiet = false;
    const wait = (isHeard: boolean): void => {
      systemTimers.after(isHeard ? SHARED_MS : CHECKED_EVERY_MS, () => {
        isQuiet = true;
        if (isDue) notify();
      });
    };
    // Listeners also check by themselves.
    send().then(wait, () => wait(false));
  };
  return notify;
}

/**
 * Calls `ring` soon after other processes notify, over a connection of its own, until the returned function is called.
 * A lost connection reconnects itself, and then rings for what it may have missed.
 */
export function listenForBell({ url, log }: { url: string; log: StorageLog }, ring: () => void): () => void {
  let client: pg.Client | undefined;
  let isStopped = false;
  let pauseMs = MIN_PAUSE_MS;

  const lose = (lost: pg.Client, err: unknown): void => {
    if (client !== lost) return;
    client = undefined;
    void lost.end().catch(() => undefined);
    if (isStopped) return;
    log.warn({ err }, 'the connection that listens to the feed was lost: subscribers wait up to a second');
    systemTimers.after(pauseMs, connect);
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
  };
  const connect = (): void => {
    if (isStopped) return;
    const opened = createClient(url);
    client = opened;
    opened.on('notification', ring);
    opened.on('error', (error) => lose(opened, error));
    opened.on('end', () => lose(opened, new Error('the server ended the connection')));
    listen(opened).then(
      () => {
        pauseMs = MIN_PAUSE_MS;
        ring();
      },
      (error: unknown) => lose(opened, error),
    );
  };

  connect();
  const stopChecks = systemTimers.every(CHECKED_EVERY_MS, ring);
  return () => {
    isStopped = true;
    stopChecks();
    const open = client;
    client = undefined;
    void open?.end().catch(() => undefined);
  };
}

function createClient(url: string): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: 'pipit feed',
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
  });
}

async function listen(client: pg.Client): Promise<void> {
  await client.connect();
  await client.query(`SELECT pg_advisory_lock_shared(${LISTENER_LOCK}); LISTEN ${CHANNEL}`);
}
