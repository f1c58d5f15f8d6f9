import { buildApp, type App } from './api/app.js';
import type { ApiLog } from './api/exchange.js';
import { endpoints } from './api/route-table.js';
import { createAuthenticator } from './auth/authenticate.js';
import { createBaseUrlCandidates } from './auth/oauth1/base-urls.js';
import { createMemoryNonces } from './auth/oauth1/nonces.js';
import { createOAuth1Verifier } from './auth/oauth1/verify.js';
import { createRateLimiter } from './auth/rate-limit.js';
import { createWriter, fileBesideDatabase, openBackend, worldDeps, type Backend } from './backend.js';
import type { Config } from './config.js';
import type { Clock } from './core/clock.js';
import { makeFirstCredentials, type FirstStart } from './first-start.js';
import { createHousekeeping, enqueueHousekeeping } from './jobs/handlers/housekeeping.js';
import { createJobWorker, type JobWorker } from './jobs/worker.js';
import { findPort, hostInUrl, listenRefused, publicUrlOf, type Address } from './port.js';
import { createPostService } from './services/posts/posts.js';
import type { PostWriter } from './services/posts/write-post.js';
import { createJobQueue, type JobQueue } from './storage/job-queue.js';
import type { StorageLog } from './storage/storage-log.js';
import { createViews } from './views/views.js';
import { loadWorldFile } from './world/world-file.js';

/** Beside the database file, or in the data folder. */
const CREDENTIALS_FILE = 'credentials.json';

export interface StartOptions {
  readonly log: ApiLog & StorageLog;
  readonly clock?: Clock;
  /** See `SqliteOptions`; tests want it. */
  readonly detectsNesting?: boolean;
  /** See `BackendOptions`. */
  readonly dataFolder?: string;
}

/** The server as it was put together, not listening. */
export interface Pipit extends AsyncDisposable {
  readonly app: App;
  readonly backend: Backend;
  readonly writer: PostWriter;
  readonly jobs: Jobs;
  /** Lets running requests and jobs end, then closes the database. Repeated, it changes nothing. */
  close(): Promise<void>;
}

/** The work that requests leave for later, and who does it: started by `startPipit` only. */
export interface Jobs {
  readonly queue: JobQueue;
  readonly worker: JobWorker;
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
    await startJobs(pipit);
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
    const jobs = createJobs(options, backend);
    const close = closeOnce(app, jobs, backend);
    return { app, backend, writer, jobs, close, [Symbol.asyncDispose]: close };
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

function createJobs({ log }: StartOptions, { engine, ids, clock }: Backend): Jobs {
  const queue = createJobQueue({ ids, clock });
  const handlers = { housekeeping: createHousekeeping({ engine, clock, queue }) };
  return { queue, worker: createJobWorker({ engine, ids, clock, log, handlers, queue }) };
}

async function startJobs({ backend, jobs }: Pipit): Promise<void> {
  jobs.worker.start();
  await backend.engine.tx('enqueue housekeeping', (tx) => enqueueHousekeeping(jobs, tx));
}

function closeOnce(app: App, { worker }: Jobs, backend: Backend): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    try {
      await Promise.all([app.close(), worker.stop()]);
    } finally {
      await backend.close();
    }
  };
  return () => (closing ??= close());
}

async function firstStartOf(config: Config, { backend, writer }: Pipit): Promise<FirstStart | undefined> {
  const file = fileBesideDatabase(config.database, CREDENTIALS_FILE);
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
