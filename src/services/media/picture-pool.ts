import { PipitError } from '../../core/errors.js';
import { createAtMost } from '../../core/at-most.js';
import { MediaRefused } from './media-refused.js';
import {
  PictureProcessDied,
  startPictureProcess,
  type PictureAnswer,
  type PictureTask,
  type PictureProcess,
} from './picture-process.js';
import type { WrittenPicture } from './picture-sizes.js';

const AT_ONCE = 2;

/** Each queued picture occupies disk space; clients time out before a longer queue is processed. */
const MAX_WAITING = 64;
const RETRY_AFTER_SECONDS = 10;

/** A decoder takes about 60 MB and a quarter of a second to start. */
const IDLE_MS = 30_000;

const TOO_LARGE = 'The image is broken or too large.';

/**
 * Creates a pool of decoder processes, which start on demand and end when idle. Excess pictures wait in a queue; a full
 * queue refuses them.
 */
export function createPicturePool(start: () => PictureProcess = startPictureProcess) {
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
  const ask = async (order: PictureTask): Promise<WrittenPicture> => {
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
    /**
     * Decodes a picture. Throws MediaRefused when the decoder refuses it or dies of it, and 'unavailable' when the
     * queue is full.
     */
    run: (order: PictureTask) => atMost(() => withRetry(() => ask(order))),
    /** Ends all processes. */
    close: () => {
      isClosed = true;
      for (const child of [...idle.keys(), ...running]) end(child);
    },
  };
}

/**
 * Retries once, because the system may kill a process when memory is short. A second death is blamed on the picture.
 */
async function withRetry(ask: () => Promise<WrittenPicture>): Promise<WrittenPicture> {
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
