import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostId, UserId } from '../src/core/ids.js';
import type { Engine } from '../src/database/engine.js';
import { openEngine } from '../src/database/open-engine.js';
import { sql } from '../src/database/sql.js';
import { MAX_FAN_OUT_POSTS } from '../src/services/timelines/fan-out.js';
import { insertPendingFanOut, listPendingFanOuts, NONE } from '../src/stores/pending-fan-outs.js';
import type { ServerProcess } from '../test/wire/support/server-process.js';
import { startChild } from './child.js';
import { cpuSecondsOf, untilIdle } from './cpu.js';
import { measureSide, median, type SideResult } from './measure.js';
import { getRequest, type RequestPlan } from './requests.js';
import { loadWorldDocument, startBenchServer } from './server.js';
import { socialWorld, type SocialUser } from './social-world.js';

const FOLLOWERS = 500;
const FIRST_FOLLOWER = 10_000_000;
/** Above all ids of posts in the world. */
const FIRST_POST = 1n << 62n;
/** Several full batches, which take longer than the reads. */
const POSTS = 2 * MAX_FAN_OUT_POSTS;
const POLL_MS = 5;
const POSTS_EACH = 20;
const READERS = 8;
const READ_SECONDS = 1;
const ROUNDS = 5;
const HOST = 'bench.example';

const ENTRIES_TARGET = 100_000;
const READS_TARGET = 2;

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
  const db = await openEngine(url, { durability: 'relaxed' });
  const generator = startChild('./generator.ts');
  const texts = users.map(({ id }) => getRequest(`/2/users/${id}/tweets`, HOST, `Bearer ${reader.token}`));
  const reads: RequestPlan = { kind: 'varied', texts };
  const read = (): Promise<SideResult> =>
    measureSide(generator, server.pid, {
      port: server.port,
      connections: READERS,
      seconds: READ_SECONDS,
      status: 200,
      polls: true,
      plan: reads,
    });
  try {
    await read();
    const alone: Rate[] = [];
    const meanwhile: Rate[] = [];
    const idle: SideResult[] = [];
    const busy: SideResult[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await beginFanOut(db, author, 2 * round);
      alone.push(await untilFannedOut(db, server));
      await untilIdle(server.pid, 0);
      idle.push(await read());
      await beginFanOut(db, author, 2 * round + 1);
      const reading = read();
      const rate = await untilFannedOut(db, server);
      if (rate.seconds < READ_SECONDS) throw new Error('the fan-out ended before the reads');
      meanwhile.push(rate);
      busy.push(await reading);
    }
    printRates(engine, alone, meanwhile);
    printReads(idle, busy);
  } finally {
    await db.close();
    await Promise.all([generator.end(), server.end('SIGTERM')]);
  }
}

interface Rate {
  readonly seconds: number;
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

/** Stores posts that wait for their fan-out at once, and resolves when the server has begun with them. */
async function beginFanOut(db: Engine, { id }: SocialUser, batch: number): Promise<void> {
  await db.tx('bench posts', async (tx) => {
    for (let post = batch * POSTS; post < (batch + 1) * POSTS; post += 1) {
      const postId = (FIRST_POST + BigInt(post)) as PostId;
      await insertPendingFanOut(tx, { id: postId, authorId: BigInt(id) as UserId, createdAtMs: Date.now() });
    }
  });
  while ((await oldestPending(db))?.round === undefined) await sleep(POLL_MS);
}

async function oldestPending(db: Engine) {
  return (await listPendingFanOuts(db, NONE as PostId, 1))[0];
}

/** Measures the entries that are written until no post waits. */
async function untilFannedOut(db: Engine, { pid }: ServerProcess): Promise<Rate> {
  const cpuBefore = await cpuSecondsOf(pid);
  const startMs = performance.now();
  while (await oldestPending(db)) await sleep(POLL_MS);
  const seconds = (performance.now() - startMs) / 1_000;
  const cpuSeconds = (await cpuSecondsOf(pid)) - cpuBefore;
  const entries = POSTS * FOLLOWERS;
  return { seconds, perSecond: entries / seconds, perCpuSecond: entries / cpuSeconds };
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
