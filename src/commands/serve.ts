import type { Command } from 'commander';
import type { DrainTimeouts } from '../http/drain.js';
import type { ApiLog } from '../http/exchange.js';
import { readConfig, SETTING_NAMES, type Config, type ServeFlags } from '../server/config.js';
import type { WorkerLink } from '../server/workers/worker-link.js';
import type { RunningPipit } from '../server/start.js';
import { printResult, withCommonOptions, type CommandIo, type CommonOptions } from './command.js';
import { describeFailure } from './failures.js';
import { withSettings } from './setting-options.js';

/** Whoever stops a server waits for it, some service managers for ten seconds. */
const STOPPING: DrainTimeouts = { lingerMs: 1_000, limitMs: 10_000 };

/** Nobody waits for a worker that was replaced: what was sent to it may take as long as any request. */
const RETIRING: DrainTimeouts = { lingerMs: 5_000, limitMs: 120_000 };

/** Every command has the database already. */
const SERVE_SETTINGS = SETTING_NAMES.filter((name) => name !== 'database');

/** Adds `pipit serve`. */
export function addServeCommand(program: Command, io: CommandIo): void {
  const command = withCommonOptions(program.command('serve')).description(
    'run the server; a variable in the environment stands for each option',
  );
  withSettings(command, SERVE_SETTINGS).action((options: ServeFlags & CommonOptions) => serve(io, options));
}

/** Runs until the process is asked to stop, then lets running requests end. */
async function serve(io: CommandIo, options: ServeFlags & CommonOptions): Promise<void> {
  const config = readConfig(options, io.env);
  const { openWorkerLink } = await import('../server/workers/worker-link.js');
  const link = openWorkerLink(io.env);
  if (link) return serveAsWorker(io, config, link);
  const { databaseFile } = await import('../server/backend.js');
  const { serveDatabase } = await import('../server/database-use.js');
  const { hasDatabase, watchCreation } = await import('./existing-database.js');
  const { findPort } = await import('../server/port.js');
  const { requireWorldFiles } = await import('../world/world-file.js');
  const file = databaseFile(config.database);
  // A start that cannot load or listen creates nothing.
  await requireWorldFiles(config.load);
  if (file !== undefined && !(await hasDatabase(file))) await findPort(config);
  const tellIfCreated = await watchCreation(io, config.database);
  const serving =
    file === undefined ? undefined : await serveDatabase(file, { pid: io.pid, shares: config.shareDatabase });
  try {
    await (config.workers > 1 ? superviseWorkers : serveAlone)(io, config, {
      created: tellIfCreated,
      ready: (url) => printResult(io, options, { json: { url }, text: `pipit listening on ${url}` }),
    });
  } finally {
    await serving?.end();
  }
}

/** Says what a start did. */
interface Telling {
  created(): void;
  ready(url: string): void;
}

async function serveAlone(io: CommandIo, config: Config, tell: Telling): Promise<void> {
  const stopRequested = io.stopRequested();
  const { createLog } = await import('../server/log.js');
  const { startPipit } = await import('../server/start.js');
  const log = createLog(config.logLevel);
  await using pipit = await startPipit(config, { log });
  keepServing(io, log);
  tell.created();
  await tellFirstStart(io, pipit);
  tell.ready(pipit.url);
  await stopRequested;
  log.info('stopping');
  await pipit.app.drain(STOPPING);
}

/**
 * A server that is up stays up: what escapes everything that catches errors is logged. Each request catches its own
 * (api/last-answer.ts); this is for what belongs to none.
 */
function keepServing(io: CommandIo, log: Pick<ApiLog, 'error'>): void {
  io.onEscapedError((error) => log.error({ err: error }, 'an error escaped'));
}

/** The primary process answers no requests and opens no database: that is what the workers do. */
async function superviseWorkers(io: CommandIo, config: Config, tell: Telling): Promise<void> {
  const stopRequested = io.stopRequested();
  const { createLog } = await import('../server/log.js');
  const { relayCounts } = await import('../server/workers/counts-channel.js');
  const { relayMetrics } = await import('../server/workers/metrics-relay.js');
  const { startSupervisor } = await import('../server/workers/supervisor.js');
  const { startWorkerProcess } = await import('../server/workers/worker-process.js');
  const log = createLog(config.logLevel);
  const { workers } = config;
  relayMetrics();
  const deps = { workers, crew: relayCounts(), log, startWorker: startWorkerProcess };
  const supervisor = await startSupervisor(deps);
  io.onRestartRequested(() => void supervisor.restart());
  tell.created();
  tell.ready(supervisor.url);
  await stopRequested;
  log.info('stopping');
  await supervisor.stop();
}

/** The first worker fills the database and tells of it; that requests are accepted is told by the primary process. */
async function serveAsWorker(io: CommandIo, config: Config, link: WorkerLink): Promise<void> {
  const stopRequested = Promise.race([io.stopRequested(), link.orders.stop]);
  // A terminal that closes tells every process; what follows from it is up to the primary one.
  io.onRestartRequested(() => undefined);
  const { createLog } = await import('../server/log.js');
  const { openCountsChannel } = await import('../server/workers/counts-channel.js');
  const { joinMetrics } = await import('../server/workers/metrics-relay.js');
  const { startPipit } = await import('../server/start.js');
  const { workerSlot, pid } = link;
  const log = createLog(config.logLevel).child({ pid });
  try {
    const joins = workerSlot.port !== undefined;
    await using pipit = await startPipit(
      { ...config, port: workerSlot.port ?? config.port },
      {
        log,
        countsCrew: openCountsChannel(workerSlot),
        joins,
        metricsPeers: joinMetrics(String(workerSlot.slot)),
      },
    );
    keepServing(io, log);
    await tellFirstStart(io, pipit);
    await link.report({ kind: 'ready', url: pipit.url, port: pipit.port });
    const retired = link.orders.retire.then(() => pipit.app.drain(RETIRING));
    await Promise.race([retired, stopRequested]);
    log.info('stopping');
    await pipit.app.drain(STOPPING);
  } catch (error) {
    await link.report({ kind: 'failed', lines: describeFailure(error).lines });
  } finally {
    link.close();
  }
}

async function tellFirstStart(io: CommandIo, { url, firstStart }: RunningPipit): Promise<void> {
  if (!firstStart) return;
  const { curlLine } = await import('../server/first-start.js');
  const { credentials, file } = firstStart;
  io.note('This is the first start: there is an owner, an app and tokens now.');
  io.note(file === undefined ? JSON.stringify(credentials) : `Their secrets are in ${file}.`);
  io.note(`Sign in at ${url}/sign-in as ${credentials.username}, with the password from there.`);
  io.note(`Try: ${curlLine(url, firstStart, io.folder)}`);
}
