import { seededRandom } from '../faults/support/random.js';
import { type FuzzRequest, makeRequest } from './requests.js';
import { type Outcome, sendBytes } from './send-bytes.js';
import { type FuzzServer, startFuzzServer } from './server.js';
import type { Pause } from './watch-pauses.js';

export interface FuzzOptions {
  readonly seed: number;
  /** Stops after this many requests or this much time, whichever comes first. */
  readonly requests: number;
  readonly milliseconds: number;
  /** Sends this request only. */
  readonly only?: number;
  /** Arguments of node that run Pipit. */
  readonly program: readonly string[];
  readonly report: (line: string) => void;
}

export interface FuzzResult {
  readonly sent: number;
  /** The number of responses by status. */
  readonly statuses: ReadonlyMap<Outcome['status'], number>;
  /** Errors, with the number of the request. */
  readonly findings: readonly string[];
}

/** The longest acceptable pause of the event loop. */
const MAX_PAUSE_MS = 200;

/** The number of requests per database, to keep its contents small. */
const ROUND = 5_000;

/** The first requests load what is loaded lazily. */
const WARM_UP = 150;

/** Sends malformed requests to a server one after the other; each is determined by the seed and its number. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const statuses = new Map<Outcome['status'], number>();
  const findings: string[] = [];
  const untilMs = performance.now() + options.milliseconds;
  const first = options.only ?? 0;
  const end = options.only === undefined ? options.requests : first + 1;
  let sent = 0;
  while (first + sent < end && performance.now() < untilMs) {
    await using server = await startFuzzServer(options.program);
    if (options.only === undefined) await warmUp(server, options.seed);
    server.takePauses();
    for (let count = 0; count < ROUND && first + sent < end && performance.now() < untilMs; count += 1) {
      const number = first + sent;
      const request = requestOf(server, options.seed, number);
      const outcome = await sendBytes(server.port, request);
      statuses.set(outcome.status, (statuses.get(outcome.status) ?? 0) + 1);
      sent += 1;
      const faults = [...faultsOf(server, outcome), ...(await pausesOf(server, options.seed, number))];
      for (const fault of faults)
        addFinding(`${fault} --seed ${options.seed} --only ${number}: ${shown(request)}`);
      if (faults.length > 0) options.report(server.log().slice(-2_000));
      if (server.exit() !== undefined) break;
    }
  }
  return { sent, statuses, findings };

  function addFinding(finding: string): void {
    findings.push(finding);
    options.report(finding);
  }
}

function requestOf({ surface }: FuzzServer, seed: number, number: number): FuzzRequest {
  const random = seededRandom(seed * 1_000_003 + number);
  return makeRequest(random, surface, `${seed}-${number}-${process.hrtime.bigint()}`);
}

async function warmUp(server: FuzzServer, seed: number): Promise<void> {
  for (let number = 0; number < WARM_UP; number += 1) {
    await sendBytes(server.port, requestOf(server, seed + 7, number));
  }
}

function faultsOf(server: FuzzServer, { status, elapsedMs }: Outcome): string[] {
  const exit = server.exit();
  return [
    ...(exit === undefined ? [] : [`the server ended (${exit})`]),
    ...(typeof status === 'number' && status >= 500 ? [`status ${status}`] : []),
    ...(status === 'no answer' || status === 'cut off'
      ? [`${status} after ${Math.round(elapsedMs)} ms`]
      : []),
  ];
}

/**
 * Returns the pauses that the request causes when repeated. A busy machine and the garbage collector cause others.
 */
async function pausesOf(server: FuzzServer, seed: number, number: number): Promise<string[]> {
  if (longPauses(server).length === 0) return [];
  for (let count = 0; count < 2; count += 1) {
    await sendBytes(server.port, requestOf(server, seed, number));
    const [again] = longPauses(server);
    if (!again) return [];
    if (count === 1) return [`a pause of ${again.ms} ms (${again.cpuMs} ms computing)`];
  }
  return [];
}

function longPauses(server: FuzzServer): Pause[] {
  return server.takePauses().filter(({ ms, cpuMs }) => ms > MAX_PAUSE_MS && cpuMs > MAX_PAUSE_MS);
}

function shown({ method, target, headers, body }: FuzzRequest): string {
  const cut = (text: string): string =>
    text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text;
  const lines = headers.map(([name, value]) => `${name}: ${cut(value)}`).join('; ');
  return JSON.stringify({ method, target: cut(target), lines, body: cut(body.toString('latin1')) });
}
