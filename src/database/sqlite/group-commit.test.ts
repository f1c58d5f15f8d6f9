import { EngineCounts } from '../engine-counts.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { StorageUnavailable } from '../errors.js';
import { createGroupCommit } from './group-commit.js';
import { createLock } from './lock.js';

type Member = 'writes' | 'reads';

/** Creates a group commit with a disk whose syncs the test completes by hand. No wait ends by the default limit. */
function manualDisk({ busyLimitMs = 60_000 } = {}) {
  const underway: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const groups: (readonly Member[])[] = [];
  const lock = createLock();
  const commit = createGroupCommit<Member>({
    counts: new EngineCounts(),
    lock,
    busyLimitMs,
    commit: async (members) => {
      groups.push(members);
      return members.includes('writes');
    },
    sync: () => new Promise<void>((resolve, reject) => underway.push({ resolve, reject })),
  });
  return { underway, groups, lock, commit };
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  return settled;
}

describe('group commit', () => {
  test('a commit is not durable before its sync has ended', async () => {
    const disk = manualDisk();
    const durable = disk.commit('writes');
    expect(await isSettled(durable)).toBe(false);
    expect(disk.underway).toHaveLength(1);
    disk.underway[0]?.resolve();
    await durable;
  });

  test('transactions of one turn share a commit and a sync', async () => {
    const disk = manualDisk();
    const durables = Array.from({ length: 5 }, () => disk.commit('writes'));
    await nextTurn();
    await nextTurn();
    disk.underway[0]?.resolve();
    await Promise.all(durables);
    expect(disk.groups.map(({ length }) => length)).toEqual([5]);
    expect(disk.underway).toHaveLength(1);
  });

  test('more than a hundred transactions of one turn are committed in order in several groups', async () => {
    const disk = manualDisk();
    const durables = Array.from({ length: 250 }, () => disk.commit('reads'));
    await Promise.all(durables);
    expect(disk.groups.map(({ length }) => length)).toEqual([100, 100, 50]);
  });

  test('transactions during a sync wait for the next one, which they share', async () => {
    const disk = manualDisk();
    const first = disk.commit('writes');
    await nextTurn();
    await nextTurn();
    const second = disk.commit('writes');
    await nextTurn();
    const third = disk.commit('writes');
    disk.underway[0]?.resolve();
    await first;
    expect(await isSettled(second)).toBe(false);
    expect(disk.groups).toHaveLength(2);
    disk.underway[1]?.resolve();
    await Promise.all([second, third]);
  });

  test('a transaction without writes waits for pending syncs and starts none', async () => {
    const disk = manualDisk();
    await disk.commit('reads');
    expect(disk.underway).toHaveLength(0);
    const writer = disk.commit('writes');
    await nextTurn();
    await nextTurn();
    const reader = disk.commit('reads');
    expect(await isSettled(reader)).toBe(false);
    disk.underway[0]?.resolve();
    await Promise.all([writer, reader]);
    expect(disk.underway).toHaveLength(1);
  });

  test('a failed sync refuses all waiting and later transactions without a retry', async () => {
    const disk = manualDisk();
    const first = disk.commit('writes');
    await nextTurn();
    await nextTurn();
    const second = disk.commit('writes');
    disk.underway[0]?.reject(new Error('EIO'));
    await expect(first).rejects.toThrow(StorageUnavailable);
    await expect(second).rejects.toThrow(StorageUnavailable);
    await expect(disk.commit('reads')).rejects.toThrow(StorageUnavailable);
    expect(disk.groups).toHaveLength(1);
    expect(disk.underway).toHaveLength(1);
  });

  test('a group that waits too long is refused; later ones are not', async () => {
    const disk = manualDisk({ busyLimitMs: 20 });
    const keepAlive = setInterval(() => undefined, 1_000);
    let release = (): void => undefined;
    const held = disk.lock.run(1_000, () => new Promise<void>((resolve) => (release = resolve)));
    const refused = [disk.commit('reads'), disk.commit('reads')];
    for (const each of refused) await expect(each).rejects.toThrow(StorageUnavailable);
    release();
    await held;
    await disk.commit('reads');
    clearInterval(keepAlive);
  });
});
