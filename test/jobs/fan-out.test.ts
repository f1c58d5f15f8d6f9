import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import type { Post } from '../../src/core/post.js';
import { LARGE_AUTHOR_FOLLOWERS } from '../../src/services/timelines/home-writes.js';
import { FAN_OUT_FOLLOWERS, MAX_FAN_OUT_POSTS } from '../../src/services/timelines/fan-out.js';
import type { Engine } from '../../src/database/engine.js';
import { findLargeAuthor } from '../../src/stores/large-authors.js';
import { sql } from '../../src/database/sql.js';
import { isOnServer } from '../support/test-database.js';
import { AUTHOR, openFanOutFixture, pausedFanOut, READER, refusing, WAIT } from './support/fan-outs.js';

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

test('a post that is stored while posts with higher ids go out reaches all followers', async () => {
  const fixture = await openFanOutFixture();
  await fixture.addFollowers(600);
  await fixture.warm(Array.from({ length: 600 }, (_, n) => BigInt(n + 2) as UserId));
  const late = fixture.reserve();
  const [first] = await fixture.postMany(2);
  await fixture.runStep();
  await fixture.store(late);
  await fixture.runJobs();
  expect([await fixture.entries(), await fixture.left()]).toEqual([3 * 600, 0]);
  expect((await fixture.home(READER)).slice(1)).toEqual([first?.id, late.id]);
});

test('a post that a follow has written already goes out to the other followers', async () => {
  const fixture = await openFanOutFixture();
  await fixture.addFollowers(3);
  await fixture.warm([2n, 3n, 4n] as UserId[]);
  await fixture.unfollow(READER);
  const posts = await fixture.postMany(3);
  await fixture.follow(READER);
  const written = posts.map(({ id }) => id).reverse();
  expect(await fixture.entries()).toBe(3);
  await fixture.runJobs();
  expect(await fixture.entries()).toBe(9);
  for (const id of [2n, 3n, 4n] as UserId[]) expect(await fixture.home(id)).toEqual(written);
  expect(fixture.failures).toEqual([]);
});

test.runIf(isOnServer())('a post that a follow writes at the same moment goes out too', async () => {
  const fixture = await openFanOutFixture();
  await fixture.addFollowers(3);
  await fixture.warm([2n, 3n, 4n] as UserId[]);
  const [first, second] = await fixture.postMany(2);
  let commit = (): void => undefined;
  const following = fixture.engine.tx('follow', async (tx) => {
    await tx.run(sql`INSERT INTO home_entries (user_id, post_id, author_id, created_at)
      VALUES (${READER}, ${first?.id}, ${AUTHOR}, 0)`);
    await new Promise<void>((resolve) => (commit = resolve));
  });
  const running = fixture.openFanOut().runDue();
  await fixture.untilLockAwaited();
  commit();
  await Promise.all([following, running]);
  expect(await fixture.entries()).toBe(6);
  expect(await fixture.home(READER)).toEqual([second?.id, first?.id]);
  expect(await fixture.left()).toBe(0);
  const progress = await fixture.engine.get(sql`SELECT round FROM fan_out_progress`);
  expect(progress?.['round']).toBe(1n);
  expect(fixture.failures).toEqual([]);
});

test.runIf(isOnServer())(
  'a timeline is built while the fan-out writes one of its posts into it',
  async () => {
    const fixture = await openFanOutFixture();
    await fixture.addFollowers(3);
    const posts = await fixture.postMany(3);
    let commit = (): void => undefined;
    const writing = fixture.engine.tx('fan out', async (tx) => {
      await tx.run(sql`INSERT INTO home_entries (user_id, post_id, author_id, created_at)
      VALUES (${READER}, ${posts[1]?.id}, ${AUTHOR}, 0)`);
      await new Promise<void>((resolve) => (commit = resolve));
    });
    const reading = fixture.home(READER);
    await fixture.untilLockAwaited();
    commit();
    await writing;
    expect(await reading).toEqual(posts.map(({ id }) => id).reverse());
    expect(await fixture.entries()).toBe(3);
  },
);

test('a post deleted while a step writes it is removed from all timelines', async () => {
  const fixture = await openFanOutFixture();
  await fixture.addFollowers(600);
  await fixture.warm(Array.from({ length: 600 }, (_, n) => BigInt(n + 2) as UserId));
  const [deleted] = await fixture.postMany(2);
  await fixture.runStep();
  const { written, goOn, engine } = pausedFanOut(fixture.engine);
  const running = fixture.openFanOut(engine).runDue();
  await written;
  const removal = fixture.remove(deleted ?? expect.fail('nothing was posted')).then(fixture.runRetractions);
  if (isOnServer()) await fixture.untilLockAwaited();
  goOn();
  await Promise.all([running, removal]);
  expect([await fixture.entries(), await fixture.left()]).toEqual([600, 0]);
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

test('a post that comes while others go out waits for the next poll', async () => {
  const fixture = await openFanOutFixture();
  await fixture.addFollowers(3);
  await fixture.warm([READER]);
  await fixture.post();
  const { written, goOn, engine, begun } = pausedFanOut(fixture.engine);
  const { loop, poll } = fixture.startLoop(engine);
  await written;
  const posting = fixture.post();
  goOn();
  await posting;
  await expect.poll(fixture.left, WAIT).toBe(1);
  // Enough for another round to begin, if there were one.
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  expect(begun).toEqual(['fan out posts', 'end a fan-out']);
  poll();
  await expect.poll(fixture.left, WAIT).toBe(0);
  await loop.stop();
});
