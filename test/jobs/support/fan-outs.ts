import { expect, onTestFinished } from 'vitest';
import type { PostId, UserId } from '../../../src/core/ids.js';
import type { Post } from '../../../src/core/post.js';
import { createSignal } from '../../../src/core/loop.js';
import { createSnowflakes } from '../../../src/core/snowflake.js';
import { createFanOut } from '../../../src/services/timelines/fan-out-loop.js';
import { createFollowerJobs } from '../../../src/services/timelines/follower-jobs.js';
import type { Timers } from '../../../src/core/timers.js';
import { createJobWorker } from '../../../src/services/jobs/worker.js';
import { endFollowing, startFollowing } from '../../../src/services/relations/changes.js';
import { enqueueFanOut, enqueueRetraction } from '../../../src/services/timelines/home-writes.js';
import { fanOut, planFanOut } from '../../../src/services/timelines/fan-out.js';
import { RelationCache } from '../../../src/stores/relation-cache.js';
import { createTimelineService } from '../../../src/services/timelines/timelines.js';
import type { Engine, Tx } from '../../../src/database/engine.js';
import { createJobQueue } from '../../../src/stores/job-queue.js';
import { deletePendingFanOut } from '../../../src/stores/pending-fan-outs.js';
import { deletePost, insertPosts } from '../../../src/stores/posts.js';
import { list, sql, type Sql } from '../../../src/database/sql.js';
import { openTestEngine } from '../../support/test-database.js';

const START_MS = Date.UTC(2026, 5, 1);
export const AUTHOR = 1n as UserId;
export const READER = 2n as UserId;

/** For asynchronous effects. */
export const WAIT = { timeout: 10_000, interval: 10 };

/** Opens a database with an author and followers whose ids start at 2. */
export async function openFanOutFixture() {
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
  const store = (posts: readonly Post[]) =>
    engine.tx('post', async (tx) => {
      await insertPosts(tx, posts);
      await enqueueFanOut(ordered, tx, posts);
    });
  const reserve = (): Post => postOf(ids.next<PostId>());
  const postMany = async (count: number): Promise<Post[]> => {
    const posts = Array.from({ length: count }, reserve);
    await store(posts);
    return posts;
  };
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
      const [step] = (await planFanOut(engine)).steps;
      await fanOut(engine, step ?? expect.fail('no post is pending'));
    },
    runJobs: async () => {
      await openFanOut().runDue();
      await worker.runDue();
    },
    runRetractions: () => worker.runDue(),
    /** Waits until a transaction of this database waits for a row that another one has locked; on servers only. */
    untilLockAwaited: () =>
      expect
        .poll(
          () =>
            engine.all(sql`SELECT pid FROM pg_stat_activity
              WHERE wait_event_type = 'Lock' AND datname = current_database()`),
          WAIT,
        )
        .toHaveLength(1),
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
    /** Returns a post that `store` stores later. */
    reserve,
    store: (post: Post) => store([post]),
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

/** Wraps the engine so that the first transaction stays open after its entries until `goOn` is called. */
export function pausedFanOut(engine: Engine) {
  let [goOn, hasWritten] = [(): void => undefined, (): void => undefined];
  const released = new Promise<void>((resolve) => (goOn = resolve));
  const written = new Promise<void>((resolve) => (hasWritten = resolve));
  const begun: string[] = [];
  const paused: Engine = {
    ...engine,
    tx: (name, body, isolation) =>
      engine.tx(
        name,
        async (tx) => {
          begun.push(name);
          const result = await body(tx);
          hasWritten();
          await released;
          return result;
        },
        isolation,
      ),
  };
  /** `begun`: the names of the transactions. */
  return { engine: paused, written, goOn, begun };
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

/** Wraps the engine so that no timeline accepts these posts. */
export function refusing(engine: Engine, refused: readonly PostId[]): Engine {
  const failing = sql`INSERT INTO home_timelines (user_id) VALUES (NULL)`;
  const isRefused = async (tx: Tx, { strings, params: [upTo, round] }: Sql): Promise<boolean> => {
    if (strings[0]?.includes('INSERT INTO home_entries') !== true) return false;
    const taken = await tx.all(sql`SELECT post_id FROM pending_fan_outs
      WHERE post_id IN ${list(refused)} AND post_id <= ${upTo as bigint} AND round = ${round as bigint}`);
    return taken.length > 0;
  };
  return {
    ...engine,
    tx: (name, body, isolation) =>
      engine.tx(
        name,
        (tx) => body({ ...tx, run: async (query) => tx.run((await isRefused(tx, query)) ? failing : query) }),
        isolation,
      ),
  };
}
