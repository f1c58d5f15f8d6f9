import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClock, type Clock, type ClockReading } from './clock.js';
import { connect, type Connection } from './connection.js';
import { createCosts, type Costs } from './costs.js';
import { createFaults, type Faults } from './faults.js';
import { createJournal, type Journal } from './journal.js';
import { createLimits, type Limits } from './limits.js';
import { runLed, type RunOptions, type RunOutcome } from './led-run.js';
import { runServer, type ServerProcess } from './server-process.js';
import { createTokens } from './tokens.js';
import { createUsage, type Usage } from './usage.js';
import { createUser, createUsers, type User, type Users } from './users.js';
import { SMALL_WORLD, type UsernameOf, type World } from './world.js';

export interface StartOptions<W = World | string> {
  /**
   * A world document, the path of a world file, or `demo`. By default an app and the users `alice` and `bob`; for a server
   * at a `url`, the world that it has.
   */
  readonly world?: W;
  /** Freezes the clock and makes ids, times and drawn faults the same at each run. */
  readonly seed?: number;
  /** `off` by default, so that tests do not wait for windows. */
  readonly rateLimits?: 'standard' | 'off';
  /** The URL of a running sandbox to use instead of a new server; by default `PIPIT_URL`. */
  readonly url?: string;
  /** The key of that sandbox; by default `PIPIT_SANDBOX_KEY`. */
  readonly sandboxKey?: string;
  /** Further arguments of `pipit serve`. */
  readonly args?: readonly string[];
  /** How long the start may take; 20,000 by default. */
  readonly startTimeoutMs?: number;
}

/** A kept state of the server. */
export interface Snapshot {
  readonly name: string;
  /** Returns to this state. */
  restore(): Promise<void>;
  delete(): Promise<void>;
}

/** What a server says about itself. */
export interface State {
  readonly clock: ClockReading;
  readonly seed: number | null;
  readonly snapshots: readonly string[];
  readonly base_url: string;
  readonly version: string;
}

/** A server for tests. */
export interface Pipit<Name extends string = string> extends AsyncDisposable {
  /** The base URL, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** Variables for programs under test: `PIPIT_URL`. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs an unmodified program whose requests to X's hosts arrive at this server (docs/lead.md). */
  run(command: readonly [string, ...string[]], options?: RunOptions): Promise<RunOutcome>;
  /** The users by username: `pipit.users.alice`. */
  readonly users: Users<Name>;
  user(username: Name): User;
  /** Issues a bearer token of an app, named by id or name; by default of the first one. */
  appToken(app?: string): Promise<string>;
  /** Returns the clock, the seed and the snapshots. */
  state(): Promise<State>;
  /** Returns to the loaded world: clears the journal, faults and limits. A seed freezes the clock, at `time` if given. */
  reset(options?: { readonly seed?: number; readonly time?: string }): Promise<void>;
  /** Keeps the present state under a name; by default one that is not in use. */
  snapshot(name?: string): Promise<Snapshot>;
  /** Returns the names of the snapshots, oldest first. */
  snapshots(): Promise<readonly string[]>;
  /** Returns to the state of a snapshot. */
  restore(name: string): Promise<void>;
  /** Adds a world document to the present state, until the next reset. */
  load(world: World): Promise<void>;
  /** Makes a world document the state, to which resets return from then on. */
  replaceWorld(world: World): Promise<void>;
  /** Returns the present state as a world document. */
  exportWorld(): Promise<World>;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly limits: Limits;
  readonly usage: Usage;
  readonly costs: Costs;
  /** Ends the server, unless it was running before. Idempotent. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 20_000;

/**
 * Starts a server with a sandbox, in memory and on a free port; it ends with this process. Throws PipitNotStarted. With
 * a URL it uses the sandbox there.
 */
export async function startPipit<const W extends World | string = typeof SMALL_WORLD>(
  options: StartOptions<W> = {},
): Promise<Pipit<W extends World ? UsernameOf<W> : string>> {
  const { url = process.env['PIPIT_URL'], sandboxKey = process.env['PIPIT_SANDBOX_KEY'] } = options;
  if (url !== undefined) return attach(connect(url, sandboxKey), options, () => Promise.resolve());
  const server = await startServer(options);
  return createPipit(connect(server.url), server.stop);
}

async function attach<W extends World | string, Name extends string>(
  connection: Connection,
  { world, seed }: StartOptions<W>,
  stop: () => Promise<void>,
): Promise<Pipit<Name>> {
  if (typeof world === 'string')
    throw new TypeError('a running server gets no world file: give the document of the world');
  const pipit = createPipit<Name>(connection, stop);
  if (world !== undefined) await pipit.replaceWorld(world);
  await pipit.reset({ seed });
  return pipit;
}

async function startServer({
  world = SMALL_WORLD,
  seed,
  rateLimits = 'off',
  args = [],
  startTimeoutMs = START_TIMEOUT_MS,
}: StartOptions): Promise<ServerProcess> {
  const folder = typeof world === 'string' ? undefined : await mkdtemp(join(tmpdir(), 'pipit-world-'));
  try {
    const file = folder === undefined ? String(world) : join(folder, 'world.json');
    if (folder !== undefined) await writeFile(file, JSON.stringify(world));
    const seeded = seed === undefined ? [] : ['--sandbox-seed', String(seed)];
    const fixed = ['--sandbox', '--log-level', 'error', '--request-log', 'off', '--rate-limits', rateLimits];
    return await runServer([...fixed, '--load', file, ...seeded, ...args], startTimeoutMs);
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

function createPipit<Name extends string>(connection: Connection, stop: () => Promise<void>): Pipit<Name> {
  const { url, control } = connection;
  const tokens = createTokens(connection);
  const users = new Map<string, User>();
  const userNamed = (username: string): User => {
    const user = users.get(username) ?? createUser(username, connection, tokens);
    users.set(username, user);
    return user;
  };
  /** Changes the state of the server, after which it no longer knows the tokens issued before. */
  const change = async (method: string, path: string, body?: object): Promise<void> => {
    tokens.forget();
    await control(method, path, body && { body });
  };
  const restore = (name: string) => change('POST', `/snapshots/${encodeURIComponent(name)}/restore`);
  let stopping: Promise<void> | undefined;
  const stopOnce = (): Promise<void> => (stopping ??= stop());
  let snapshots = 0;
  return {
    url,
    env: { PIPIT_URL: url },
    run: (command, options) => runLed(url, command, options),
    users: createUsers<Name>(userNamed),
    user: userNamed,
    appToken: tokens.ofApp,
    reset: (options = {}) => change('POST', '/reset', options),
    snapshot: async (name = `test-${process.pid}-${(snapshots += 1)}`) => {
      await control('POST', '/snapshots', { body: { name } });
      return {
        name,
        restore: () => restore(name),
        delete: async () => void (await control('DELETE', `/snapshots/${encodeURIComponent(name)}`)),
      };
    },
    state: () => control<State>('GET', ''),
    snapshots: async () =>
      (await control<readonly { readonly name: string }[]>('GET', '/snapshots')).map(({ name }) => name),
    restore,
    load: (world) => change('POST', '/world', world),
    replaceWorld: (world) => change('PUT', '/world', world),
    exportWorld: () => connection.ask<World>('GET', '/world'),
    clock: createClock(connection),
    faults: createFaults(connection),
    journal: createJournal(connection),
    limits: createLimits(connection),
    usage: createUsage(connection),
    costs: createCosts(connection),
    stop: stopOnce,
    [Symbol.asyncDispose]: stopOnce,
  };
}
