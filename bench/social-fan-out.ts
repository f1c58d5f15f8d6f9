import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEngine } from '../src/database/open-engine.js';
import { asNumber, sql } from '../src/database/sql.js';
import { MAX_FAN_OUT_POSTS } from '../src/services/timelines/fan-out.js';
import type { ServerProcess } from '../test/wire/support/server-process.js';
import { startChild } from './child.js';
import { ask } from './connection.js';
import { cpuSecondsOf } from './cpu.js';
import { measureSide, median, type SideResult } from './measure.js';
import { countedPost, getRequest, requestSource, type RequestPlan } from './requests.js';
import { loadWorldDocument, startBenchServer } from './server.js';
import { socialWorld, type SocialUser } from './social-world.js';

const FOLLOWERS = 500;
const FIRST_FOLLOWER = 10_000_000;
/** A full batch, which does not wait for the next poll. */
const POSTS = MAX_FAN_OUT_POSTS;
const POLL_MS = 5;
const POSTS_EACH = 20;
const READERS = 8;
const READ_SECONDS = 2;
const ROUNDS = 5;
const HOST = 'bench.example';

const ENTRIES_TARGET = 100_000;
const READS_TARGET = 3;

/** Prints the rate of written timeline entries and its effect on concurrent reads. */
export async function measureFanOut(engine: string, folder: string, url: string): Promise<void> {
  const { users, document } = socialWorld(POSTS_EACH);
  const [author, reader] = users;
  if (!author || !reader) return;
  const file = join(folder, 'fan-out.json');
  await writeFile(file, JSON.stringify(document));
  await loadWorldDocument(folder, file, url);
  await addReadingFollowers(url, author);
  const server = await startBenchServer(url, [], folder);
  const generator = startChild('./generator.ts');
  const texts = users.map(({ id }) => getRequest(`/2/users/${id}/tweets`, HOST, `Bearer ${reader.token}`));
  const reads: RequestPlan = { kind: 'varied', texts };
  const readFor = (seconds: number) =>
    measureSide(generator, server.pid, {
      port: server.port,
      connections: READERS,
      seconds,
      status: 200,
      polls: true,
      plan: reads,
    });
  try {
    await readFor(READ_SECONDS);
    const alone: Rate[] = [];
    const meanwhile: Rate[] = [];
    const idle: SideResult[] = [];
    const busy: SideResult[] = [];
    const fanOut = (): Promise<Rate> => postAndWait(server, url, author);
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(await fanOut());
      idle.push(await readFor(READ_SECONDS));
      let isRead = false;
      const reads = readFor(READ_SECONDS).finally(() => (isRead = true));
      while (!isRead) meanwhile.push(await fanOut());
      busy.push(await reads);
    }
    printRates(engine, alone, meanwhile);
    printReads(idle, busy);
  } finally {
    await Promise.all([generator.end(), server.end('SIGTERM')]);
  }
}

interface Rate {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

/** Measures the entries that are written after the last post; a poll may have written some before. */
async function postAndWait({ port, pid }: ServerProcess, url: string, { token }: SocialUser): Promise<Rate> {
  const next = requestSource(countedPost('/2/tweets', HOST, `Bearer ${token}`, (Date.now() * 100) % 1e12));
  const engine = await openEngine(url, { durability: 'relaxed' });
  for (let post = 0; post < POSTS; post += 1) {
    const { status, body } = await ask(port, next());
    if (status !== 201) throw new Error(`${status} ${body}`);
  }
  const cpuBefore = await cpuSecondsOf(pid);
  const startMs = performance.now();
  const row = await engine.get(sql`SELECT COUNT(*) AS n FROM pending_fan_outs`);
  const entries = asNumber(row?.['n']) * FOLLOWERS;
  while (await engine.get(sql`SELECT 1 AS found FROM pending_fan_outs LIMIT 1`)) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const seconds = (performance.now() - startMs) / 1_000;
  const cpuSeconds = (await cpuSecondsOf(pid)) - cpuBefore;
  await engine.close();
  return { perSecond: entries / seconds, perCpuSecond: entries / cpuSeconds };
}

function printRates(engine: string, alone: readonly Rate[], meanwhile: readonly Rate[]): void {
  const perSecond = median(alone.map((rate) => rate.perSecond));
  const verdict = perSecond >= ENTRIES_TARGET ? 'reached' : 'MISSED';
  console.log(
    `  ${engine}, ${POSTS} posts to ${FOLLOWERS} followers: ${perSecond.toFixed(0)} entries/s ` +
      `(target >= ${ENTRIES_TARGET}, ${verdict}), ${median(meanwhile.map((rate) => rate.perSecond)).toFixed(0)} while others read, ` +
      `${median(alone.map((rate) => rate.perCpuSecond)).toFixed(0)} for a second of the server's CPU time`,
  );
}

function printReads(idle: readonly SideResult[], busy: readonly SideResult[]): void {
  const [idleMs, busyMs] = [idle, busy].map((sides) => median(sides.map(({ p99Ms }) => p99Ms))) as [
    number,
    number,
  ];
  const verdict = busyMs <= READS_TARGET * idleMs ? 'reached' : 'MISSED';
  console.log(
    `    reads meanwhile: p99 ${busyMs.toFixed(2)} ms, idle ${idleMs.toFixed(2)} ms ` +
      `(target <= ${READS_TARGET} times, ${verdict})`,
  );
}

/** Inserts the rows of followers who read their timelines. */
async function addReadingFollowers(url: string, { id }: SocialUser): Promise<void> {
  const engine = await openEngine(url, { durability: 'relaxed' });
  const author = BigInt(id);
  const numbers = sql`numbers (n) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${FOLLOWERS - 1})`;
  const follower = sql`${FIRST_FOLLOWER} + n`;
  await engine.tx('followers', async (tx) => {
    await tx.run(sql`DELETE FROM followers WHERE user_id = ${author}`);
    await tx.run(sql`WITH RECURSIVE ${numbers} INSERT INTO followers (user_id, follower_id, edge_id)
      SELECT ${author}, ${follower}, n FROM numbers`);
    await tx.run(sql`WITH RECURSIVE ${numbers} INSERT INTO follows (user_id, target_id, edge_id)
      SELECT ${follower}, ${author}, n FROM numbers`);
    await tx.run(sql`WITH RECURSIVE ${numbers} INSERT INTO home_timelines (user_id, is_built, revision, read_at)
      SELECT ${follower}, 1, 0, ${Date.now()} FROM numbers`);
    await tx.run(sql`UPDATE user_counts SET followers = ${FOLLOWERS} WHERE user_id = ${author}`);
  });
  await engine.close();
}
