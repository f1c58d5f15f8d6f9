import { expect, onTestFinished, test } from 'vitest';
import type { PostId, UserId } from '../../src/core/ids.js';
import type { Post } from '../../src/core/post.js';
import { createSignal } from '../../src/core/signal.js';
import { createSnowflakes } from '../../src/core/snowflake.js';
import { createFanOut } from '../../src/services/timelines/fan-out-loop.js';
import { createFollowerJobs } from '../../src/services/timelines/follower-jobs.js';
import type { Timers } from '../../src/core/timers.js';
import { createJobWorker } from '../../src/services/jobs/worker.js';
import { endFollowing, startFollowing } from '../../src/services/relations/changes.js';
import {
  LARGE_AUTHOR_FOLLOWERS,
  enqueueFanOut,
  enqueueRetraction,
} from '../../src/services/timelines/home-writes.js';
import { FAN_OUT_FOLLOWERS, fanOutPending } from '../../src/services/timelines/fan-out.js';
import { createTimelineService } from '../../src/services/timelines/timelines.js';
import type { Engine } from '../../src/database/engine.js';
import { createJobQueue } from '../../src/stores/job-queue.js';
import { findLargeAuthor } from '../../src/stores/large-authors.js';
import { deletePendingFanOut } from '../../src/stores/pending-fan-outs.js';
import { deletePost, insertPost } from '../../src/stores/posts.js';
import { list, sql, SqlList, type Sql, type SqlValue } from '../../src/database/sql.js';
import { openTestEngine } from '../support/test-database.js';

const START_MS = Date.UTC(2026, 5, 1);
const AUTHOR = 1n as UserId;
const READER = 2n as UserId;

/** For what is done a moment later. */
const WAIT = { timeout: 10_000, interval: 10 };

/** A database with an author and followers whose ids begin at 2. */
async function openPlaza() {
  const clock = () => START_MS;
  const engine = await openTestEngine();
  onTestFinished(() => engine.close());
  const ids = createSnowflakes(clock, 1);
  const queue = createJobQueue({ ids, clock });
  const timelines = createTimelineService({ engine, clock });
  const failures: unknown[] = [];
  const log = { warn: (fields: object) => void failures.push(fields) };
  const ordered = createSignal();
  const openFanOut = (watched: Engine = engine) => createFanOut({ engine: watched, log, ordered });
  const worker = createJobWorker({
    engine,
    ids,
    clock,
    log,
    handlers: createFollowerJobs({ engine }),
    queue,
  });
  return {
    engine,
    failures,
    openFanOut,
    runJobs: async () => {
      await openFanOut().runDue();
      await worker.runDue();
    },
    addFollowers: (count: number) =>
      engine.tx('followers', async (tx) => {
        // One statement for all: a statement a follower would take a server seconds.
        const numbers = sql`numbers (n) AS (SELECT CAST(2 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n <= ${count})`;
        await tx.run(sql`WITH RECURSIVE ${numbers} INSERT INTO followers (user_id, follower_id, edge_id)
          SELECT ${AUTHOR}, n, n FROM numbers`);
        await tx.run(sql`WITH RECURSIVE ${numbers} INSERT INTO follows (user_id, target_id, edge_id)
          SELECT n, ${AUTHOR}, n FROM numbers`);
        for (const [userId, followers] of [
          [AUTHOR, count],
          [READER, 0],
        ] as const) {
          await tx.run(sql`INSERT INTO user_counts (user_id, followers, following, posts, listed)
            VALUES (${userId}, ${followers}, 0, 0, 0)`);
        }
      }),
    warm: (userIds: readonly UserId[]) =>
      engine.tx('warm', async (tx) => {
        await tx.run(sql`INSERT INTO home_timelines (user_id, is_built, revision, read_at)
          SELECT DISTINCT follower_id, 1, 0, CAST(${START_MS} AS BIGINT) FROM followers
          WHERE follower_id IN ${list(userIds)}`);
      }),
    post: () =>
      engine.tx('post', async (tx) => {
        const post = postOf(ids.next<PostId>());
        await insertPost(tx, post);
        await enqueueFanOut(tx, ordered, post);
        return post;
      }),
    remove: (post: Post) =>
      engine.tx('delete', async (tx) => {
        await deletePost(tx, post);
        await deletePendingFanOut(tx, post.id);
        await enqueueRetraction(tx, { queue }, post);
      }),
    follow: (from: UserId) => engine.tx('follow', (tx) => startFollowing(tx, { ids, queue }, from, AUTHOR)),
    unfollow: (from: UserId) => engine.tx('unfollow', (tx) => endFollowing(tx, from, AUTHOR)),
    home: async (userId: UserId) => {
      const page = { limit: 100 };
      const principal = { userId } as Parameters<typeof timelines.home>[0];
      return (await timelines.home(principal, { page, bounds: {} })).items;
    },
    entries: async () => Number((await engine.get(sql`SELECT COUNT(*) AS n FROM home_entries`))?.['n'] ?? 0),
    left: async () =>
      Number(
        (
          await engine.get(
            sql`SELECT (SELECT COUNT(*) FROM jobs) + (SELECT COUNT(*) FROM pending_fan_outs) AS n`,
          )
        )?.['n'],
      ),
  };
}

function postOf(id: PostId): Post {
  return {
    id,
    authorId: AUTHOR,
    createdAtMs: START_MS,
    conversationId: id,
    text: 'hello',
    lang: 'en',
    source: undefined,
    replySettings: 'everyone',
    superFollowersOnly: false,
    possiblySensitive: false,
    nullcast: false,
    detail: {},
  } as Post;
}

test('a post is written into the warm timelines of followers, in chunks, and into no cold one', async () => {
  const plaza = await openPlaza();
  await plaza.addFollowers(2_500);
  await plaza.warm([2n, 1_500n, 2_501n] as UserId[]);
  const post = await plaza.post();
  await plaza.runJobs();
  const rows = await plaza.engine.all(sql`SELECT user_id FROM home_entries ORDER BY user_id`);
  expect(rows.map((row) => Number(row['user_id']))).toEqual([2, 1_500, 2_501]);
  expect(await plaza.left()).toBe(0);
  await plaza.remove(post);
  await plaza.runJobs();
  expect(await plaza.entries()).toBe(0);
  expect(plaza.failures).toEqual([]);
});

test('a fan-out that is cut off after any transaction is finished by another process, each entry once', async () => {
  for (let cutAt = 1; cutAt <= 4; cutAt += 1) {
    const plaza = await openPlaza();
    await plaza.addFollowers(2_500);
    await plaza.warm(Array.from({ length: 2_500 }, (_, n) => BigInt(n + 2) as UserId));
    await plaza.post();
    let transactions = 0;
    let die: () => void = () => undefined;
    const death = new Promise<void>((resolve) => (die = resolve));
    const cut: Engine = {
      ...plaza.engine,
      tx: (name, body, isolation) => {
        transactions += 1;
        if (transactions < cutAt) return plaza.engine.tx(name, body, isolation);
        // As if the process had died: nothing is written any more, not even that it failed.
        die();
        return new Promise<never>(() => undefined);
      },
    };
    await Promise.race([death, plaza.openFanOut(cut).runDue()]);
    expect(await plaza.entries()).toBe((cutAt - 1) * FAN_OUT_FOLLOWERS);
    await plaza.runJobs();
    expect(await plaza.entries()).toBe(2_500);
    expect(await plaza.left()).toBe(0);
  }
});

test('who gets more followers than the limit is merged on reading from then on, without gap or double', async () => {
  const plaza = await openPlaza();
  await plaza.addFollowers(LARGE_AUTHOR_FOLLOWERS);
  await plaza.warm([READER]);
  const before = await plaza.post();
  await plaza.runJobs();
  expect(await plaza.entries()).toBe(1);

  const last = BigInt(LARGE_AUTHOR_FOLLOWERS + 2) as UserId;
  await plaza.follow(last);
  expect(await findLargeAuthor(plaza.engine, AUTHOR)).toBe('growing');
  const meanwhile = await plaza.post();
  expect(await plaza.home(READER)).toEqual([meanwhile.id, before.id]);
  await plaza.runJobs();
  expect(await findLargeAuthor(plaza.engine, AUTHOR)).toBe('ready');
  const after = await plaza.post();
  await plaza.runJobs();
  expect(await plaza.home(READER)).toEqual([after.id, meanwhile.id, before.id]);
  expect(await plaza.home(last)).toEqual([after.id, meanwhile.id, before.id]);
  expect(await plaza.entries()).toBeLessThanOrEqual(2);

  await plaza.unfollow(READER);
  expect(await plaza.home(READER)).toEqual([]);
});

test('a post is there for every follower whether or not its turn has come, also between two chunks', async () => {
  const plaza = await openPlaza();
  await plaza.addFollowers(2_500);
  const [served, waiting] = [READER, 2_501n as UserId];
  await plaza.warm([served, waiting]);
  const [older, newer] = [await plaza.post(), await plaza.post()];
  const see = async (): Promise<void> => {
    for (const reader of [served, waiting]) expect(await plaza.home(reader)).toEqual([newer.id, older.id]);
  };
  await see();
  const seenEntries: number[] = [];
  while ((await plaza.left()) > 0) {
    await fanOutPending(plaza.engine);
    seenEntries.push(await plaza.entries());
    await see();
  }
  expect(seenEntries).toContain(2);
  expect(await plaza.entries()).toBe(4);
});

test('posts share a transaction as long as their followers are few, and many processes at once write each entry once', async () => {
  const plaza = await openPlaza();
  await plaza.addFollowers(200);
  await plaza.warm(Array.from({ length: 200 }, (_, n) => BigInt(n + 2) as UserId));
  for (let count = 0; count < 10; count += 1) await plaza.post();
  await fanOutPending(plaza.engine);
  expect(await plaza.entries()).toBe(1_000);
  await Promise.all([1, 2, 3].map(() => plaza.openFanOut().runDue()));
  expect([await plaza.entries(), await plaza.left()]).toEqual([2_000, 0]);
  expect(plaza.failures).toEqual([]);
});

test('posts of an author with many followers go to the same followers together, whatever comes or goes meanwhile', async () => {
  const plaza = await openPlaza();
  await plaza.addFollowers(600);
  await plaza.warm(Array.from({ length: 600 }, (_, n) => BigInt(n + 2) as UserId));
  const [first, second, third] = [await plaza.post(), await plaza.post(), await plaza.post()];
  await fanOutPending(plaza.engine);
  expect(await plaza.entries()).toBe(3 * FAN_OUT_FOLLOWERS);
  await plaza.remove(second);
  const late = await plaza.post();
  await Promise.all([1, 2, 3].map(() => plaza.openFanOut().runDue()));
  expect(await plaza.entries()).toBe(3 * 600 + FAN_OUT_FOLLOWERS);
  await plaza.runJobs();
  expect([await plaza.entries(), await plaza.left()]).toEqual([3 * 600, 0]);
  for (const reader of [READER, 601n as UserId]) {
    expect(await plaza.home(reader)).toEqual([late.id, third.id, first.id]);
  }
  expect(plaza.failures).toEqual([]);
});

test('a post that is deleted before its turn is written into no timeline', async () => {
  const plaza = await openPlaza();
  await plaza.addFollowers(3);
  await plaza.warm([READER]);
  await plaza.remove(await plaza.post());
  await plaza.runJobs();
  expect([await plaza.entries(), await plaza.left()]).toEqual([0, 0]);
});

function valuesOf(param: SqlValue | SqlList): readonly unknown[] {
  return param instanceof SqlList ? param.values : [param];
}

/** The engine, on which nobody's timeline takes these posts. */
function refusing(engine: Engine, refused: readonly PostId[]): Engine {
  const isRefused = ({ strings, params }: Sql): boolean =>
    strings[0]?.includes('INSERT INTO home_entries') === true &&
    params.flatMap(valuesOf).some((value) => refused.some((id) => id === value));
  const failing = sql`INSERT INTO home_timelines (user_id) VALUES (NULL)`;
  return {
    ...engine,
    tx: (name, body, isolation) =>
      engine.tx(
        name,
        (tx) => body({ ...tx, run: (query) => tx.run(isRefused(query) ? failing : query) }),
        isolation,
      ),
  };
}

test('a post that cannot be written out is left behind, and holds up none of those before and after it', async () => {
  const plaza = await openPlaza();
  await plaza.addFollowers(3);
  await plaza.warm([READER, 3n as UserId]);
  const posts: Post[] = [];
  for (let count = 0; count < 80; count += 1) posts.push(await plaza.post());
  const refused = [0, 1, 40, 79].map((at) => posts[at]?.id ?? expect.fail('there is no such post'));
  const fanOut = plaza.openFanOut(refusing(plaza.engine, refused));
  await expect(fanOut.runDue()).rejects.toThrow(`post ${refused[0]} could not be fanned out`);
  expect([await plaza.entries(), await plaza.left()]).toEqual([76 * 2, 4]);
  expect(await plaza.home(READER)).toEqual(posts.map(({ id }) => id).reverse());
  await plaza.runJobs();
  expect([await plaza.entries(), await plaza.left()]).toEqual([80 * 2, 0]);
});

test('a post that was left behind is tried again at the next look, not at each new post', async () => {
  const plaza = await openPlaza();
  await plaza.addFollowers(3);
  await plaza.warm([READER]);
  const bad = await plaza.post();
  const { looks, timers } = handTimers();
  const signal = createSignal();
  const fanOut = createFanOut({
    engine: refusing(plaza.engine, [bad.id]),
    log: { warn: (fields) => void plaza.failures.push(fields) },
    ordered: signal,
    timers,
  });
  const failed = (count: number) => expect.poll(() => plaza.failures.length, WAIT).toBe(count);
  fanOut.start();
  await failed(1);
  for (let written = 1; written <= 3; written += 1) {
    await plaza.post();
    signal.notify();
    await expect.poll(plaza.entries, WAIT).toBe(written);
  }
  for (const look of looks) look();
  await failed(2);
  await fanOut.stop();
  expect(plaza.failures).toMatchObject([1, 2].map(() => ({ err: { cause: expect.any(Error) as Error } })));
  expect(await plaza.left()).toBe(1);
});

/** Timers whose work is done by calling `looks`. */
function handTimers() {
  const looks: (() => void)[] = [];
  const timers: Timers = {
    every: (_, work) => {
      looks.push(work);
      return () => undefined;
    },
    after: () => () => undefined,
  };
  return { looks, timers };
}

test('a post is written out as soon as it is made, and at the latest by the next look for what others left', async () => {
  const plaza = await openPlaza();
  await plaza.addFollowers(3);
  await plaza.warm([READER]);
  const { looks, timers } = handTimers();
  const signal = createSignal();
  const fanOut = createFanOut({
    engine: plaza.engine,
    log: { warn: () => undefined },
    ordered: signal,
    timers,
  });
  fanOut.start();
  const written = async (count: number): Promise<void> => {
    await expect.poll(plaza.entries, WAIT).toBe(count);
  };
  await plaza.post();
  signal.notify();
  await written(1);
  await plaza.post();
  for (const look of looks) look();
  await written(2);
  await fanOut.stop();
  await plaza.post();
  signal.notify();
  await fanOut.runDue();
  expect(await plaza.left()).toBe(1);
});
