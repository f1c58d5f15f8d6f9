import { buildApp, type App } from '../api/app.js';
import type { Streams } from '../api/context.js';
import { createContext } from './api-context.js';
import type { ApiLog } from '../http/fault-log.js';
import type { HttpShell } from '../http/shell.js';
import { mediaFiles } from '../api/media-files.js';
import { endpoints } from '../api/route-table.js';
import { complianceRoutes } from '../api/routes/compliance-files.js';
import { createAuthenticator } from '../auth/authenticate.js';
import { createClientAddress } from '../auth/client-address.js';
import { createBaseUrlCandidates } from '../auth/oauth1/base-urls.js';
import { createOAuth1Verifier } from '../auth/oauth1/verify.js';
import { createProxyNotice, missingProxyAdvice } from '../auth/proxy-notice.js';
import { createRateLimiter } from '../limits/rate-limit.js';
import { createWriter, openBackend, type Backend, type BackendOptions } from './backend.js';
import type { Clock } from '../core/clock.js';
import { isInMemory, keyPlaceOf, type Config } from './config.js';
import type { LanguageDetector } from '../core/post-text/language.js';
import { fillDatabase } from './fill-database.js';
import { drawPasswordEarly } from './first-start.js';
import { recordSignUp } from '../services/audit/record-sign-up.js';
import { enqueueHousekeeping } from '../services/jobs/housekeeping.js';
import { openJobs } from './open-jobs.js';
import { openMedia } from './open-media.js';
import { linkMessages } from '../api/link-messages.js';
import { LinkProducer } from '../services/webhooks/link-producer.js';
import { openTracing } from './open-tracing.js';
import { openWebhooks } from './open-webhooks.js';
import type { Engine } from '../database/engine.js';
import type { Tracing } from '../operations/tracing/tracing.js';
import { joinServers } from './join-servers.js';
import { openOperations, type OperationsLog } from './open-operations.js';
import type { MetricsPeers } from '../operations/metrics.js';
import { createPlainRoutes } from './plain-routes.js';
import { findPort, hostInUrl, listen, publicUrlOf } from './port.js';
import type { CallRecorder } from '../journal/call-recorder.js';
import type { RecordingPeers } from '../journal/recording-peers.js';
import { openExchange } from './open-exchange.js';
import { openRecordings } from './open-recordings.js';
import { openActivity } from './open-activity.js';
import type { CountsGroup } from './workers/counts-channel.js';
import { RelationCache } from '../stores/relation-cache.js';
import { StreamConnections } from '../services/streams/connections.js';
import { LiveReaders } from '../services/live/live-readers.js';
import { FeedStreams } from '../services/streams/feed-streams.js';
import { createStreamedObjects } from '../services/streams/streamed-objects.js';
import { FilteredStreams } from '../services/streams/filtered-streams.js';
import { createUsageService } from '../services/usage/usage.js';
import { createViews } from '../views/views.js';
import type { ShowProblem } from '../http/exchange.js';
import { problemPage } from '../web/problem-page.js';

export interface StartOptions extends Pick<
  BackendOptions,
  'clock' | 'detectsNesting' | 'dataFolder' | 'snapshot' | 'firstKey' | 'followEngine'
> {
  /** The clock for the timestamps of OAuth 1.0a, which clients take from their own; by default `clock`. */
  readonly signingClock?: Clock;
  /** The folder of media files; by default the one of the database. */
  readonly mediaFolder?: string;
  readonly log: ApiLog & OperationsLog;
  /** See `HttpShell`. */
  readonly around?: HttpShell['around'];
  /** Records calls of tools; by default, the recordings of apps do. */
  readonly recordCall?: CallRecorder;
  /** Draws the pauses before repetitions; by default `Math.random`. */
  readonly random?: () => number;
  /** Loaded if absent, which is slow: tests start many servers. */
  readonly language?: LanguageDetector;
  /** The other workers of the server, for the exchange of counts; absent for a single process. */
  readonly countsGroup?: CountsGroup;
  /** True if another process has filled the database and already listens on the port. */
  readonly joins?: boolean;
  /** The other workers of the server, whose metrics are included. */
  readonly metricsPeers?: MetricsPeers;
  /** The other workers of the server, with which recordings of apps are shared. */
  readonly recordingPeers?: RecordingPeers;
}

/** An assembled server that does not listen yet. */
export type Pipit = Awaited<ReturnType<typeof buildPipit>>;

export type RunningPipit = Awaited<ReturnType<typeof startPipit>>;

/**
 * Opens the database, loads the configured world files, creates the first credentials in an empty database, and
 * listens. Throws ListenRefused before anything is stored if the port is in use, and the errors of these steps, after
 * closing everything that it opened.
 */
export async function startPipit(config: Config, options: StartOptions) {
  const port = options.joins ? config.port : await findPort(config);
  const password = drawPasswordEarly(config);
  const pipit = await buildPipit({ ...config, port }, options);
  try {
    const advice = options.joins ? undefined : missingProxyAdvice(config);
    if (advice !== undefined) options.log.warn({}, advice);
    await pipit.exchange.begin();
    // A database in memory has no other server.
    if (!isInMemory(config.database)) await pipit.joinServers();
    const firstStart = options.joins ? undefined : await fillDatabase(config, pipit, password);
    await recordSignUp(pipit.backend, config.signUp);
    await listen(pipit.app, { host: config.host, port });
    await pipit.operations.listen();
    await startJobs(pipit);
    // The URL of the listener, such as `http://127.0.0.1:8080`.
    const url = `http://${hostInUrl(config.host)}:${port}`;
    return { ...pipit, url, port, firstStart };
  } catch (error) {
    await pipit.close();
    throw error;
  }
}

/** Assembles the server on an open database, without loading data, creating credentials or listening. */
export async function buildPipit(config: Config, { followEngine = sameEngine, ...given }: StartOptions) {
  const tracing = await openTracing(config);
  const options = { ...given, tracing };
  const backend = await openBackend(config.database, {
    durability: config.durability,
    processes: config.workers,
    cacheBytes: config.cacheMb * 1024 ** 2,
    isMeasured: config.metrics !== 'off',
    slowStatementMs: config.slowStatementMs,
    detectsNesting: false,
    keyPlace: keyPlaceOf(config),
    followEngine: (engine) => {
      const followed = followEngine(engine);
      return tracing ? tracing.follow(followed) : followed;
    },
    ...options,
  });
  try {
    const parts = await createParts(config, options, backend);
    const app = createApp(config, options, backend, parts);
    const { writer, jobs, exchange, operations, streams } = parts;
    const webhooks = parts.webhooks.work;
    /** Waits for running requests and jobs, then closes the database. Idempotent. */
    const close = closeOnce(app, parts, { backend, tracing });
    return {
      app,
      backend,
      writer,
      jobs,
      webhooks,
      exchange,
      operations,
      streams,
      media: parts.media,
      /** Compares what this server shares with the others, once the exchange has begun. */
      joinServers: () =>
        joinServers({
          ...backend,
          blobs: parts.media,
          baseUrl: config.baseUrl,
          groupId: parts.exchange.groupId,
          nowMs: backend.clock(),
          log: options.log,
        }),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await backend.close();
    throw error;
  }
}

function sameEngine(engine: Engine): Engine {
  return engine;
}

/** The options with what was opened for all parts. */
type OpenOptions = Omit<StartOptions, 'followEngine'> & { readonly tracing: Tracing | undefined };

type Parts = Awaited<ReturnType<typeof createParts>>;

/** Creates the parts beside the app. Only `startPipit` starts jobs, the exchange and the listener of metrics. */
async function createParts(config: Config, options: OpenOptions, backend: Backend) {
  const publicUrl = publicUrlOf(config);
  const writer = await createWriter(backend, publicUrl, options.language);
  const { database, postCap: mode, mediaQuota: quotaBytes, media: place, mediaLinks: links } = config;
  const { dataFolder, mediaFolder } = options;
  const media = await openMedia(backend, {
    database,
    dataFolder,
    mediaFolder,
    place,
    publicUrl,
    quotaBytes,
    links,
  });
  const jobs = openJobs(config, options, backend, media);
  const { kinds: jobKinds, indexing } = jobs;
  const relations = new RelationCache(backend.engine);
  const views = createViews({ engine: backend.engine, relations, clock: backend.clock, publicUrl });
  const activity = openActivity(config, backend, views);
  const streams = createStreams(config, options, backend);
  const live = new LiveReaders({ engine: backend.engine, relations, log: options.log });
  const webhooks = openWebhooks(config, backend, {
    log: options.log,
    random: options.random,
    tracing: options.tracing,
    producers: [new LinkProducer(backend.engine, linkMessages(views)), ...activity.producers],
  });
  return {
    publicUrl,
    relations,
    views,
    activity,
    webhooks,
    writer,
    media,
    mediaOrigin: await media.findLinkOrigin(),
    usage: createUsageService({ engine: backend.engine, clock: backend.clock, mode, log: options.log }),
    exchange: openExchange(options, backend),
    jobs,
    streams,
    live,
    operations: openOperations(config, {
      ...options,
      backend,
      backupOverdueMs: jobs.backups?.overdueMs,
      endpoints,
      jobKinds,
      indexAgeMs: indexing.ageMs,
      measured: [jobs.worker.collect, streams.feed.collect, live.collect, webhooks.work.collect],
    }),
  };
}

function createStreams(config: Config, { log }: StartOptions, backend: Backend): Streams {
  const { engine, clock, ids } = backend;
  const connections = new StreamConnections({
    engine,
    clock,
    ids,
    log,
    maxConnections: config.streamConnections,
    graceMs: config.streamGrace * 1_000,
  });
  return {
    connections,
    feed: new FeedStreams({ engine, clock, log, connections }),
    filtered: new FilteredStreams(engine),
    objects: createStreamedObjects(engine),
    clientAddress: createClientAddress(config.trustedProxy),
    maxWaitingBytes: config.streamBuffer,
    clock,
  };
}

/** Makes browsers that used https once use only https for a year (RFC 6797). */
const STRICT_TRANSPORT = { 'strict-transport-security': 'max-age=31536000' } as const;

function baseUrlsOf({ baseUrl, trustedProxy }: Config) {
  return createBaseUrlCandidates({
    baseUrls: baseUrl === undefined ? [] : [baseUrl],
    trustedProxies: trustedProxy,
  });
}

function endStreams({ streams, live }: Parts, { recordingEvents }: ReturnType<typeof openRecordings>): void {
  streams.feed.stop();
  live.stop();
  recordingEvents.end();
}

function createApp(
  config: Config,
  { log, signingClock, around, recordingPeers, recordCall, tracing }: OpenOptions,
  backend: Backend,
  parts: Parts,
): App {
  const { engine, clock, vault } = backend;
  const { publicUrl, media, usage, exchange, operations, webhooks } = parts;
  const { mediaOrigin } = parts;
  const forPages = { publicUrl, usage, media, mediaOrigin, webhooks, health: operations.health };
  const recording = openRecordings(clock, recordingPeers);
  const baseUrls = baseUrlsOf(config);
  const { windows, nonces } = exchange;
  const oauth1 = createOAuth1Verifier({ clock: signingClock ?? clock, nonces, baseUrls });
  const authenticator = createAuthenticator({ engine, clock, vault, oauth1 });
  const limiter = createRateLimiter({ clock, mode: config.rateLimits, windows });
  const context = createContext(config, backend, parts);
  // Replaced by pages that know their reader, which need the routes' way to call the API.
  let showProblem: ShowProblem = problemPage;
  return buildApp({
    endpoints,
    plainRoutes: (call) => {
      const plain = createPlainRoutes(config, {
        call,
        ...recording,
        backend,
        windows,
        authenticator,
        oauth1,
        endpoints,
        limiter,
        ...forPages,
        instance: context.instance,
      });
      showProblem = plain.showProblem;
      return [
        ...plain.routes,
        ...complianceRoutes(context.compliance),
        ...mediaFiles(media),
        ...operations.routes,
      ];
    },
    observers: operations.observers,
    trace: tracing?.traceRequest,
    publicUrl,
    headers: publicUrl.startsWith('https:') ? STRICT_TRANSPORT : {},
    notice: createProxyNotice(config.trustedProxy, log),
    context,
    authenticator,
    usageCap: usage,
    limiter,
    log,
    clock,
    catchUp: engine.catchUp,
    around,
    record: recording.recordings.record,
    recordCall: recordCall ?? recording.recordings.recordCall,
    endStreams: () => endStreams(parts, recording),
    showProblem: (problem, refused) => showProblem(problem, refused),
  });
}

/**
 * Starts the background work of a server that listens elsewhere (`receive`), and its metrics. Without `byItself`, the
 * caller does what is due (`runDue`). Throws ListenRefused.
 */
export async function beginWork(pipit: Pipit, { byItself }: { readonly byItself: boolean }): Promise<void> {
  await pipit.exchange.begin();
  await pipit.operations.listen();
  if (byItself) startLoops(pipit);
  await enqueueFirstJobs(pipit);
}

async function startJobs(pipit: Pipit): Promise<void> {
  startLoops(pipit);
  await enqueueFirstJobs(pipit);
}

function startLoops({ jobs, exchange, webhooks }: Pipit): void {
  jobs.worker.start();
  webhooks.start();
  jobs.fanOut.start();
  jobs.indexing.start();
  exchange.start();
}

async function enqueueFirstJobs({ backend: { engine }, jobs }: Pipit): Promise<void> {
  await engine.tx('enqueue housekeeping', (tx) => enqueueHousekeeping(jobs, tx));
  if (jobs.backups) await engine.tx('schedule backup', jobs.backups.begin);
}

function closeOnce(
  app: App,
  { media, usage, exchange, streams, jobs: { worker, fanOut, indexing }, webhooks, operations }: Parts,
  { backend, tracing }: { readonly backend: Backend; readonly tracing: Tracing | undefined },
): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    try {
      await Promise.all([app.close(), worker.stop(), fanOut.stop(), indexing.stop(), webhooks.work.stop()]);
    } finally {
      await streams.connections.stop();
      await media.close();
      await usage.close();
      await exchange.stop();
      await operations.close();
      await tracing?.close();
      await backend.close();
    }
  };
  return () => (closing ??= close());
}
