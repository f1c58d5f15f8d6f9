import pg from 'pg';
import type { StorageLog } from '../storage-log.js';
import { coalesce } from './coalesce.js';

export interface ListenerParts {
  readonly url: string;
  readonly log: StorageLog;
  /** The name of the channel; must not need quotes. */
  readonly channel: string;
  onMessage(message: string): void;
  /** Called when listening starts: earlier notifications were missed. */
  onListening(): void;
}

const CONNECT_LIMIT_MS = 5_000;
/** A server that does not answer an empty statement for this long counts as lost: waiting callers continue. */
const FENCE_LIMIT_MS = 2_000;
const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/**
 * Creates a connection that receives the notifications of all processes' commits (PostgreSQL manual, NOTIFY). One
 * reaches it before the answer to a statement sent after its commit was acknowledged: after a commit the server
 * signals listening sessions before it acknowledges, and a signalled session sends pending notifications before it
 * reports ready for the next statement (PostgreSQL source, async.c: `AtCommit_Notify`; postgres.c:
 * `ProcessNotifyInterrupt` before `ReadyForQuery`). So an empty statement is a fence: after its answer, all older
 * notifications are received.
 */
export function createListener(parts: ListenerParts) {
  let client: pg.Client | undefined;
  let connecting: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = MIN_PAUSE_MS;
  let isClosed = false;

  const lose = (lost: pg.Client, err: unknown): void => {
    void lost.end().catch(() => undefined);
    if (client !== lost) return;
    client = undefined;
    if (isClosed) return;
    parts.log.warn(
      { err },
      'the connection for change notifications was lost: caching is off until it is restored',
    );
    connect();
  };

  const connect = (): void => {
    timer = undefined;
    connecting ??= open(parts, lose)
      .then((opened) => {
        client = opened;
        pauseMs = MIN_PAUSE_MS;
        parts.onListening();
      })
      .catch(() => {
        if (isClosed) return;
        timer = setTimeout(connect, pauseMs);
        timer.unref();
        pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
      })
      .finally(() => {
        connecting = undefined;
      });
  };

  const fence = coalesce(async () => {
    const asked = client;
    await asked?.query(EMPTY_STATEMENT).catch((error: unknown) => lose(asked, error));
  });

  return {
    /**
     * Reports whether it receives all notifications now. The first call connects; a lost connection reconnects
     * itself.
     */
    isListening: (): boolean => {
      if (client) return true;
      if (!isClosed && timer === undefined) connect();
      return false;
    },
    /**
     * Resolves when all notifications of commits acknowledged before the call are received, or the connection is
     * lost. Returns undefined if it is not listening.
     */
    catchUp: (): Promise<void> | undefined => (client ? fence() : undefined),
    close: async (): Promise<void> => {
      isClosed = true;
      clearTimeout(timer);
      await connecting;
      const open = client;
      client = undefined;
      await open?.end();
    },
  };
}

/** The driver's types lack `query_timeout` for single statements. */
const EMPTY_STATEMENT: pg.QueryConfig & { readonly query_timeout: number } = {
  text: '',
  query_timeout: FENCE_LIMIT_MS,
};

async function open(
  { url, channel, onMessage }: ListenerParts,
  lose: (client: pg.Client, error: unknown) => void,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'pipit listener',
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
  });
  client.on('error', (error) => lose(client, error));
  client.on('end', () => lose(client, new Error('the server ended the connection')));
  client.on('notification', ({ payload }) => onMessage(payload ?? ''));
  try {
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    return client;
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
}
