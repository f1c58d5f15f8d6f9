import { afterAll, beforeEach, expect, test } from 'vitest';
import { openTesting } from './open-testing.js';

const { startPipit } = await openTesting();

const pipit = await startPipit({ seed: 3, rateLimits: 'standard' });
const { alice, bob } = pipit.users;
afterAll(() => pipit.stop());
beforeEach(() => pipit.reset());

test('the same seed and the same requests give the same ids and times', async () => {
  const runs = [];
  for (let run = 0; run < 3; run += 1) {
    await pipit.reset({ seed: 42 });
    const { id } = await alice.post('Again');
    const query = { 'tweet.fields': 'created_at' };
    runs.push(await alice.request('GET', `/2/tweets/${id}`, { query }));
  }
  expect(runs[1]).toEqual(runs[0]);
  expect(runs[2]).toEqual(runs[0]);
});

test('the clock is frozen, set, advanced and runs', async () => {
  expect(await pipit.clock.read()).toEqual({ time: '2026-01-01T00:00:00.000Z', mode: 'frozen' });
  await pipit.clock.advance('2h');
  await pipit.clock.advance(1_500);
  expect((await pipit.clock.read()).time).toBe('2026-01-01T02:00:01.500Z');
  await pipit.clock.set(new Date('2026-02-01T00:00:00Z'));
  expect((await pipit.clock.run()).mode).toBe('running');
  await pipit.clock.freeze('2026-03-01T00:00:00Z');
  expect(await pipit.clock.read()).toEqual({ time: '2026-03-01T00:00:00.000Z', mode: 'frozen' });
  await expect(pipit.clock.set('2026-01-01T00:00:00Z')).rejects.toThrow(/400/);
});

test('a token expires when the clock passes its time', async () => {
  const token = await alice.token();
  await pipit.clock.advance('3h');
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${pipit.url}/2/users/me`, { headers })).status).toBe(401);
});

test('a snapshot is restored and deleted', async () => {
  await alice.post('Kept');
  const snapshot = await pipit.snapshot();
  await alice.post('Dropped');
  await snapshot.restore();
  expect((await alice.posts()).map(({ text }) => text)).toEqual(['Kept']);
  await snapshot.delete();
  await expect(pipit.restore(snapshot.name)).rejects.toThrow(/404/);
});

test('a snapshot has the name that a test chooses', async () => {
  await using other = await startPipit();
  expect((await other.snapshot('before')).name).toBe('before');
  await other.users.alice.post('After');
  await other.restore('before');
  expect(await other.users.alice.posts()).toEqual([]);
});

test('a fault makes the named request fail as often as it says', async () => {
  const fault = await pipit.faults.add({
    match: { operation: 'createTweet', user: 'alice' },
    count: 1,
    effect: { status: 503 },
  });
  expect(await pipit.faults.list()).toMatchObject([{ id: fault.id, count: 1 }]);
  await expect(alice.post('First')).rejects.toMatchObject({ status: 503 });
  await alice.post('Second');
  await bob.post('Not meant');
});

test('faults are removed one by one and together', async () => {
  const { id } = await pipit.faults.add({ effect: { status: 500 } });
  await pipit.faults.remove(id);
  await alice.post('Through');
  await pipit.faults.add({ effect: { reset: 'before' } });
  await expect(alice.post('Lost')).rejects.toThrow();
  await pipit.faults.clear();
  await alice.post('Through again');
});

test('limits are exhausted, set and given back', async () => {
  await pipit.limits.exhaust({ operation: 'createTweet', user: 'alice' });
  await expect(alice.post('Too many')).rejects.toMatchObject({ status: 429 });
  await bob.post('Not limited');
  await pipit.limits.set({ operation: 'createTweet', user: 'alice', remaining: 1 });
  await alice.post('The last one');
  await expect(alice.post('Too many')).rejects.toMatchObject({ status: 429 });
  expect(await pipit.limits.list()).toContainEqual(
    expect.objectContaining({ operation: 'createTweet', remaining: 0 }),
  );
  await pipit.limits.clear();
  await alice.post('Again');
});

test('the posts that an app has read are set, and used up', async () => {
  await alice.post('To read');
  await pipit.usage.set({ posts: 7 });
  expect(await pipit.usage.read('test app')).toMatchObject({ used: 7, app: { id: '9' } });
  await pipit.usage.exhaust();
  await expect(alice.posts()).rejects.toMatchObject({ status: 429 });
});

test('costs are listed, prices change, and a budget is set and used up', async () => {
  await pipit.costs.setPrices({ post_create: 2 });
  expect((await pipit.costs.prices()).post_create).toBe(2);
  await alice.post('Costs two dollars');
  expect(await pipit.costs.setBudget({ app: '9', limit: 5 })).toMatchObject([{ total: 2, budget: 5 }]);
  await pipit.costs.exhaust();
  await expect(alice.post('No money')).rejects.toMatchObject({ status: 402 });
  await pipit.costs.setBudget({});
  await alice.post('As much as it wants');
  expect(await pipit.costs.list()).toMatchObject([{ total: 4, budget: null }]);
});

test('a user is signed in to the pages, and the state has what a test has made', async () => {
  const cookie = await alice.signIn();
  const page = await fetch(`${pipit.url}/home`, { headers: { cookie }, redirect: 'manual' });
  expect(page.status).toBe(200);
  await pipit.snapshot('signed-in');
  expect([(await pipit.state()).snapshots, await pipit.snapshots()]).toEqual([
    expect.arrayContaining(['signed-in']),
    expect.arrayContaining(['signed-in']),
  ]);
});

test('one entry of the journal, one rule and an archive are shown', async () => {
  const fault = await pipit.faults.add({ effect: { status: 503 }, count: 1 });
  await expect(alice.post('Fails')).rejects.toThrow(/503/);
  expect(await pipit.faults.get(fault.id)).toMatchObject({ id: fault.id });
  const [entry] = await pipit.journal.find({ operation: 'createTweet' });
  expect(await pipit.journal.get(entry?.id ?? 0)).toEqual(entry);
  expect((await pipit.journal.har()).log.entries).toHaveLength(1);
});

const WREN = { id: '7', username: 'wren', name: 'Wren' };

test('a world document is added until the next reset', async () => {
  await pipit.load({ users: [WREN], posts: [{ id: '1001', author: 'wren', text: 'Added' }] });
  expect(await pipit.user('wren' as 'alice').posts()).toMatchObject([{ id: '1001', text: 'Added' }]);
  await pipit.reset();
  await expect(pipit.user('wren' as 'alice').posts()).rejects.toThrow(/400/);
});

test('an exported state is the world of another server', async () => {
  await alice.post('Exported');
  const world = await pipit.exportWorld();
  await using other = await startPipit();
  await other.replaceWorld(world);
  await other.users.bob.post('Not exported');
  await other.reset();
  expect((await other.users.alice.posts()).map(({ text }) => text)).toEqual(['Exported']);
  expect(await other.users.bob.posts()).toEqual([]);
});

test('a running server gets the world that a second handle names', async () => {
  await using other = await startPipit();
  const second = await startPipit({ url: other.url, world: await pipit.exportWorld() });
  expect(await second.user('alice').posts()).toEqual([]);
  await expect(startPipit({ url: other.url, world: 'demo' })).rejects.toThrow(/document of the world/);
});
