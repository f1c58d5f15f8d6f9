import { expect, onTestFinished, test } from 'vitest';
import type { PostId, UserId } from '../../src/core/ids.js';
import type { Post } from '../../src/core/post.js';
import { createSignal } from '../../src/core/loop.js';
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
import {
  FAN_OUT_FOLLOWERS,
  fanOut,
  MAX_FAN_OUT_POSTS,
  planFanOut,
} from '../../src/services/timelines/fan-out.js';
import { RelationCache } from '../../src/stores/relation-cache.js';
import { createTimelineService } from '../../src/services/timelines/timelines.js';
import type { Engine } from '../../src/database/engine.js';
import { createJobQueue } from '../../src/stores/job-queue.js';
import { findLargeAuthor } from '../../src/stores/large-authors.js';
import { deletePendingFanOut } from '../../src/stores/pending-fan-outs.js';
import { deletePost, insertPosts } from '../../src/stores/posts.js';
import { list, sql, type Sql } from '../../src/database/sql.js';
import { openTestEngine } from '../support/test-database.js';

const START_MS = Date.UTC(2026, 5, 1);
const AUTHOR = 1n as UserId;
const READER = 2n as UserId;

/** For asynchronous effects. */
const WAIT = { timeout: 10_000, interval: 10 };

/** Opens a database with an author and followers whose ids start at 2. */
async function openFanOutFixture() {
  const clock = () => START_MS;
  const engine = await openTestEngine();
  onTestFinished(() => engine.close());
  const ids = createSnowflakes(clock, 1);
  const queue = createJobQueue({ ids, clock });
  const timelines = createTimelineService({ engine, clock, relations: new RelationCache(engine) });
  const failures: unknown[] = [];
  const log = { warn: (fields: object) => void failures.push(fields) };
  const ordered = createSignal();
  const openFanOut = (watched: Engine = engine) => createFanOut({ engine: watched, log, ordered });
  const postMany = (count: number) =>
    engine.tx('post', async (tx) => {
      const posts = Array.from({ length: count }, () => postOf(ids.next<PostId>()));
      await insertPosts(tx, posts);
      await enqueueFanOut(ordered, tx, posts);
      return posts;
    });
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
    /** Starts the loop; `poll` and `signal` wake it. */
    startLoop: (watched: Engine = engine) => {
      const { polls, timers } = manualTimers();
      const signal = createSignal();
      const loop = createFanOut({ engine: watched, log, ordered: signal, timers });
      loop.start();
      return { loop, signal, poll: () => polls.forEach((look) => look()) };
    },
    /** Runs one transaction of the fan-out. */
    runStep: async () => {
      const [step] = await planFanOut(engine);
      await fanOut(engine, step ?? expect.fail('no post is pending'));
    },
    runJobs: async () => {
      await openFanOut().runDue();
      await worker.runDue();
    },
    addFollowers: (count: number) =>
      engine.tx('followers', async (tx) => {
        // One statement for all: one statement per follower would take seconds on a server.
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
    post: async () => (await postMany(1))[0] ?? expect.fail('nothing was posted'),
    postMany,
    remove: (post: Post) =>
      engine.tx('delete', async (tx) => {
        await deletePost(tx, post);
        await deletePendingFanOut(tx, post.id);
        await enqueueRetraction(tx, { queue }, [post]);
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

/** Timers that run when `polls` are called. */
function manualTimers() {
  const polls: (() => void)[] = [];
  const timers: Timers = {
    every: (_, work) => {
      polls.push(work);
      return () => undefined;
    },
    after: () => () => undefined,
  };
  return { polls, timers };
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

test('a post is written to the warm timelines of followers in chunks, and to no cold one', async () => {
  const fixture = await openFanOutFixture();
  await fixture.addFollowers(2_500);
  await fixture.warm([2n, 1_500n, 2_501n] as UserId[]);
  const post = await fixture.post();
  await fixture.runJobs();
  const rows = await fixture.engine.all(sql`SELECT user_id FROM home_entries ORDER BY user_id`);
  expect(rows.map((row) => Number(row['user_id']))).toEqual([2, 1_500, 2_501]);
  expect(await fixture.left()).toBe(0);
  await fixture.remove(post);
  await fixture.runJobs();
  expect(await fixture.entries()).toBe(0);
  expect(fixture.failures).toEqual([]);
});

test('a fan-out interrupted after any transaction is completed by another process, with each entry once', async () => {
  for (let cutAt = 1; cutAt <= 4; cutAt += 1) {
    const fixture = await openFanOutFixture();
    await fixture.addFollowers(2_500);
    await fixture.warm(Array.from({ length: 2_500 }, (_, n) => BigInt(n + 2) as UserId));
    await fixture.post();
    let transactions = 0;
    let kill: () => void = () => undefined;
    const death = new Promise<void>((resolve) => (kill = resolve));
    const cut: Engine = {
      ...fixture.engine,
      tx: (name, body, isolation) => {
        transactions += 1;
        if (transactions < cutAt) return fixture.engine.tx(name, body, isolation);
        // Simulates the death of the process: nothing is written any more, not even the failure.
        kill();
        return new Promise<never>(() => undefined);
      },
    };
    await Promise.race([death, fixture.openFanOut(cut).runDue()]);
    expect(await fixture.entries()).toBe((cutAt - 1) * FAN_OUT_FOLLOWERS);
    await fixture.runJobs();
    expect(await fixture.entries()).toBe(2_500);
    expect(await fixture.left()).toBe(0);
  }
});

test('posts of an author who exceeds the follower limit are merged on read from then on, without gaps or repeats', async () => {
  const fixture = await openFanOutFixture();
  await fixture.addFollowers(LARGE_AUTHOR_FOLLOWERS);
  await fixture.warm([READER]);
  const before = await fixture.post();
  await fixture.runJobs();
  expect(await fixture.entries()).toBe(1);

  const last = BigInt(LARGE_AUTHOR_FOLLOWERS + 2) as UserId;
  await fixture.follow(last);
  expect(await findLargeAuthor(fixture.engine, AUTHOR)).toBe('growing');
  const meanwhile = await fixture.post();
  expect(await fixture.home(READER)).toEqual([meanwhile.id, before.id]);
  await fixture.runJobs();
  expect(await findLargeAuthor(fixture.engine, AUTHOR)).toBe('ready');
  const after = await fixture.post();
  await fixture.runJobs();
  expect(await fixture.home(READER)).toEqual([after.id, meanwhile.id, before.id]);
  expect(await fixture.home(last)).toEqual([after.id, meanwhile.id, before.id]);
  expect(await fixture.entries()).toBeLessThanOrEqual(2);

  await fixture.unfollow(READER);
  expect(await fixture.home(READER)).toEqual([]);
});

test('a post is visible to every follower before and after its fan-out, also between two chunks', async () => {
  const fixture = await openFanOutFixture();
  await fixture.addFollowers(2_500);
  const [served, waiting] = [READER, 2_501n as UserId];
  await fixture.warm([served, waiting]);
  const [older, newer] = [await fixture.post(), await fixture.post()];
  const expectVisible = async (): Promise<void> => {
    for (const reader of [served, waiting]) expect(await fixture.home(reader)).toEqual([newer.id, older.id]);
  };
  await expectVisible();
  const seenEntries: number[] = [];
  while ((await fixture.left()) > 0) {
    await fixture.runStep();
    seenEntries.push(await fixture.entries());
    await expectVisible();
  }
  expect(seenEntries).toContain(2);
  expect(await fixture.entries()).toBe(4);
});

test('posts with few followers share a transaction, and concurrent processes write each entry once', async () => {
  const fixture = await openFanOutFixture();
  await fixture.addFollowers(200);
  await fixture.warm(Array.from({ length: 200 }, (_, n) => BigInt(n + 2) as UserId));
  for (let count = 0; count < 40; count += 1) await fixture.post();
  await fixture.runStep();
  expect(await fixture.entries()).toBe(1_000);
  await Promise.all([1, 2, 3].map(() => fixture.openFanOut().runDue()));
  expect([await fixture.entries(), await fixture.left()]).toEqual([8_000, 0]);
  expect(fixture.failures).toEqual([]);
});

test('posts of an author with many followers are written together, also when posts are added or deleted meanwhile', async () => {
  const fixture = await openFanOutFixture();
  await fixture.addFollowers(600);
  await fixture.warm(Array.from({ length: 600 }, (_, n) => BigInt(n + 2) as UserId));
  const [first, second, third] = [await fixture.post(), await fixture.post(), await fixture.post()];
  await fixture.runStep();
  expect(await fixture.entries()).toBe(3 * FAN_OUT_FOLLOWERS);
  await fixture.remove(second);
  const late = await fixture.post();
  await Promise.all([1, 2, 3].map(() => fixture.openFanOut().runDue()));
  expect(await fixture.entries()).toBe(3 * 600 + FAN_OUT_FOLLOWERS);
  await fixture.runJobs();
  expect([await fixture.entries(), await fixture.left()]).toEqual([3 * 600, 0]);
  for (const reader of [READER, 601n as UserId]) {
    expect(await fixture.home(reader)).toEqual([late.id, third.id, first.id]);
  }
  expect(fixture.failures).toEqual([]);
});

test('a post deleted before its fan-out is written to no timeline', async () => {
  const fixture = await openFanOutFixture();
  await fixture.addFollowers(3);
  await fixture.warm([READER]);
  await fixture.remove(await fixture.post());
  await fixture.runJobs();
  expect([await fixture.entries(), await fixture.left()]).toEqual([0, 0]);
});

/** Reports whether an id is above the first parameter and at most the second. */
function isInRange([above, upTo]: Sql['params'], id: PostId): boolean {
  return typeof above === 'bigint' && typeof upTo === 'bigint' && id > above && id <= upTo;
}

/** Wraps the engine so that no timeline accepts these posts. */
function refusing(engine: Engine, refused: readonly PostId[]): Engine {
  const isRefused = ({ strings, params }: Sql): boolean =>
    strings[0]?.includes('INSERT INTO home_entries') === true && refused.some((id) => isInRange(params, id));
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

test('a post whose fan-out fails is left pending and does not delay other posts', async () => {
  const fixture = await openFanOutFixture();
  await fixture.addFollowers(3);
  await fixture.warm([READER, 3n as UserId]);
  const posts: Post[] = [];
  for (let count = 0; count < 80; count += 1) posts.push(await fixture.post());
  const refused = [0, 1, 40, 79].map((at) => posts[at]?.id ?? expect.fail('there is no such post'));
  const fanOut = fixture.openFanOut(refusing(fixture.engine, refused));
  await expect(fanOut.runDue()).rejects.toThrow(`post ${refused[0]} could not be fanned out`);
  expect([await fixture.entries(), await fixture.left()]).toEqual([76 * 2, 4]);
  expect(await fixture.home(READER)).toEqual(posts.map(({ id }) => id).reverse());
  await fixture.runJobs();
  expect([await fixture.entries(), await fixture.left()]).toEqual([80 * 2, 0]);
});

test('a post whose fan-out failed is retried at each poll', async () => {
  const fixture = await openFanOutFixture();
  await fixture.addFollowers(3);
  await fixture.warm([READER]);
  const bad = await fixture.post();
  const { loop, poll } = fixture.startLoop(refusing(fixture.engine, [bad.id]));
  const failed = (count: number) => expect.poll(() => fixture.failures.length, WAIT).toBe(count);
  await failed(1);
  await fixture.post();
  poll();
  await expect.poll(fixture.entries, WAIT).toBe(1);
  await failed(2);
  await loop.stop();
  expect(fixture.failures).toMatchObject([1, 2].map(() => ({ err: { cause: expect.any(Error) as Error } })));
  expect(await fixture.left()).toBe(1);
});

test('a post whose fan-out failed waits for the next poll while other posts fill batches', async () => {
  const fixture = await openFanOutFixture();
  await fixture.addFollowers(1);
  await fixture.warm([READER]);
  const bad = await fixture.post();
  const { loop, signal } = fixture.startLoop(refusing(fixture.engine, [bad.id]));
  await expect.poll(() => fixture.failures.length, WAIT).toBe(1);
  for (let written = 1; written <= 3; written += 1) {
    await fixture.post();
    for (let count = 0; count < MAX_FAN_OUT_POSTS; count += 1) signal.notify();
    await expect.poll(fixture.entries, WAIT).toBe(written);
  }
  await loop.stop();
  expect(fixture.failures).toHaveLength(1);
  expect(await fixture.left()).toBe(1);
});

test('posts wait for a full batch or the next poll, and are read meanwhile', async () => {
  const fixture = await openFanOutFixture();
  await fixture.addFollowers(3);
  await fixture.warm([READER]);
  const { loop, signal, poll } = fixture.startLoop();
  const state = async () => [await fixture.entries(), await fixture.left()];
  const posts = await fixture.postMany(MAX_FAN_OUT_POSTS - 1);
  for (let count = 1; count < MAX_FAN_OUT_POSTS; count += 1) signal.notify();
  expect(await state()).toEqual([0, MAX_FAN_OUT_POSTS - 1]);
  const home = await fixture.engine.all(
    sql`SELECT post_id FROM pending_home_entries WHERE user_id = ${READER} ORDER BY post_id`,
  );
  expect(home.map((row) => row['post_id'])).toEqual(posts.map(({ id }) => id));
  const post = async (): Promise<void> => {
    await fixture.post();
    signal.notify();
  };
  await post();
  await expect.poll(state, WAIT).toEqual([MAX_FAN_OUT_POSTS, 0]);
  await post();
  expect(await fixture.left()).toBe(1);
  poll();
  await expect.poll(state, WAIT).toEqual([MAX_FAN_OUT_POSTS + 1, 0]);
  await loop.stop();
  await post();
  await loop.runDue();
  expect(await fixture.left()).toBe(1);
});
