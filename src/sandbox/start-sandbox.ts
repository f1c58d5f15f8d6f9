import { randomInt } from 'node:crypto';
import type { Shell } from '../api/run-endpoint.js';
import { systemClock, type Clock } from '../core/clock.js';
import { systemTimers } from '../core/timers.js';
import { loadLanguageDetector } from '../core/post-text/language.js';
import { createBodyRoom } from '../http/body-room.js';
import { createListener } from '../http/listener.js';
import type { Around, SentRequest } from '../http/shell.js';
import { requestIds } from '../http/request-ids.js';
import { createRateLimiter } from '../limits/rate-limit.js';
import { endpoints } from '../api/route-table.js';
import { Journal } from '../journal/journal.js';
import type { RanStatement } from '../journal/entry.js';
import { createCallRecorder } from '../journal/call-recorder.js';
import { createRecorder } from '../journal/recorder.js';
import { MAX_SEED, type Config } from '../server/config.js';
import { findPort, hostInUrl, listenRefused, publicUrlOf } from '../server/port.js';
import { beginWork, type Pipit } from '../server/start.js';
import { buildServer, type Foundation, type SandboxOptions } from './build-server.js';
import { StatementFollower } from '../operations/statement-follower.js';
import { LiveEvents } from '../web/inspector/live-events.js';
import { sandboxEndpoints } from './catalogue.js';
import { createSandboxClock } from './clock.js';
import { createClockControl } from './clock-control.js';
import { openContents } from './contents/open-contents.js';
import type { Opening } from './contents/contents.js';
import { CurrentServer } from './current-server.js';
import { endEarlierWork } from './earlier-work.js';
import { createCostLayer } from './costs/cost-layer.js';
import { Costs } from './costs/costs.js';
import { createFaultLayer } from './faults/fault-layer.js';
import { FaultRules } from './faults/fault-rules.js';
import { namedSender, type NamedSender } from './faults/named-sender.js';
import { Pauses } from './faults/pauses.js';
import { createFront } from './front.js';
import { createGuard } from './guard.js';
import { prepareBase } from './prepare-base.js';
import { inspectorRoutes } from './inspector-routes.js';
import type { Sandbox } from './sandbox.js';
import { States } from './states.js';

export type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>;

/**
 * Starts a server under the control of tests (docs/sandbox.md): loads the configured world files into its database and
 * listens. Throws the errors of `startPipit`.
 */
export async function startSandbox(
  given: Config,
  { clock: realClock = systemClock, language, ...options }: SandboxOptions,
) {
  const port = await findPort(given);
  const config = { ...given, port };
  const contents = await openContents(config, options.dataFolder);
  try {
    const follower = new StatementFollower();
    const foundation: Foundation = {
      ...options,
      followEngine: follower.follow,
      config,
      contents,
      realClock,
      clock: createSandboxClock(realClock),
      language: language ?? (await loadLanguageDetector()),
    };
    const { base, firstStart } = await prepareBase(foundation);
    const sandbox = await openSandbox(foundation, base);
    const app = openListener(sandbox, foundation, follower);
    const close = async (): Promise<void> => {
      await Promise.all([sandbox.server.close(), app.close()]);
      await contents.close();
    };
    const address = { host: config.host, port };
    await app.listen(address).catch(async (error: unknown) => {
      await close();
      throw listenRefused(address, error);
    });
    const url = `http://${hostInUrl(config.host)}:${port}`;
    return { sandbox, app, url, port, firstStart, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await contents.close();
    throw error;
  }
}

type Base = Awaited<ReturnType<typeof prepareBase>>['base'];

async function openSandbox(foundation: Foundation, base: Base): Promise<Sandbox> {
  const { config, clock, contents, log } = foundation;
  clock.restore(base.clock);
  const seed = config.sandboxSeed;
  const faults = new FaultRules(seed ?? randomInt(MAX_SEED));
  const costs = new Costs();
  const journal = new Journal();
  const recordCall = createCallRecorder({ journal, clock: clock.now, endpoints });
  const pauses = new Pauses(systemTimers);
  const sender: FindSender = (request) => namedSender(server.pipit.backend.engine, clock.now, request);
  const around = layersOf({ faults, costs }, pauses, clock.now, sender);
  const build = (opening: Opening, ofSeed: number | undefined): Promise<Pipit> =>
    startServer({ ...foundation, around, recordCall }, opening, ofSeed);
  const server = await CurrentServer.start({ build, log, pauses }, await base.copy.restore(), seed);
  const states = new States({ server, contents, clock, base });
  states.resets.listen(() => {
    journal.clear();
    costs.restart();
    faults.restart(states.seed ?? randomInt(MAX_SEED));
  });
  const clockControl = createClockControl({ clock, server });
  return { publicUrl: publicUrlOf(config), clock, server, states, clockControl, journal, faults, costs };
}

type FindSender = (request: SentRequest) => Promise<NamedSender>;

/** Returns what stands between checks and handlers. What a fault replaces is free. */
function layersOf(
  { faults, costs }: Pick<Sandbox, 'faults' | 'costs'>,
  pauses: Pauses,
  clock: Clock,
  sender: FindSender,
): Around {
  const disturb = createFaultLayer({
    rules: faults,
    namedSender: sender,
    clock,
    timers: systemTimers,
    pauses,
  });
  const charge = createCostLayer(costs, clock);
  return (call, handler) => disturb(call, () => charge(call, handler));
}

async function startServer(
  foundation: Foundation,
  opening: Opening,
  seed: number | undefined,
): Promise<Pipit> {
  const pipit = await buildServer(foundation, opening, seed);
  try {
    await endEarlierWork(pipit.backend);
    // In a fixed order, work is done between requests.
    await beginWork(pipit, { byItself: seed === undefined });
    return pipit;
  } catch (error) {
    await pipit.close();
    throw error;
  }
}

function openListener(sandbox: Sandbox, { config, clock, log }: Foundation, follower: StatementFollower) {
  const { server, publicUrl, journal } = sandbox;
  const live = new LiveEvents();
  const record = createRecorder({ journal, clock: clock.now, endpoints });
  const shell: Shell = {
    log,
    clock: clock.now,
    newRequestId: requestIds(),
    bodyRoom: createBodyRoom(),
    limiter: createRateLimiter({ clock: clock.now, mode: 'off' }),
    // Operations act on the sandbox; the endpoint machinery needs the parts of a server.
    get context() {
      return server.pipit.app.shell.context;
    },
    get authenticator() {
      return server.pipit.app.shell.authenticator;
    },
  };
  const handle = createFront({
    shell,
    endpoints: sandboxEndpoints(sandbox),
    plainRoutes: inspectorRoutes(sandbox, live),
    guard: createGuard({ publicUrl, key: config.sandboxKey }),
    layers: [
      (request, response, next) => {
        const statements: RanStatement[] = [];
        record(request, response, statements);
        return follower.run(statements, next);
      },
      (request, response) => server.receive(request, response),
    ],
  });
  return createListener(shell, handle, {
    endStreams: () => {
      server.endWaits();
      live.end();
      journal.endWaits();
    },
  });
}
