/**
 * The load of the social mix, in its own process. Its parent first sends the people, then rounds; it reports each
 * round.
 */
import { Connection } from './connection.js';
import { KIND_NAMES, KINDS, type Kind, type Shares } from './mix-kinds.js';
import { MixRequests, MixState, type MixSubjects } from './mix-requests.js';
import { pollSockets } from './poll-sockets.js';

/** A round against one server or several in short turns, so that changing load of the machine affects all alike. */
export interface MixRound {
  readonly targets: readonly LoadTarget[];
  readonly connections: number;
  /** The seconds per target. */
  readonly seconds: number;
  /** See `Round.polls`. */
  readonly polls: boolean;
  readonly shares: Shares;
  readonly seed: number;
}

export interface LoadTarget {
  readonly port: number;
}

export interface KindReport {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of a response, with its head. */
  readonly meanBytes: number;
  /** A whole response. */
  readonly sample: string;
}

export interface MixFailure {
  readonly kind: Kind;
  readonly status: number;
  readonly count: number;
  /** The first such response. */
  readonly sample: string;
}

export interface MixReport {
  readonly requests: number;
  readonly perSecond: number;
  readonly generatorBusy: number;
  readonly kinds: Readonly<Partial<Record<Kind, KindReport>>>;
  readonly failures: readonly MixFailure[];
}

/** Collects the responses of a round. */
class Results {
  readonly #times = new Map<Kind, number[]>();
  readonly #bytes = new Map<Kind, number>();
  readonly #samples = new Map<Kind, string>();
  readonly #failures = new Map<string, { kind: Kind; status: number; count: number; sample: string }>();

  add(kind: Kind, milliseconds: number, answer: Buffer): void {
    const times = this.#times.get(kind);
    if (times) times.push(milliseconds);
    else {
      this.#times.set(kind, [milliseconds]);
      this.#samples.set(kind, answer.toString());
    }
    this.#bytes.set(kind, (this.#bytes.get(kind) ?? 0) + answer.length);
  }

  fail(kind: Kind, status: number, answer: Buffer): void {
    const key = `${kind} ${status}`;
    const known = this.#failures.get(key);
    if (known) known.count += 1;
    else this.#failures.set(key, { kind, status, count: 1, sample: answer.toString() });
  }

  report(seconds: number, generatorBusy: number): MixReport {
    const requests = [...this.#times.values()].reduce((sum, times) => sum + times.length, 0);
    const kinds = KIND_NAMES.flatMap((kind) => {
      const times = this.#times.get(kind);
      return times ? [[kind, this.#reportKind(kind, times)] as const] : [];
    });
    return {
      requests,
      perSecond: requests / seconds,
      generatorBusy,
      kinds: Object.fromEntries(kinds),
      failures: [...this.#failures.values()],
    };
  }

  #reportKind(kind: Kind, times: number[]): KindReport {
    times.sort((one, other) => one - other);
    const at = (share: number): number =>
      times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;
    return {
      requests: times.length,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      meanBytes: (this.#bytes.get(kind) ?? 0) / times.length,
      sample: this.#samples.get(kind) ?? '',
    };
  }
}

/** What the requests to each target have created, by port. */
type States = Map<number, MixState>;

/** The status of a request that a block forbids. */
const REFUSED = 403;

/** The length of a turn. */
const TURN_MS = 250;

/** Runs turns against all targets; returns their reports in the same order. */
async function runRound(round: MixRound, subjects: MixSubjects, states: States): Promise<MixReport[]> {
  const runs = await Promise.all(
    round.targets.map(({ port }) => {
      const state = states.get(port) ?? new MixState();
      states.set(port, state);
      return TargetRun.open(port, round, subjects, state);
    }),
  );
  const stopPolling = round.polls ? pollSockets() : () => undefined;
  const turns = Math.max(1, Math.round((round.seconds * 1000) / TURN_MS));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const run of inOrder(runs, turn)) await run.turn((round.seconds * 1000) / turns);
  }
  stopPolling();
  return runs.map((run) => run.end());
}

/**
 * Returns the order of a turn. The yardstick is first; two builds swap places behind it. So each follows the yardstick
 * as often as the other build, whose background work would delay it.
 */
function inOrder(runs: readonly TargetRun[], turn: number): readonly TargetRun[] {
  if (turn % 2 === 0) return runs;
  return runs.length < 3 ? runs.toReversed() : [...runs.slice(0, 1), ...runs.slice(1).toReversed()];
}

/** The connections and results of one target during a round. */
class TargetRun {
  readonly #results = new Results();
  #seconds = 0;
  #cpuMicros = 0;

  private constructor(
    private readonly connections: readonly Connection[],
    private readonly requests: MixRequests,
  ) {}

  static async open(
    port: number,
    { connections, shares, seed }: MixRound,
    subjects: MixSubjects,
    state: MixState,
  ): Promise<TargetRun> {
    const opened = Array.from({ length: connections }, () => Connection.open(port));
    return new TargetRun(await Promise.all(opened), new MixRequests(subjects, state, shares, seed));
  }

  /** Sends requests for the time and waits for the last responses. */
  async turn(milliseconds: number): Promise<void> {
    const cpu = process.cpuUsage();
    const startMs = performance.now();
    const endMs = startMs + milliseconds;
    await Promise.all(this.connections.map((connection) => this.#drive(connection, endMs)));
    this.#seconds += (performance.now() - startMs) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    this.#cpuMicros += user + system;
  }

  /** Closes the connections and returns the report. */
  end(): MixReport {
    for (const connection of this.connections) connection.close();
    return this.#results.report(this.#seconds, this.#cpuMicros / 1e6 / this.#seconds);
  }

  #drive(connection: Connection, endMs: number): Promise<void> {
    return new Promise((resolve) => {
      const next = (): void => {
        const sentMs = performance.now();
        if (sentMs >= endMs) return resolve();
        const { kind, text, mayBeRefused, onAnswer } = this.requests.next();
        connection.send(text, (status, answer) => {
          if (status === KINDS[kind].status) {
            this.#results.add(kind, performance.now() - sentMs, answer);
            onAnswer?.(answer);
          } else if (!(mayBeRefused && status === REFUSED)) this.#results.fail(kind, status, answer);
          next();
        });
      };
      next();
    });
  }
}

let subjects: MixSubjects = { people: [], posts: 0, editors: [] };
let states: States = new Map();

process.on('message', (message: MixSubjects | MixRound) => {
  if ('people' in message) {
    subjects = message;
    states = new Map();
    process.send?.('ready');
    return;
  }
  void runRound(message, subjects, states).then((reports) => process.send?.(reports));
});
process.on('disconnect', () => process.exit(0));
