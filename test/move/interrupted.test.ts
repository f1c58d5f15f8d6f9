import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStoredRows } from '../../src/database/open-engine.js';
import type { RowsTx, StoredRows } from '../../src/database/stored-rows.js';
import { runMove } from '../../src/server/move/open-move.js';
import { spawnCli, temporaryFolder } from '../support/cli.js';
import { createDemo, createOther, OTHERS, sumsOf } from './support/databases.js';

class Cut extends Error {}

/** Breaks the connections of a move at one of their calls, every other time after it took effect, as a kill would. */
function cutAt(last: number): typeof openStoredRows {
  let calls = 0;
  const counting = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (object, name) => {
        const member: unknown = Reflect.get(object, name);
        if (typeof member !== 'function') return member;
        if (name === 'close') return member.bind(object) as unknown;
        return async (...args: unknown[]) => {
          calls += 1;
          if (calls > last || (calls === last && last % 2 === 0)) throw new Cut();
          const [body] = args as [(tx: RowsTx) => unknown];
          const passed = name === 'write' ? [(tx: RowsTx) => body(counting(tx))] : args;
          const answer: unknown = await Reflect.apply(member, object, passed);
          if (calls >= last) throw new Cut();
          return answer;
        };
      },
    });
  return async (url) => counting<StoredRows>(await openStoredRows(url));
}

test.each(OTHERS)(
  'a move to %s whose connections break at any call continues, without loss or duplicates',
  async (engine) => {
    await using folder = await temporaryFolder();
    await using target = await createOther(engine, folder.file('b'));
    const [from, to] = [await createDemo(folder.file('a')), target.url];
    const expected = await sumsOf(from);
    const attempt = (lastCall: number) =>
      runMove({
        from: { database: from },
        to: { database: to },
        dataFolder: folder.file('data'),
        follows: false,
        signal: new AbortController().signal,
        onProgress: () => undefined,
        onInStep: () => undefined,
        openRows: cutAt(lastCall),
      });
    for (const lastCall of [9, 220, 400]) await expect(attempt(lastCall)).rejects.toThrow(Cut);
    let cuts = 0;
    const isDone = (lastCall: number) =>
      attempt(lastCall).then(
        () => true,
        (error: unknown) => {
          expect(error).toBeInstanceOf(Cut);
          return false;
        },
      );
    // Each attempt comes somewhat further than the one before, through the index, the comparison and the end.
    while (!(await isDone(260 + 25 * cuts))) cuts += 1;
    expect(cuts).toBeGreaterThan(2);
    for (const url of [from, to]) {
      expect(await sumsOf(url)).toEqual(expected);
      const rows = await openStoredRows(url);
      expect((await rows.tableNames()).filter((name) => name.startsWith('move_'))).toEqual([]);
      const indexes = await rows.listIndexes(await rows.describe(['likes', 'dm_inbox']));
      expect(indexes.map(({ name }) => name).sort()).toEqual([
        'dm_inbox_conversation',
        'dm_inbox_event',
        'likes_newest',
      ]);
      await rows.close();
    }
  },
  90_000,
);

test.each(OTHERS)(
  'a move to %s that is killed continues',
  async (engine) => {
    await using folder = await temporaryFolder();
    await using target = await createOther(engine, folder.file('b'));
    const from = await createDemo(folder.file('a'));
    await using killed = spawnCli(['move', from, target.url], folder.path);
    while (!(await hasNotes(from))) {
      if (killed.child.exitCode !== null) throw new Error(`the move ended: ${killed.stderr()}`);
      await delay(10);
    }
    killed.child.kill('SIGKILL');
    await killed.exit();
    await using last = spawnCli(['move', from, target.url], folder.path);
    expect([await last.exit(), last.stderr()]).toEqual([0, expect.anything()]);
    expect(await sumsOf(target.url)).toEqual(await sumsOf(from));
  },
  90_000,
);

async function hasNotes(url: string): Promise<boolean> {
  const rows = await openStoredRows(url);
  try {
    return (await rows.notes()).size > 0;
  } finally {
    await rows.close();
  }
}
