import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../storage-log.js';
import type { CheckpointMode, CheckpointResult } from './checkpoint-thread.js';
import { createCheckpointer, PASSIVE_PAGES, RESTART_PAGES } from './checkpointer.js';

/** Creates a fake log that records the calls. `isRead`: a reader blocks checkpoints. */
function fakeLog() {
  const log = { pages: 0, checkpointedPages: 0, isRead: false };
  const asked: string[] = [];
  const checkpoint = async (mode: CheckpointMode): Promise<CheckpointResult> => {
    asked.push(mode);
    if (!log.isRead) log.checkpointedPages = log.pages;
    const result = { ...log, isBusy: log.isRead };
    if (mode === 'RESTART' && !log.isRead) Object.assign(log, { pages: 0, checkpointedPages: 0 });
    return result;
  };
  const checkpointer = createCheckpointer({
    thread: { checkpoint, close: () => Promise.resolve() },
    walState: () => log,
    exclusive: async (work) => {
      asked.push('hold writers');
      const result = await work();
      asked.push('let writers go');
      return result;
    },
    log: silentLog,
  });
  const growBy = async (pages: number): Promise<void> => {
    log.pages += pages;
    checkpointer.nudge();
    checkpointer.nudge();
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  };
  return { log, asked, growBy, checkpointer };
}

describe('the checkpointer', () => {
  test('ignores a short log', async () => {
    const { asked, growBy } = fakeLog();
    await growBy(PASSIVE_PAGES - 1);
    expect(asked).toEqual([]);
  });

  test('moves pages without blocking writers once there are enough', async () => {
    const { asked, growBy } = fakeLog();
    await growBy(PASSIVE_PAGES);
    await growBy(PASSIVE_PAGES - 1);
    expect(asked).toEqual(['PASSIVE']);
  });

  test('blocks writers only while a long log restarts', async () => {
    const { log, asked, growBy } = fakeLog();
    await growBy(RESTART_PAGES);
    expect(asked).toEqual(['PASSIVE', 'hold writers', 'RESTART', 'let writers go']);
    expect(log.pages).toBe(0);
  });

  test('does not retry at every commit while a long reader blocks it', async () => {
    const { log, asked, growBy } = fakeLog();
    log.isRead = true;
    await growBy(RESTART_PAGES);
    asked.length = 0;
    for (let commit = 0; commit < 5; commit += 1) await growBy(10);
    expect(asked).toEqual([]);
    log.isRead = false;
    await growBy(RESTART_PAGES);
    expect(asked).toContain('RESTART');
  });

  test('does nothing once it is closed', async () => {
    const { asked, growBy, checkpointer } = fakeLog();
    await checkpointer.close();
    await growBy(RESTART_PAGES);
    expect(asked).toEqual([]);
  });
});
