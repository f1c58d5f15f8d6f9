import { dirname, join, resolve } from 'node:path';
import { systemClock, type Clock } from '../core/clock.js';
import { parseDatabaseUrl } from '../database/database-url.js';
import type { LanguageDetector } from '../core/post-text/language.js';
import { createSignal } from '../core/loop.js';
import { useDatabase } from './database-use.js';
import type { IdSource } from '../core/snowflake.js';
import { createAppService } from '../services/apps/apps.js';
import { ephemeralKey, KEY_FILE } from '../services/secrets/key-file.js';
import { loadKey } from '../services/secrets/key-place.js';
import type { KeyPlace } from '../services/secrets/key-text.js';
import { createPostWriter, type PostWriter } from '../services/posts/write-post.js';
import { hashPassword } from '../services/secrets/secrets.js';
import { createTokenService } from '../services/apps/tokens.js';
import { enqueueFanOut } from '../services/timelines/home-writes.js';
import { createVault } from '../services/secrets/vault.js';
import type { Engine } from '../database/engine.js';
import { createJobQueue } from '../stores/job-queue.js';
import { openEngine } from '../database/open-engine.js';
import { DEFAULT_CACHE_BYTES } from '../database/caches.js';
import { SlowStatements } from '../operations/slow-statements.js';
import { measureStorage } from '../operations/storage-metrics.js';
import { leaseSnowflakes, withReadyIds } from '../database/snowflake-workers.js';
import { silentLog, type StorageLog } from '../database/storage-log.js';
import type { WholeBlobs } from '../stores/blobs/whole-blobs.js';
import type { WorldDeps } from '../world/load-world.js';

/** The folder for files of a database on a server, relative to the working directory. */
export const DATA_FOLDER = 'data';

/** The contents of a database in memory, as `Engine.backup` writes them, with the key of its secrets. */
export interface Snapshot {
  readonly image: Buffer;
  readonly key: Buffer;
}

export interface BackendOptions {
  readonly clock?: Clock;
  readonly durability?: 'full' | 'relaxed';
  readonly log?: StorageLog;
  /** See `SqliteOptions`; off for servers because of its cost. */
  readonly detectsNesting?: boolean;
  /** See `EngineOptions`. */
  readonly processes?: number;
  /** How long statements take that are logged; by default none is. */
  readonly slowStatementMs?: number;
  /** Whether the use of the database is counted; off by default. */
  readonly isMeasured?: boolean;
  /** Returns the engine that the parts of the server use in place of the opened one. */
  readonly followEngine?: (engine: Engine) => Engine;
  /** The memory for caches; see `--cache-mb`. */
  readonly cacheBytes?: number;
  /** The initial contents of a database in memory. */
  readonly snapshot?: Snapshot;
  /** The key of a database in memory without a snapshot; by default a random one. */
  readonly firstKey?: Buffer;
  /** Where the key is, if not in a file beside the database. */
  readonly keyPlace?: KeyPlace;
  /** The folder for the key of a database on a server; default `data`. */
  readonly dataFolder?: string;
}

/** A database and its services, as used by the server and by every command. */
export type Backend = Awaited<ReturnType<typeof openBackend>>;

/**
 * Opens a database with its key. Throws DatabaseInUse during a restore, and the errors of `openEngine` and
 * `loadKey`, after closing everything that it opened.
 */
export async function openBackend(databaseUrl: string, options: BackendOptions = {}) {
  const { clock = systemClock, log = silentLog, durability = 'full', snapshot } = options;
  const file = databaseFile(databaseUrl);
  // Databases in memory or on a server have no file that a restore could replace.
  const use = file === undefined ? undefined : await useDatabase(file);
  const { slowStatementMs: slowMs = Infinity } = options;
  const slow = slowMs === Infinity ? undefined : new SlowStatements({ slowMs, log, clock });
  const settings = { ...options, clock, log, durability, image: snapshot?.image, watch: slow?.watch };
  const engine = await openEngine(databaseUrl, settings).catch(async (error: unknown) => {
    await use?.end();
    throw error;
  });
  slow?.explainWith(engine);
  try {
    const keyFile = fileBesideDatabase(databaseUrl, KEY_FILE, options.dataFolder);
    const key = snapshot?.key ?? (await keyOf(keyFile, engine, options));
    const ids = await leaseSnowflakes(engine, clock, log);
    const vault = createVault(key);
    const caches = { bytes: options.cacheBytes ?? DEFAULT_CACHE_BYTES, byName: new Map() };
    const cached = { ...withReadyIds(engine, ids), caches };
    const measured = options.isMeasured ? measureStorage(cached) : { engine: cached, collect: () => [] };
    return {
      engine: options.followEngine?.(measured.engine) ?? measured.engine,
      /** Counts the use of the database and its caches. */
      collectStorageMetrics: measured.collect,
      /** Returns the statements that took long. */
      listSlowStatements: slow?.list ?? (() => []),
      clock,
      ids: ids as IdSource,
      /** Renews the lease under which ids are made: after a jump of the clock it has expired. */
      renewIds: ids.renew,
      /** The queue for jobs that transactions enqueue. */
      queue: createJobQueue({ ids, clock }),
      /** Signalled when a fan-out job is enqueued. */
      fanOutOrdered: createSignal(),
      vault,
      /** The key of the vault; backups include it. */
      key,
      apps: createAppService({ engine, clock, ids, vault }),
      tokens: createTokenService({ engine, clock, vault }),
      /** Stops background work and closes the database. */
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

/** Returns the absolute path of an SQLite database; undefined for a database in memory or on a server. */
export function databaseFile(databaseUrl: string): string | undefined {
  const location = parseDatabaseUrl(databaseUrl);
  return location?.kind === 'file' ? resolve(location.file) : undefined;
}

/**
 * Returns the path of a file that belongs to a database: in the database's own folder, or in `dataFolder` for a
 * database on a server. Returns undefined for a database in memory.
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

/** Returns the key; `keyFile` is where it is by default, undefined for a database in memory. */
async function keyOf(
  keyFile: string | undefined,
  engine: Engine,
  { keyPlace, firstKey }: BackendOptions,
): Promise<Buffer> {
  if (keyFile === undefined) return firstKey ?? ephemeralKey();
  return loadKey(keyPlace ?? { kind: 'file', file: keyFile }, engine);
}

/** Creates the post writer of the API. `publicUrl` is the base of links in posts; `language` is loaded if absent. */
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
    onWritten: enqueueFanOut.bind(undefined, fanOutOrdered),
  });
}

/** Returns the dependencies for loading a world file; `blobs` stores the files of its media. */
export function worldDeps(backend: Backend, writer: PostWriter, blobs?: WholeBlobs): WorldDeps {
  return { ...backend, writer, hashPassword, blobs };
}

/** The folder of media files, beside the database file or in the data folder. */
export const MEDIA_FOLDER = 'media';
