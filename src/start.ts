import { buildApp, type App } from './api/app.js';
import type { ApiLog } from './api/exchange.js';
import { endpoints } from './api/route-table.js';
import { createAuthenticator } from './auth/authenticate.js';
import { createBaseUrlCandidates } from './auth/oauth1/base-urls.js';
import { createMemoryNonces } from './auth/oauth1/nonces.js';
import { createOAuth1Verifier } from './auth/oauth1/verify.js';
import { createRateLimiter } from './auth/rate-limit.js';
import {
  besideDatabase,
  createWriter,
  databaseFile,
  openBackend,
  worldDeps,
  type Backend,
} from './backend.js';
import type { Config } from './config.js';
import type { Clock } from './core/clock.js';
import { makeFirstCredentials, type FirstStart } from './first-start.js';
import { findPort, hostInUrl, listenRefused, publicUrlOf, type Address } from './port.js';
import { createPostService } from './services/posts/posts.js';
import type { PostWriter } from './services/posts/write-post.js';
import type { StorageLog } from './storage/storage-log.js';
import { createViews } from './views/views.js';
import { loadWorldFile } from './world/world-file.js';

/** Beside the database file. */
const CREDENTIALS_FILE = 'credentials.json';

export interface StartOptions {
  readonly log: ApiLog & StorageLog;
  readonly clock?: Clock;
  /** See `SqliteOptions`; tests want it. */
  readonly detectsNesting?: boolean;
}

/** The server as it was put together, not listening. */
export interface Pipit extends AsyncDisposable {
  readonly app: App;
  readonly backend: Backend;
  readonly writer: PostWriter;
  /** Lets running requests end, then closes the database. Repeated, it changes nothing. */
  close(): Promise<void>;
}

export interface RunningPipit extends Pipit {
  /** Where it listens, as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly firstStart: FirstStart | undefined;
}

/**
 * Opens the database, loads the world files of the configuration, makes the first credentials in an empty database,
 * and listens. Throws ListenRefused before anything is stored when the port is in use; and what these steps throw,
 * having closed what was opened.
 */
export async function startPipit(config: Config, options: StartOptions): Promise<RunningPipit> {
  const port = await findPort(config);
  const pipit = await buildPipit({ ...config, port }, options);
  try {
    for (const file of config.load) await loadWorldFile(worldDeps(pipit.backend, pipit.writer), file);
    const firstStart = await firstStartOf(config, pipit);
    await listen(pipit.app, { host: config.host, port });
    return { ...pipit, url: `http://${hostInUrl(config.host)}:${port}`, firstStart };
  } catch (error) {
    await pipit.close();
    throw error;
  }
}

/** Puts everything together on an open database, without loading, listening or first credentials. */
export async function buildPipit(config: Config, options: StartOptions): Promise<Pipit> {
  const backend = await openBackend(config.database, {
    durability: config.durability,
    detectsNesting: false,
    ...options,
  });
  try {
    const publicUrl = publicUrlOf(config);
    const writer = await createWriter(backend, publicUrl);
    const app = createApp(config, options, backend, writer, publicUrl);
    const close = closeOnce(app, backend);
    return { app, backend, writer, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await backend.close();
    throw error;
  }
}

function createApp(
  config: Config,
  { log }: StartOptions,
  backend: Backend,
  writer: PostWriter,
  publicUrl: string,
): App {
  const { engine, clock, ids, vault } = backend;
  const baseUrls = createBaseUrlCandidates({
    baseUrls: config.baseUrl === undefined ? [] : [config.baseUrl],
    trustedProxies: config.trustedProxies,
  });
  return buildApp({
    endpoints,
    context: {
      posts: createPostService({ engine, ids, writer, publicUrl, clock }),
      views: createViews({ engine, clock }),
    },
    authenticator: createAuthenticator({
      engine,
      clock,
      vault,
      oauth1: createOAuth1Verifier({ clock, nonces: createMemoryNonces(), baseUrls }),
    }),
    limiter: createRateLimiter({ clock, mode: config.rateLimits }),
    log,
    clock,
  });
}

function closeOnce(app: App, backend: Backend): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => (closing ??= app.close().finally(() => backend.close()));
}

async function firstStartOf(config: Config, { backend, writer }: Pipit): Promise<FirstStart | undefined> {
  const database = databaseFile(config.database);
  const file = database === undefined ? undefined : besideDatabase(database, CREDENTIALS_FILE);
  const credentials = await makeFirstCredentials(worldDeps(backend, writer), file);
  return credentials && { credentials, file };
}

async function listen(app: App, address: Address): Promise<void> {
  try {
    await app.listen(address);
  } catch (error) {
    throw listenRefused(address, error);
  }
}
