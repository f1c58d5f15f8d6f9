import { expect, it, onTestFinished } from 'vitest';
import { MediaRefused } from './media-refused.js';
import { createPicturePool } from './picture-pool.js';
import { PictureProcessDied, type PictureAnswer, type PictureProcess } from './picture-process.js';

const ORDER = { kind: 'placeholder', width: 1, height: 1, output: '/nowhere' } as const;
const SIZE = { width: 1, height: 1 };

/** A decoder whose answers the test provides. */
class FakeProcess implements PictureProcess {
  isAlive = true;
  asked = 0;
  settle: (answer: PictureAnswer | undefined) => void = () => undefined;
  private fail: (error: Error) => void = () => undefined;

  ask(): Promise<PictureAnswer | undefined> {
    this.asked += 1;
    return new Promise((resolve, reject) => {
      [this.settle, this.fail] = [resolve, reject];
    });
  }

  die(): void {
    this.isAlive = false;
    this.fail(new PictureProcessDied('killed'));
  }

  end(): void {
    this.isAlive = false;
  }
}

function openPool() {
  const processes: FakeProcess[] = [];
  const pool = createPicturePool(() => {
    const child = new FakeProcess();
    processes.push(child);
    return child;
  });
  onTestFinished(() => pool.close());
  return { pool, processes };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('a decoder is reused for the next picture, and replaced if it died', async () => {
  const { pool, processes } = openPool();
  for (const kills of [false, true, false]) {
    const running = pool.run(ORDER);
    await turn();
    processes.at(-1)?.settle(SIZE);
    expect(await running).toEqual(SIZE);
    if (kills) processes.at(-1)?.end();
  }
  expect(processes.map(({ asked }) => asked)).toEqual([2, 1]);
});

it('a picture is retried when its decoder dies, and refused when the next one dies too', async () => {
  const { pool, processes } = openPool();
  const lucky = pool.run(ORDER);
  await turn();
  processes[0]?.die();
  await turn();
  processes[1]?.settle(SIZE);
  expect(await lucky).toEqual(SIZE);
  const bomb = pool.run(ORDER);
  const refused = expect(bomb).rejects.toThrow(MediaRefused);
  await turn();
  processes[1]?.die();
  await turn();
  processes[2]?.die();
  await refused;
});

it('a decoder that takes too long is not used again', async () => {
  const { pool, processes } = openPool();
  const refused = expect(pool.run(ORDER)).rejects.toThrow(MediaRefused);
  await turn();
  processes[0]?.settle(undefined);
  await refused;
  expect(processes[0]?.isAlive).toBe(false);
});

it('two decoders run at once, other pictures wait, and the server is unavailable when too many wait', async () => {
  const { pool, processes } = openPool();
  const runs = Array.from({ length: 66 }, () => pool.run(ORDER));
  await expect(pool.run(ORDER)).rejects.toMatchObject({ failure: { code: 'unavailable' } });
  await turn();
  expect(processes).toHaveLength(2);
  for (let done = 0; done < 66; done += 1) {
    processes[done % 2]?.settle(SIZE);
    await turn();
  }
  expect(await Promise.all(runs)).toHaveLength(66);
  expect(processes).toHaveLength(2);
});

it('closing ends idle and busy decoders', async () => {
  const { pool, processes } = openPool();
  const first = pool.run(ORDER);
  const second = pool.run(ORDER);
  await turn();
  processes[0]?.settle(SIZE);
  await first;
  pool.close();
  expect(processes.map(({ isAlive }) => isAlive)).toEqual([false, false]);
  processes[1]?.settle(SIZE);
  await second;
});
