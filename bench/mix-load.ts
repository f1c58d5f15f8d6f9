/**
 * The load of the social mix, in its own process. Its parent first sends the people, then rounds; it reports each
 * round.
 */
import { Connection } from './connection.js';
import { KIND_NAMES, KINDS, type Kind, type Shares } from './mix-kinds.js';
import { MixRequests, MixState, type MixSubjects } from './mix-requests.js';
import { pollSockets } from './poll-sockets.js';

export interface MixRound {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** See `Round.polls`. */
  readonly polls: boolean;
  readonly shares: Shares;
  readonly seed: number;
  /** The yardstick changes nothing: what its responses seem to create is not removed later. */
  readonly isYardstick: boolean;
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

async function runRound(round: MixRound, subjects: MixSubjects, state: MixState): Promise<MixReport> {
  const requests = new MixRequests(subjects, state, round.shares, round.seed);
  const connections = await Promise.all(
    Array.from({ length: round.connections }, () => Connection.open(round.port)),
  );
  const stopPolling = round.polls ? pollSockets() : () => undefined;
  const results = new Results();
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const endMs = startMs + round.seconds * 1000;
  await Promise.all(connections.map((connection) => drive(connection, requests, results, endMs)));
  stopPolling();
  const seconds = (performance.now() - startMs) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  for (const connection of connections) connection.close();
  return results.report(seconds, (user + system) / 1e6 / seconds);
}

/** Sends one request after another until the end of the round. */
function drive(
  connection: Connection,
  requests: MixRequests,
  results: Results,
  endMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const turn = (): void => {
      const sentMs = performance.now();
      if (sentMs >= endMs) return resolve();
      const { kind, text, onAnswer } = requests.next();
      connection.send(text, (status, answer) => {
        if (status === KINDS[kind].status) {
          results.add(kind, performance.now() - sentMs, answer);
          onAnswer?.(answer);
        } else results.fail(kind, status, answer);
        turn();
      });
    };
    turn();
  });
}

let subjects: MixSubjects = { people: [], posts: 0 };
let state = new MixState();

process.on('message', (message: MixSubjects | MixRound) => {
  if ('people' in message) {
    subjects = message;
    state = new MixState();
    process.send?.('ready');
    return;
  }
  const changed = message.isYardstick ? new MixState() : state;
  void runRound(message, subjects, changed).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit(0));
