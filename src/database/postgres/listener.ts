import pg from 'pg';
import type { StorageLog } from '../storage-log.js';
import { coalesce } from './coalesce.js';

/** A connection that hears what transactions of all processes tell with their commit (PostgreSQL manual, NOTIFY). */
export interface Listener {
  /** Whether everything is heard at the moment. It starts to listen when it is first asked, and after a loss by itself. */
  isListening(): boolean;
  /**
   * Resolves when all has been heard that was told with commits acknowledged before the call, or when nothing is heard
   * any more; undefined at once when nothing is heard.
   */
  catchUp(): Promise<void> | undefined;
  close(): Promise<void>;
}

export interface ListenerParts {
  readonly url: string;
  readonly log: StorageLog;
  /** Of the channel; a name that needs no quotes. */
  readonly channel: string;
  heard(message: string): void;
  /** It listens from now on: whatever was told before was not heard. */
  began(): void;
}

const CONNECT_LIMIT_MS = 5_000;
/** A server that does not answer an empty statement for this long is as good as gone: who waits goes on without. */
const FENCE_LIMIT_MS = 2_000;
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/**
 * A notice reaches its listeners before the answer to whatever they ask after its commit was acknowledged. The server
 * signals the listening sessions when it has committed and before it says so; a session that is signalled sends what
 * there is to hear before it says that it is ready for the next statement (PostgreSQL's source, async.c:
 * `AtCommit_Notify`, and postgres.c: `ProcessNotifyInterrupt` ahead of `ReadyForQuery`). So an empty statement is a
 * fence: behind its answer, everything older has been heard.
 */
export function createListener(parts: ListenerParts): Listener {
  let client: pg.Client | undefined;
  let connecting: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = SHORTEST_PAUSE_MS;
  let isClosed = false;

  const lose = (lost: pg.Client, err: unknown): void => {
    void lost.end().catch(() => undefined);
    if (client !== lost) return;
    client = undefined;
    if (isClosed) return;
    parts.log.warn(
      { err },
      'the connection that hears of changes was lost: nothing is cached until it is back',
    );
    connect();
  };

  const connect = (): void => {
    timer = undefined;
    connecting ??= open(parts, lose)
      .then((opened) => {
        client = opened;
        pauseMs = SHORTEST_PAUSE_MS;
        parts.began();
      })
      .catch(() => {
        if (isClosed) return;
        timer = setTimeout(connect, pauseMs);
        timer.unref();
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
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
    isListening: () => {
      if (client) return true;
      if (!isClosed && timer === undefined) connect();
      return false;
    },
    catchUp: () => (client ? fence() : undefined),
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await connecting;
      const open = client;
      client = undefined;
      await open?.end();
    },
  };
}

/** `query_timeout` is missing from the driver's types for single statements. */
const EMPTY_STATEMENT: pg.QueryConfig & { readonly query_timeout: number } = {
  text: '',
  query_timeout: FENCE_LIMIT_MS,
};

async function open(
  { url, channel, heard }: ListenerParts,
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
  client.on('notification', ({ payload }) => heard(payload ?? ''));
  try {
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    return client;
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
}
