import pg from 'pg';

type Config = pg.ClientConfig & { readonly query_timeout?: number };
type Done = (error?: Error) => void;

/** A PostgreSQL session starts with an empty catalogue cache and no plans, which costs more than most tests. */
const kept = new Map<string, KeptClient[]>();

const MAX_KEPT = 4;

/** A connection that outlives the pool that closes it, unless it is broken or inside a transaction. */
class KeptClient extends pg.Client {
  readonly #idle: KeptClient[];
  #isConnected = false;
  isSound = true;

  constructor(config: Config) {
    super(config);
    const key = JSON.stringify([config.connectionString, config.query_timeout]);
    this.#idle = kept.get(key) ?? [];
    kept.set(key, this.#idle);
  }

  static idle({ connectionString, query_timeout: timeout }: Config): KeptClient | undefined {
    return kept.get(JSON.stringify([connectionString, timeout]))?.pop();
  }

  override connect(): Promise<pg.Client>;
  override connect(done: Done): void;
  override connect(done?: Done): Promise<pg.Client> | undefined {
    if (!done) throw new Error('pools pass a callback');
    if (this.#isConnected) process.nextTick(done);
    else {
      super.connect((error?: Error) => {
        this.#isConnected = !error;
        done(error);
      });
    }
    return undefined;
  }

  override end(): Promise<void>;
  override end(done: Done): void;
  override end(done?: Done): Promise<void> | undefined {
    if (!done) throw new Error('pools pass a callback');
    const isIdle = this.isSound && this.#isConnected && this.getTransactionStatus() === 'I';
    if (!isIdle || this.#idle.length >= MAX_KEPT) {
      super.end(done);
      return undefined;
    }
    this.removeAllListeners();
    // Dropping a database ends its connections.
    this.on('error', () => this.#idle.splice(this.#idle.indexOf(this), 1));
    this.#idle.push(this);
    process.nextTick(done);
    return undefined;
  }
}

/** Makes the pools of this process take over the connections of closed ones to the same database. */
export function reuseConnections(): void {
  const Client = function (config: Config): KeptClient {
    return KeptClient.idle(config) ?? new KeptClient(config);
  };
  const { Pool } = pg;
  Object.assign(pg, {
    Pool: class extends Pool {
      constructor(config: pg.PoolConfig) {
        super({ ...config, Client: Client as unknown as new () => pg.ClientBase });
        this.on('release', (error, client) => {
          if (error) (client as unknown as KeptClient).isSound = false;
        });
      }
    },
  });
}
