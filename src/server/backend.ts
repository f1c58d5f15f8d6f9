import { dirname, join, resolve } from 'node:path';
import { systemClock, type Clock } from '../core/clock.js';
import { parseDatabaseUrl } from '../core/database-url.js';
import type { LanguageDetector } from '../core/post-text/language.js';
import { createSignal, type Signal } from '../core/signal.js';
import { useDatabase, type DatabaseUse } from './database-use.js';
import type { IdSource } from '../core/snowflake.js';
import { createAppService, type AppService } from '../services/apps/apps.js';
import { ephemeralKey, KEY_FILE, KeyFileRefused, loadKeyFile } from '../services/secrets/key-file.js';
import { createPostWriter, type PostWriter } from '../services/posts/write-post.js';
import { hashPassword } from '../services/secrets/secrets.js';
import { createTokenService, type TokenService } from '../services/apps/tokens.js';
import { enqueueFanOut } from '../services/timelines/home-writes.js';
import { createVault, type Vault } from '../services/secrets/vault.js';
import { listApps } from '../stores/apps.js';
import type { Engine } from '../database/engine.js';
import { createJobQueue, type JobQueue } from '../stores/job-queue.js';
import { openEngine } from '../database/open-engine.js';
import { fileExists } from '../database/private-file.js';
import { leaseSnowflakes, type LeasedSnowflakes } from '../database/snowflake-workers.js';
import { silentLog, type StorageLog } from '../database/storage-log.js';
import type { WorldDeps } from '../world/load-world.js';

/** Keeps what belongs to a database on a server: below the folder in which Pipit runs. */
export const DATA_FOLDER = 'data';

export interface BackendOptions {
  readonly clock?: Clock;
  readonly durability?: 'full' | 'relaxed';
  readonly log?: StorageLog;
  /** See `SqliteOptions`; off for servers, where it costs time. */
  readonly detectsNesting?: boolean;
  /** See `EngineOptions`. */
  readonly processes?: number;
  /** Where the key of a database on a server is kept; `data` unless said otherwise. */
  readonly dataFolder?: string;
}

/** One database and the services on it: what the server and every command work with. */
export interface Backend {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Where transactions leave work for later. */
  readonly queue: JobQueue;
  /** Told when a post is to be written into home timelines. */
  readonly fanOutOrdered: Signal;
  readonly vault: Vault;
  /** Of the vault; backups carry it. */
  readonly key: Buffer;
  readonly apps: AppService;
  readonly tokens: TokenService;
  /** Ends what runs in the background and closes the database. */
  close(): Promise<void>;
}

/**
 * Opens a database with its key. Throws DatabaseInUse while it is being restored, and what `openEngine` and `loadKeyFile`
 * throw, having closed what it opened.
 */
export async function openBackend(databaseUrl: string, options: BackendOptions = {}): Promise<Backend> {
  const { clock = systemClock, log = silentLog, durability = 'full', detectsNesting, processes } = options;
  const use = await useOf(databaseUrl);
  const engine = await openEngine(databaseUrl, { clock, log, durability, detectsNesting, processes }).catch(
    async (error: unknown) => {
      await use?.end();
      throw error;
    },
  );
  try {
    const key = await keyOf(fileBesideDatabase(databaseUrl, KEY_FILE, options.dataFolder), engine);
    const ids = await leaseSnowflakes(engine, clock, log);
    const vault = createVault(key);
    return {
      engine: withReadyIds(engine, ids),
      clock,
      ids,
      queue: createJobQueue({ ids, clock }),
      fanOutOrdered: createSignal(),
      vault,
      key,
      apps: createAppService({ engine, clock, ids, vault }),
      tokens: createTokenService({ engine, clock, vault }),
      close: async () => {
        await ids.release();
        await engine.close();
        await use?.end();
      },
    };
  } catch (error) {
    await engine.close();
    await use?.end();
    throw error;
  }
}

/** What is in memory or on a server has no file that a restore could replace. */
async function useOf(databaseUrl: string): Promise<DatabaseUse | undefined> {
  const file = databaseFile(databaseUrl);
  return file === undefined ? undefined : useDatabase(file);
}

/** The same engine, whose transactions wait for ids: after a sleep of the machine the lease must be renewed first. */
function withReadyIds(engine: Engine, ids: LeasedSnowflakes): Engine {
  return {
    ...engine,
    tx: async (name, body, isolation) => {
      if (!ids.isReady()) await ids.renew();
      return engine.tx(name, body, isolation);
    },
  };
}

/** The file of an SQLite database, absolute; undefined for one in memory or on a server. */
export function databaseFile(databaseUrl: string): string | undefined {
  const location = parseDatabaseUrl(databaseUrl);
  return location?.kind === 'file' ? resolve(location.file) : undefined;
}

/**
 * A file that belongs to a database: beside the database's own, or in `dataFolder` when it is on a server. Undefined
 * for a database in memory.
 */
export function fileBesideDatabase(
  databaseUrl: string,
  name: string,
  dataFolder = DATA_FOLDER,
): string | undefined {
  const database = databaseFile(databaseUrl);
  if (database !== undefined) return join(dirname(database), name);
  return parseDatabaseUrl(databaseUrl)?.kind === 'memory' ? undefined : resolve(dataFolder, name);
}

async function keyOf(keyFile: string | undefined, engine: Engine): Promise<Buffer> {
  if (keyFile === undefined) return ephemeralKey();
  if (!(await fileExists(keyFile)) && (await listApps(engine)).length > 0) {
    // A new key would start, and then refuse every OAuth 1.0a token that was ever issued.
    throw new KeyFileRefused(`the key file ${keyFile} is missing: put it back, or restore a backup`);
  }
  return loadKeyFile(keyFile);
}

/** Writes posts as the API does; `publicUrl` is where their links lead, `language` is loaded unless it is at hand. */
export async function createWriter(
  { ids, fanOutOrdered }: Pick<Backend, 'ids' | 'fanOutOrdered'>,
  publicUrl: string,
  language?: LanguageDetector,
): Promise<PostWriter> {
  const { loadLanguageDetector } = await import('../core/post-text/language.js');
  return createPostWriter({
    language: language ?? (await loadLanguageDetector()),
    publicUrl,
    ids,
    onWritten: (tx, post) => enqueueFanOut(tx, fanOutOrdered, post),
  });
}

/** What loading a world file takes. */
export function worldDeps(backend: Backend, writer: PostWriter): WorldDeps {
  return { ...backend, writer, hashPassword };
}

/** Beside the database file, or in the data folder: the files of media. */
export const MEDIA_FOLDER = 'media';
