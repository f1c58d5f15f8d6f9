import { describe, expect, it } from 'vitest';
import { WorkerFailed, type Order, type WorkerSlot } from './messages.js';
import { startSupervisor } from './supervisor.js';
import type { Listening, WorkerProcess } from './worker-process.js';

/** A worker whose start and end the test controls. */
interface FakeWorker extends WorkerProcess {
  readonly workerSlot: WorkerSlot;
  readonly orders: Order[];
  end(how: string): void;
}

/** Creates workers that start when `canStart` resolves to true, and fail when it resolves to false. */
function fakeWorkers(canStart: (index: number) => boolean | Promise<boolean>) {
  const all: FakeWorker[] = [];
  const events: string[] = [];
  const waiting: (() => void)[] = [];
  const startWorker = (workerSlot: WorkerSlot): WorkerProcess => {
    const index = all.length;
    const orders: Order[] = [];
    let end: (how: string) => void = () => undefined;
    const ended = new Promise<string>((resolve) => {
      end = resolve;
    });
    const started = Promise.resolve(canStart(index)).then((can): Listening => {
      if (!can) throw new WorkerFailed([`worker ${index} cannot start`]);
      return { url: 'http://x', port: 4321 };
    });
    started.catch(() => undefined);
    events.push(`start ${index} in ${workerSlot.slot}`);
    all.push({
      workerSlot,
      pid: index,
      slot: workerSlot.slot,
      started,
      ended,
      orders,
      order: (order) => {
        orders.push(order);
        events.push(`${order} ${index}`);
        end('status 0');
      },
      kill: () => end('SIGKILL'),
      end,
    });
    for (const wake of waiting.splice(0)) wake();
    return all[index] as FakeWorker;
  };
  const launched = async (count: number): Promise<void> => {
    while (all.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return { all, events, launched, startWorker };
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const deps = { workers: 2, group: { groupId: 'a', startedAtMs: 1 }, log: silent };

describe('workers', () => {
  it('start with one alone, then the others on its port', async () => {
    const { all, events, startWorker } = fakeWorkers(() => true);
    const supervisor = await startSupervisor({ ...deps, startWorker });
    expect(supervisor.url).toBe('http://x');
    expect(events).toEqual(['start 0 in 0', 'start 1 in 1']);
    expect(all.map(({ workerSlot }) => workerSlot)).toEqual([
      { groupId: 'a', startedAtMs: 1, slot: 0 },
      { groupId: 'a', startedAtMs: 1, slot: 1, port: 4321 },
    ]);
    await supervisor.stop();
    expect(events.slice(2)).toEqual(['stop 0', 'stop 1']);
  });

  it('all end when one of them cannot start', async () => {
    const { all, startWorker } = fakeWorkers((index) => index !== 1);
    await expect(startSupervisor({ ...deps, startWorker })).rejects.toThrow('worker 1 cannot start');
    expect(await all[0]?.ended).toBe('SIGKILL');
  });

  it('are replaced in their slot when they end, and again when the new one cannot start', async () => {
    const { all, events, launched, startWorker } = fakeWorkers((index) => index !== 2);
    const supervisor = await startSupervisor({ ...deps, startWorker });
    all[1]?.end('SIGKILL');
    await launched(4);
    expect(events.slice(2)).toEqual(['start 2 in 1', 'stop 2', 'start 3 in 1']);
    await supervisor.stop();
    expect(all).toHaveLength(4);
  });

  it('are replaced one by one in a restart, the new one first; slots are used again', async () => {
    const { all, events, startWorker } = fakeWorkers(() => true);
    const supervisor = await startSupervisor({ ...deps, startWorker });
    await supervisor.restart();
    expect(events.slice(2)).toEqual(['start 2 in 2', 'retire 0', 'start 3 in 0', 'retire 1']);
    await Promise.all([supervisor.restart(), supervisor.restart()]);
    expect(all.map(({ slot }) => slot)).toEqual([0, 1, 2, 0, 1, 2, 0, 1]);
    await supervisor.stop();
    expect(events.slice(-2)).toEqual(['stop 6', 'stop 7']);
  });

  it('are asked to end only after they have started, since earlier messages are lost', async () => {
    let start: (can: boolean) => void = () => undefined;
    const slow = new Promise<boolean>((resolve) => (start = resolve));
    const { events, launched, startWorker } = fakeWorkers((index) => index < 2 || slow);
    const supervisor = await startSupervisor({ ...deps, startWorker });
    const restarted = supervisor.restart();
    await launched(3);
    const stopped = supervisor.stop();
    await Promise.resolve();
    expect(events).not.toContain('stop 2');
    start(true);
    await Promise.all([restarted, stopped]);
    expect(events).toContain('stop 2');
  });

  it('stay when the first new one of a restart cannot start', async () => {
    const { events, startWorker } = fakeWorkers((index) => index < 2);
    const supervisor = await startSupervisor({ ...deps, startWorker });
    await supervisor.restart();
    expect(events.slice(2)).toEqual(['start 2 in 2', 'stop 2']);
    await supervisor.stop();
    expect(events.slice(4)).toEqual(['stop 0', 'stop 1']);
  });
});
