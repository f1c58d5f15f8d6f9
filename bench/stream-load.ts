/**
 * Readers of streams and writers of posts in one process, so that one clock measures from the acknowledgement of a post
 * to its arrival. Does what its parent sends, one task after another, and reports each.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../test/support/random-search.js';
import { Connection } from './connection.js';
import { textSource } from './mix-text.js';
import { bodyRequest } from './requests.js';
import { StreamConnection, type StreamTarget } from './stream-connection.js';
import { zipf } from './zipf.js';

/** Opens streams beside those that are open. */
export interface OpenTask extends StreamTarget {
  readonly open: number;
  /** The streams are not read. */
  readonly isPaused?: boolean;
}

/** Writes posts and waits until all streams have received them. */
export interface PostTask {
  readonly port: number;
  readonly authors: readonly { readonly username: string; readonly token: string }[];
  readonly posts: number;
  /** The word that each post contains. */
  readonly word: string;
  /** Posts per second; absent: as fast as the streams receive them. */
  readonly rate?: number;
  /** The open streams receive the posts. */
  readonly isStreamed: boolean;
}

export interface PostReport {
  readonly posts: number;
  readonly seconds: number;
  readonly ackP50Ms: number;
  /** From the acknowledgement of a post to its arrival, of all arrivals; 0 for those that came first. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** From sending the request to arrival. */
  readonly sentP99Ms: number;
  readonly arrivals: number;
  /** Arrivals that did not come, and those of unknown posts or in another order than elsewhere. */
  readonly missing: number;
  readonly misplaced: number;
}

/** The last lines of the streams that were not read: null for one that is still open. */
export type DrainReport = readonly (string | null)[];

/** Reads what is left of the streams that were not read. */
interface DrainTask {
  readonly drain: true;
}

/** Closes all streams. */
interface CloseTask {
  readonly close: true;
}

export type LoadTask = OpenTask | PostTask | DrainTask | CloseTask;

const WRITERS = 16;
/** Posts that are sent before the first of them has arrived everywhere, without a rate. */
const WINDOW = 32;
const WAIT_MS = 20_000;

const readers: StreamConnection[] = [];
const paused: StreamConnection[] = [];
/** The number of the arrivals of each reader, and the order in which the first reader received the posts. */
let counts: number[] = [];
let order: string[] = [];
let arrived = new Map<string, number[]>();
let misplaced = 0;

function receive(reader: number, id: string): void {
  const nowMs = performance.now();
  const at = counts[reader] ?? 0;
  counts[reader] = at + 1;
  const expected = (order[at] ??= id);
  if (expected !== id) misplaced += 1;
  const times = arrived.get(id);
  if (times) times.push(nowMs);
  else arrived.set(id, [nowMs]);
}

async function open({ open: count, isPaused = false, ...target }: OpenTask): Promise<string> {
  for (let n = 0; n < count; n += 1) {
    const reader = readers.length;
    const stream = await StreamConnection.open(
      target,
      isPaused ? () => undefined : (id) => receive(reader, id),
    );
    (isPaused ? paused : readers).push(stream);
    if (isPaused) stream.pause();
  }
  return 'opened';
}

/** Returns the bytes of the next post. */
function postSource({ authors, word, port }: PostTask): () => string {
  const random = seeded(Date.now() % 1e6);
  const text = textSource(
    authors.map(({ username }) => username),
    random,
  );
  const rank = zipf(authors.length, random);
  let number = 0;
  return () => {
    number += 1;
    const body = { text: `${word} ${number} ${text()}`.slice(0, 200) };
    const authorization = `Bearer ${authors[rank()]?.token}`;
    return bodyRequest('POST', '/2/tweets', { host: `127.0.0.1:${port}`, authorization, body });
  };
}

/** When a post was sent and acknowledged. */
interface Acknowledged {
  readonly sentMs: number;
  readonly nowMs: number;
}

async function post(task: PostTask): Promise<PostReport> {
  counts = readers.map(() => 0);
  [order, arrived, misplaced] = [[], new Map(), 0];
  const acknowledged = new Map<string, Acknowledged>();
  const ackTimes: number[] = [];
  const next = postSource(task);
  const writers = await Promise.all(Array.from({ length: WRITERS }, () => Connection.open(task.port)));
  const startMs = performance.now();
  const each = task.isStreamed ? readers.length : 0;
  let sent = 0;
  const isAhead = (): boolean => each > 0 && sent - Math.min(...counts) >= WINDOW;
  const write = async (connection: Connection): Promise<void> => {
    while (sent < task.posts) {
      const dueMs = startMs + (task.rate === undefined ? 0 : (sent * 1000) / task.rate);
      sent += 1;
      if (performance.now() < dueMs) await sleep(dueMs - performance.now());
      while (task.rate === undefined && isAhead()) await sleep(1);
      const sentMs = performance.now();
      await new Promise<void>((resolve, reject) => {
        connection.send(next(), (status, answer) => {
          if (status !== 201) return reject(new Error(answer.toString()));
          const nowMs = performance.now();
          ackTimes.push(nowMs - sentMs);
          acknowledged.set(/"id":"(\d+)"/.exec(answer.toString('latin1'))?.[1] ?? '', { sentMs, nowMs });
          resolve();
        });
      });
    }
  };
  await Promise.all(writers.map(write));
  const endMs = performance.now() + WAIT_MS;
  while (each > 0 && performance.now() < endMs && Math.min(...counts) < task.posts) await sleep(5);
  const seconds = (performance.now() - startMs) / 1000;
  for (const writer of writers) writer.close();
  return report(task, { acknowledged, ackTimes, each, seconds });
}

function report(
  task: PostTask,
  run: {
    readonly acknowledged: ReadonlyMap<string, Acknowledged>;
    readonly ackTimes: number[];
    readonly each: number;
    readonly seconds: number;
  },
): PostReport {
  const latencies: number[] = [];
  const sinceSent: number[] = [];
  for (const [id, times] of arrived) {
    const known = run.acknowledged.get(id);
    if (known === undefined) misplaced += times.length;
    else {
      latencies.push(...times.map((time) => Math.max(0, time - known.nowMs)));
      sinceSent.push(...times.map((time) => time - known.sentMs));
    }
  }
  latencies.sort((one, other) => one - other);
  sinceSent.sort((one, other) => one - other);
  run.ackTimes.sort((one, other) => one - other);
  return {
    posts: task.posts,
    seconds: run.seconds,
    ackP50Ms: quantile(run.ackTimes, 0.5),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    maxMs: latencies.at(-1) ?? NaN,
    sentP99Ms: quantile(sinceSent, 0.99),
    arrivals: latencies.length,
    missing: task.posts * run.each - latencies.length,
    misplaced,
  };
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

async function drain(): Promise<DrainReport> {
  return Promise.all(paused.splice(0).map(async (stream) => (await stream.drain(WAIT_MS)) ?? null));
}

function close(): string {
  for (const stream of [...readers.splice(0), ...paused.splice(0)]) stream.close();
  return 'closed';
}

async function run(task: LoadTask): Promise<unknown> {
  if ('drain' in task) return drain();
  if ('close' in task) return close();
  return 'open' in task ? open(task) : post(task);
}

process.on('message', (task: LoadTask) => {
  run(task).then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
