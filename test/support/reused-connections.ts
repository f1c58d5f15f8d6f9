import pg from 'pg';

type Config = pg.ClientConfig & { readonly query_timeout?: number };
type Done = (error?: Error) => void;

/** A PostgreSQL session starts with an empty catalogue cache and no plans, which costs more than most tests. */
const kept = new Map<string, KeptClient[]>();

/** As many as a pool opens: a new session costs the server 70 ms. */
const MAX_KEPT = 20;

function keyOf({ connectionString, query_timeout: timeout, application_name: name }: Config): string {
  return JSON.stringify([connectionString, timeout, name]);
}

/** A connection that outlives its user, unless it is broken or inside a transaction. */
class KeptClient extends pg.Client {
  readonly #idle: KeptClient[];
  #isConnected = false;
  isSound = true;

  constructor(config: Config) {
    super(config);
    const key = keyOf(config);
    this.#idle = kept.get(key) ?? [];
    kept.set(key, this.#idle);
  }

  static take(config: Config): KeptClient {
    return kept.get(keyOf(config))?.pop() ?? new KeptClient(config);
  }

  override connect(): Promise<pg.Client>;
  override connect(done: Done): void;
  override connect(done?: Done): Promise<pg.Client> | undefined {
    return answered(done, async () => {
      if (!this.#isConnected) await super.connect();
      this.#isConnected = true;
      return this;
    });
  }

  override end(): Promise<void>;
  override end(done: Done): void;
  override end(done?: Done): Promise<void> | undefined {
    return answered(done, async () => {
      const isIdle = this.isSound && this.#isConnected && this.getTransactionStatus() === 'I';
      if (!isIdle || this.#idle.length >= MAX_KEPT) return super.end();
      this.removeAllListeners();
      // Dropping a database ends its connections.
      this.on('error', () => this.#idle.splice(this.#idle.indexOf(this), 1));
      this.#idle.push(this);
    });
  }
}

/** Calls back if the caller asks for it, as the driver's own methods do. */
function answered<T>(done: Done | undefined, work: () => Promise<T>): Promise<T> | undefined {
  const working = work();
  if (!done) return working;
  working.then(() => done(), done);
  return undefined;
}

/** Makes the pools and listeners of this process take over the connections of closed ones to the same database. */
export function reuseConnections(): void {
  const { Pool, Client } = pg;
  const Kept = function (config: Config): KeptClient {
    return KeptClient.take(config);
  };
  Object.assign(pg, {
    Client: function (config: Config): pg.Client {
      return config.application_name === 'pipit changes' ? KeptClient.take(config) : new Client(config);
    },
    Pool: class extends Pool {
      constructor(config: pg.PoolConfig) {
        super({ ...config, Client: Kept as unknown as new () => pg.ClientBase });
        this.on('release', (error, client) => {
          if (error) (client as unknown as KeptClient).isSound = false;
        });
      }
    },
  });
}
