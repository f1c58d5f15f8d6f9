import { PipitError } from '../../core/errors.js';
import { createAtMost } from './at-most.js';
import { MediaRefused } from './media-refused.js';
import {
  PictureProcessDied,
  startPictureProcess,
  type PictureAnswer,
  type PictureOrder,
  type PictureProcess,
} from './picture-process.js';
import type { Size } from './picture-sizes.js';

/** Processes that decode pictures, a few at a time; others wait, and too many are refused. */
export interface PicturePool {
  /** Throws MediaRefused for what the decoder refuses or dies of, PipitError 'unavailable' when too many wait. */
  run(order: PictureOrder): Promise<Size>;
  /** Ends all processes. */
  close(): void;
}

const AT_ONCE = 2;

/** Each waiting picture lies on disk; a client that waits longer than this queue takes has given up. */
const MAX_WAITING = 64;
const RETRY_AFTER_SECONDS = 10;

/** A decoder takes some 60 MB and a quarter of a second to start. */
const IDLE_MS = 30_000;

const TOO_LARGE = 'The image is broken or too large.';

/** Starts processes with the first pictures, and ends those that have had nothing to do. */
export function createPicturePool(start: () => PictureProcess = startPictureProcess): PicturePool {
  const idle = new Map<PictureProcess, NodeJS.Timeout>();
  const running = new Set<PictureProcess>();
  const atMost = createAtMost(AT_ONCE, MAX_WAITING, () => {
    throw new PipitError({ code: 'unavailable', retryAfterSeconds: RETRY_AFTER_SECONDS });
  });
  let isClosed = false;
  const end = (child: PictureProcess): void => {
    clearTimeout(idle.get(child));
    idle.delete(child);
    child.end();
  };
  const take = (): PictureProcess => {
    for (const [child, timer] of idle) {
      clearTimeout(timer);
      idle.delete(child);
      if (child.isAlive) return child;
    }
    return start();
  };
  const ask = async (order: PictureOrder): Promise<Size> => {
    const child = take();
    running.add(child);
    let answer: PictureAnswer | undefined;
    try {
      answer = await child.ask(order);
    } finally {
      running.delete(child);
      if (isClosed || answer === undefined) end(child);
      else idle.set(child, setTimeout(() => end(child), IDLE_MS).unref());
    }
    if (answer === undefined) throw new MediaRefused(TOO_LARGE);
    if ('refused' in answer) throw new MediaRefused(answer.refused);
    return answer;
  };
  return {
    run: (order) => atMost(() => withSecondTry(() => ask(order))),
    close: () => {
      isClosed = true;
      for (const child of [...idle.keys(), ...running]) end(child);
    },
  };
}

/** A process may be ended by others, as when memory is short: the picture is to blame when the next one dies too. */
async function withSecondTry(ask: () => Promise<Size>): Promise<Size> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof PictureProcessDied)) throw error;
  }
  try {
    return await ask();
  } catch (error) {
    throw error instanceof PictureProcessDied ? new MediaRefused(TOO_LARGE, { cause: error }) : error;
  }
}
