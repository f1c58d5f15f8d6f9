import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { StorageUnavailable } from '../errors.js';
import { createGroupCommit } from './group-commit.js';

/** Creates a disk whose syncs the test completes by hand. */
function manualDisk() {
  const underway: { resolve: () => void; reject: (error: Error) => void }[] = [];
  return {
    underway,
    sync: () => new Promise<void>((resolve, reject) => underway.push({ resolve, reject })),
  };
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
    const group = createGroupCommit(disk.sync);
    group.committed();
    const durable = group.durable();
    expect(await isSettled(durable)).toBe(false);
    expect(disk.underway).toHaveLength(1);
    disk.underway[0]?.resolve();
    await durable;
  });

  test('commits of one turn share a sync', async () => {
    const disk = manualDisk();
    const group = createGroupCommit(disk.sync);
    const durables = Array.from({ length: 5 }, () => {
      group.committed();
      return group.durable();
    });
    await nextTurn();
    await nextTurn();
    disk.underway[0]?.resolve();
    await Promise.all(durables);
    expect(disk.underway).toHaveLength(1);
  });

  test('a commit during a sync waits for the next one', async () => {
    const disk = manualDisk();
    const group = createGroupCommit(disk.sync);
    group.committed();
    const first = group.durable();
    await nextTurn();
    await nextTurn();
    group.committed();
    const second = group.durable();
    disk.underway[0]?.resolve();
    await first;
    expect(await isSettled(second)).toBe(false);
    disk.underway[1]?.resolve();
    await second;
  });

  test('a transaction without writes waits for pending syncs and starts none', async () => {
    const disk = manualDisk();
    const group = createGroupCommit(disk.sync);
    await group.durable();
    expect(disk.underway).toHaveLength(0);
    group.committed();
    const writer = group.durable();
    await nextTurn();
    await nextTurn();
    const reader = group.durable();
    expect(await isSettled(reader)).toBe(false);
    disk.underway[0]?.resolve();
    await Promise.all([writer, reader]);
    expect(disk.underway).toHaveLength(1);
  });

  test('a failed sync refuses all waiting and later transactions without a retry', async () => {
    const disk = manualDisk();
    const group = createGroupCommit(disk.sync);
    group.committed();
    const first = group.durable();
    await nextTurn();
    await nextTurn();
    group.committed();
    const second = group.durable();
    disk.underway[0]?.reject(new Error('EIO'));
    await expect(first).rejects.toThrow(StorageUnavailable);
    await expect(second).rejects.toThrow(StorageUnavailable);
    await expect(group.durable()).rejects.toThrow(StorageUnavailable);
    expect(group.failure).toBeInstanceOf(StorageUnavailable);
    expect(disk.underway).toHaveLength(1);
  });
});
