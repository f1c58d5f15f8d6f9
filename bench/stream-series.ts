import { join } from 'node:path';
import type { ServerProcess } from '../test/wire/support/server-process.js';
import { startChild, type Child } from './child.js';
import { cpuSecondsOf, memoryOf, untilIdle } from './cpu.js';
import { sampleOf } from './measure.js';
import { singleRequest } from './mix-requests.js';
import type { Template } from './mix-sites.js';
import { printProfile } from './profile.js';
import { startBenchServer } from './server.js';
import { APP_BEARER } from './social-world.js';
import type { DrainReport, OpenTask, PostReport, PostTask } from './stream-load.js';

const STREAM = '/2/tweets/search/stream';
/** What a program asks for that keeps posts and their authors. */
const FIELDS =
  'expansions=author_id,referenced_tweets.id&user.fields=created_at,description,location,public_metrics,verified' +
  '&tweet.fields=author_id,conversation_id,created_at,entities,lang,public_metrics,referenced_tweets,reply_settings,source';

/** The word of every post, and one of none. */
const WORD = 'heron';
const OTHER_WORD = 'bittern';
/** Makes messages so long that a stream that is not read holds more than sockets do. */
const LONG_TAG = 't'.repeat(1_000);

const WARM_UP_POSTS = 1_500;
/** Longer than the period of the background loops, which have work after a post. */
const LOOPS_MS = 5_500;
const MEMORY_STEPS = 4;

export interface StreamOptions {
  readonly connections: number;
  /** Posts per second while delivery and cost are measured. */
  readonly rate: number;
  readonly seconds: number;
  readonly rounds: number;
  /** The streams are compressed by gzip. */
  readonly isZipped: boolean;
  /** Messages that are delivered while the memory is watched; 0: none. */
  readonly messages: number;
  /** The folder for the CPU profiles of the server. */
  readonly profiles?: string;
}

/** What streams are open while posts are written. */
export interface StreamLoad {
  readonly name: string;
  readonly streams: number;
  readonly isMatched: boolean;
}

/** A round of posts. */
export interface StreamRound extends PostReport {
  readonly load: StreamLoad;
  /** CPU microseconds for each post, including the background work that follows. */
  readonly cpuMicros: number;
  /** The same of the PostgreSQL server. */
  readonly databaseMicros?: number;
}

export interface StreamMemory {
  readonly messages: number;
  readonly perSecond: number;
  /** The resident MB before, and after each part of the messages. */
  readonly residentMb: readonly number[];
  readonly peakMb: number;
  readonly missing: number;
  readonly misplaced: number;
  /** The last line of the stream that was not read; absent if it was never ended. */
  readonly slowReader?: string;
}

export interface StreamFigures {
  readonly rounds: readonly StreamRound[];
  readonly memory?: StreamMemory;
  /** Where the server spent its time, if it wrote a profile. */
  readonly profile?: string;
}

interface Series {
  readonly template: Template;
  readonly options: StreamOptions;
  readonly server: ServerProcess;
  readonly load: Child;
}

/** Measures streams on a fresh server with `workers` processes. */
export async function measureStreams(
  template: Template,
  options: StreamOptions,
  workers: number,
): Promise<StreamFigures> {
  const { profiles } = options;
  const site = await template.copy();
  const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const flags = ['--workers', String(workers), '--stream-connections', '1000'];
  const server = await startBenchServer(site.url, profiling, site.folder, flags);
  const kill = (): void => void process.kill(server.pid, 'SIGTERM');
  process.once('exit', kill);
  const load = startChild('./stream-load.ts');
  const series: Series = { template, options, server, load };
  let figures: StreamFigures;
  try {
    await sampleOf(server.port, singleRequest(template.world));
    figures = { rounds: await measureRounds(series), memory: await measureMemory(series) };
  } finally {
    process.off('exit', kill);
    await load.end();
    await server.end('SIGTERM');
    await template.drop(site);
  }
  if (profiles === undefined) return figures;
  return { ...figures, profile: await printProfile(profiles, options.seconds + LOOPS_MS / 1000) };
}

async function measureRounds(series: Series): Promise<StreamRound[]> {
  const { connections, rounds } = series.options;
  const loads: readonly StreamLoad[] = [
    { name: 'none', streams: 0, isMatched: false },
    { name: '1, no match', streams: 1, isMatched: false },
    { name: '1', streams: 1, isMatched: true },
    { name: String(connections), streams: connections, isMatched: true },
  ];
  await setRule(series, WORD);
  await open(series, 1);
  await write(series, { posts: WARM_UP_POSTS, isStreamed: true });
  await series.load.ask<string>({ close: true });
  const measured: StreamRound[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const load of loads) measured.push(await measureRound(series, load));
  }
  return measured;
}

async function measureRound(series: Series, load: StreamLoad): Promise<StreamRound> {
  const { options, template, server } = series;
  await setRule(series, load.isMatched ? WORD : OTHER_WORD);
  if (load.streams > 0) await open(series, load.streams);
  const { databasePid } = template;
  const pids = databasePid === undefined ? [server.pid] : [server.pid, databasePid];
  await untilIdle(server.pid, 0);
  const before = await Promise.all(pids.map(cpuSecondsOf));
  const posts = options.rate * options.seconds;
  const report = await write(series, { posts, rate: options.rate, isStreamed: load.isMatched });
  await untilIdle(server.pid, LOOPS_MS);
  const after = await Promise.all(pids.map(cpuSecondsOf));
  await series.load.ask<string>({ close: true });
  const [cpuMicros = NaN, databaseMicros] = pids.map(
    (_pid, index) => (((after[index] ?? NaN) - (before[index] ?? NaN)) / posts) * 1e6,
  );
  return { ...report, load, cpuMicros, databaseMicros };
}

/** Delivers many messages, beside a stream that is not read. */
async function measureMemory(series: Series): Promise<StreamMemory | undefined> {
  const { connections, messages } = series.options;
  if (messages === 0) return undefined;
  await setRule(series, WORD, LONG_TAG);
  await open(series, connections);
  const posts = Math.ceil(messages / connections / MEMORY_STEPS);
  await write(series, { posts: Math.min(posts, WARM_UP_POSTS), isStreamed: true });
  await open(series, 1, { isPaused: true });
  const residentMb = [(await memoryOf(series.server.pid)).residentMb];
  const reports: PostReport[] = [];
  for (let step = 0; step < MEMORY_STEPS; step += 1) {
    reports.push(await write(series, { posts, isStreamed: true }));
    residentMb.push((await memoryOf(series.server.pid)).residentMb);
  }
  const [slowReader] = await series.load.ask<DrainReport>({ drain: true });
  await series.load.ask<string>({ close: true });
  const sum = (read: (report: PostReport) => number): number =>
    reports.reduce((total, each) => total + read(each), 0);
  return {
    messages: sum(({ arrivals }) => arrivals),
    perSecond: sum(({ arrivals }) => arrivals) / sum(({ seconds }) => seconds),
    residentMb,
    peakMb: (await memoryOf(series.server.pid)).peakMb,
    missing: sum(({ missing }) => missing),
    misplaced: sum(({ misplaced }) => misplaced),
    slowReader: slowReader ?? undefined,
  };
}

function open(
  { load, server, options }: Series,
  count: number,
  more: { isPaused?: boolean } = {},
): Promise<unknown> {
  const isZipped = options.isZipped && !more.isPaused;
  const path = more.isPaused ? `${STREAM}?${FIELDS}` : STREAM;
  const task: OpenTask = { open: count, port: server.port, path, token: APP_BEARER, isZipped, ...more };
  return load.ask(task);
}

function write(
  { load, server, template }: Series,
  more: Pick<PostTask, 'posts' | 'rate' | 'isStreamed'>,
): Promise<PostReport> {
  const authors = template.world.people.map(({ username, token }) => ({ username, token }));
  const task: PostTask = { port: server.port, authors, word: WORD, ...more };
  return load.ask(task);
}

/** Makes `value` the only rule of the app. */
async function setRule({ server }: Series, value: string, tag?: string): Promise<void> {
  const headers = { authorization: `Bearer ${APP_BEARER}`, 'content-type': 'application/json' };
  const send = async (query: string, body?: object): Promise<void> => {
    const url = `http://127.0.0.1:${server.port}${join(STREAM, 'rules')}${query}`;
    const answer = await fetch(url, { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  };
  await send('?delete_all=true');
  await send('', { add: [{ value, tag }] });
}
