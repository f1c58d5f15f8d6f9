import { finished } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import type { DrainTimeouts } from '../http/drain.js';
import type { ApiLog } from '../http/fault-log.js';
import { readConfig, SETTING_NAMES, type Config, type ServeFlags } from '../server/config.js';
import type { WorkerLink } from '../server/workers/worker-link.js';
import type { RunningSandbox } from '../sandbox/start-sandbox.js';
import type { RunningPipit, StartOptions } from '../server/start.js';
import { printResult, withCommonOptions, type CommandIo, type CommonOptions } from './command.js';
import { describeFailure } from './failures.js';
import { withSettings } from './setting-options.js';

/** For a stop, which some service managers limit to ten seconds. */
const STOPPING: DrainTimeouts = { lingerMs: 1_000, limitMs: 10_000 };

/** For a replaced worker, which may finish requests of any length. */
const RETIRING: DrainTimeouts = { lingerMs: 5_000, limitMs: 120_000 };

/**
 * How much the heap of a server grows before V8 collects its garbage. By default V8 lets it grow fourfold where the
 * machine has memory, so the garbage of the caches would take several times as much memory as the caches. A sandbox keeps
 * the default: its heap is small, and tests that often replace its contents would take a tenth longer.
 */
const HEAP_GROWTH_PERCENT = 50;

interface ServeOptions extends ServeFlags, CommonOptions {
  /** Ends the server with its standard input too, of which the program that started it holds the other end. */
  readonly endWithInput?: true;
}

type RunningServer = RunningPipit | RunningSandbox;

/** All commands have the options of the database and its key. */
const SERVE_SETTINGS = SETTING_NAMES.filter((name) => name !== 'database' && name !== 'keyFile');

/** Adds `pipit serve`. */
export function addServeCommand(program: Command, io: CommandIo): void {
  const command = withCommonOptions(program.command('serve')).description(
    'run the server; each option can also be set by an environment variable',
  );
  // For `pipit/testing` and its like: a process that is killed cannot end what it started.
  command.addOption(new Option('--end-with-input').hideHelp());
  withSettings(command, SERVE_SETTINGS).action((options: ServeOptions) =>
    (options.endWithInput ? serveUntilInputEnds : serve)(io, options),
  );
}

/** Runs until a stop request or the end of the standard input. */
async function serveUntilInputEnds(io: CommandIo, options: ServeOptions): Promise<void> {
  const inputEnded = async (): Promise<void> => {
    io.stdin.resume();
    await finished(io.stdin).catch(() => undefined);
  };
  const stopRequested = () => Promise.race([io.stopRequested(), inputEnded()]);
  try {
    await serve({ ...io, stopRequested }, options);
  } finally {
    // An input that is still open would keep the process from ending.
    io.stdin.pause();
  }
}

/** Runs until a stop request, then waits for running requests. */
async function serve(io: CommandIo, options: ServeOptions): Promise<void> {
  const config = readConfig(options, io.env);
  const { openWorkerLink } = await import('../server/workers/worker-link.js');
  const link = openWorkerLink(io.env);
  if (link) return serveAsWorker(io, config, link);
  const { databaseFile } = await import('../server/backend.js');
  const { serveDatabase } = await import('../server/database-use.js');
  const { hasDatabase, watchCreation } = await import('./on-database.js');
  const { findPort } = await import('../server/port.js');
  const { requireWorldFiles } = await import('../world/world-file.js');
  const file = databaseFile(config.database);
  // A start that cannot load or listen must not create a database.
  await requireWorldFiles(config.load);
  if (file !== undefined && !(await hasDatabase(file))) await findPort(config);
  const noteCreation = await watchCreation(io, config.database);
  const serving =
    file === undefined ? undefined : await serveDatabase(file, { pid: io.pid, shares: config.shareDatabase });
  try {
    await (config.workers > 1 ? superviseWorkers : serveAlone)(io, config, {
      created: noteCreation,
      ready: (url) => printResult(io, options, { json: { url }, text: `pipit listening on ${url}` }),
    });
  } finally {
    await serving?.end();
  }
}

/** Prints what a start did. */
interface StartNotices {
  created(): void;
  ready(url: string): void;
}

async function serveAlone(io: CommandIo, config: Config, notices: StartNotices): Promise<void> {
  const stopRequested = io.stopRequested();
  const { createLog } = await import('../server/log.js');
  const log = createLog(config.logLevel);
  await using pipit = await startServer(config, log);
  keepServing(io, log);
  if (!config.sandbox) io.limitHeapGrowth(HEAP_GROWTH_PERCENT);
  notices.created();
  await printFirstStart(io, config, pipit);
  notices.ready(pipit.url);
  await stopRequested;
  log.info('stopping');
  await leaveBalancer(pipit, config);
  await pipit.app.drain(STOPPING);
}

/** Answers requests for a while after `/readyz` says that the server stops. A second stop request ends the process. */
async function leaveBalancer(server: RunningServer, { drainDelay }: Config): Promise<void> {
  if (drainDelay === 0 || !('operations' in server)) return;
  server.operations.leave();
  await pause(drainDelay * 1_000);
}

async function startServer(config: Config, log: StartOptions['log']): Promise<RunningServer> {
  if (config.sandbox) {
    const { startSandbox } = await import('../sandbox/start-sandbox.js');
    return startSandbox(config, { log });
  }
  const { startPipit } = await import('../server/start.js');
  return startPipit(config, { log });
}

/** Logs uncaught errors of anything but requests (http/request-listeners.ts) instead of exiting. */
function keepServing(io: CommandIo, log: Pick<ApiLog, 'error'>): void {
  io.onUncaughtError((error) => log.error({ err: error }, 'uncaught error'));
}

/** Runs the primary process, which serves no requests and opens no database; workers do. */
async function superviseWorkers(io: CommandIo, config: Config, notices: StartNotices): Promise<void> {
  const stopRequested = io.stopRequested();
  const { createLog } = await import('../server/log.js');
  const { relayCounts } = await import('../server/workers/counts-channel.js');
  const { relayMetrics } = await import('../server/workers/metrics-relay.js');
  const { relayRecordings } = await import('../server/workers/recordings-relay.js');
  const { startSupervisor } = await import('../server/workers/supervisor.js');
  const { startWorkerProcess } = await import('../server/workers/worker-process.js');
  const log = createLog(config.logLevel);
  const { workers } = config;
  relayMetrics();
  relayRecordings();
  const deps = { workers, group: relayCounts(), log, startWorker: startWorkerProcess };
  const supervisor = await startSupervisor(deps);
  io.onRestartRequested(() => void supervisor.restart());
  notices.created();
  notices.ready(supervisor.url);
  await stopRequested;
  log.info('stopping');
  await supervisor.stop();
}

/** Runs a worker. The first one fills the database and prints that; the primary process prints the URL. */
async function serveAsWorker(io: CommandIo, config: Config, link: WorkerLink): Promise<void> {
  const stopRequested = Promise.race([io.stopRequested(), link.orders.stop]);
  // A closing terminal signals every process; the primary process decides what to do.
  io.onRestartRequested(() => undefined);
  const { createLog } = await import('../server/log.js');
  const { openCountsChannel } = await import('../server/workers/counts-channel.js');
  const { joinMetrics } = await import('../server/workers/metrics-relay.js');
  const { joinRecordings } = await import('../server/workers/recordings-relay.js');
  const { startPipit } = await import('../server/start.js');
  const { workerSlot, pid } = link;
  const log = createLog(config.logLevel).child({ pid });
  try {
    const joins = workerSlot.port !== undefined;
    await using pipit = await startPipit(
      { ...config, port: workerSlot.port ?? config.port },
      {
        log,
        countsGroup: openCountsChannel(workerSlot),
        joins,
        metricsPeers: joinMetrics(String(workerSlot.slot)),
        recordingPeers: joinRecordings(workerSlot.slot),
      },
    );
    keepServing(io, log);
    io.limitHeapGrowth(HEAP_GROWTH_PERCENT);
    await printFirstStart(io, config, pipit);
    await link.report({ kind: 'ready', url: pipit.url, port: pipit.port });
    const retired = link.orders.retire.then(() => pipit.app.drain(RETIRING));
    const stopping = stopRequested.then(() => leaveBalancer(pipit, config));
    await Promise.race([retired, stopping]);
    log.info('stopping');
    await pipit.app.drain(STOPPING);
  } catch (error) {
    await link.report({ kind: 'failed', lines: describeFailure(error).lines });
  } finally {
    link.close();
  }
}

async function printFirstStart(
  io: CommandIo,
  config: Config,
  { port, firstStart }: RunningServer,
): Promise<void> {
  if (!firstStart) return;
  const { curlLine } = await import('../server/first-start.js');
  const { publicUrlOf } = await import('../server/port.js');
  const url = publicUrlOf({ ...config, port });
  const { credentials, file } = firstStart;
  io.note('First start: created an owner, an app and tokens.');
  io.note(file === undefined ? JSON.stringify(credentials) : `Their secrets are in ${file}.`);
  io.note(`Sign in at ${url}/sign-in as ${credentials.username} with the generated password.`);
  io.note('Your home page then shows what to do first: name the server, invite people, write a post.');
  io.note(`Try: ${curlLine(url, firstStart, io.folder)}`);
}
