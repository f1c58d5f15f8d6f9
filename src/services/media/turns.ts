import { createAtMost } from '../../core/at-most.js';
import { PipitError } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';

/** Runs the tasks of each user one after another. Throws 'unavailable' when the user's queue is full. */
export type Turns = <T>(userId: UserId, work: () => Promise<T>) => Promise<T>;

/** Clients upload the four pictures of a post concurrently. */
const MAX_WAITING = 16;
const RETRY_AFTER_SECONDS = 10;

/** Creates per-user queues, so that no user occupies the shared decoders; a picture may take many seconds. */
export function createTurns(): Turns {
  const users = new Map<UserId, { readonly run: ReturnType<typeof createAtMost>; pending: number }>();
  return async (userId, work) => {
    const own = users.get(userId) ?? { run: createAtMost(1, MAX_WAITING, refuse), pending: 0 };
    users.set(userId, own);
    own.pending += 1;
    try {
      return await own.run(work);
    } finally {
      own.pending -= 1;
      if (own.pending === 0) users.delete(userId);
    }
  };
}

function refuse(): never {
  throw new PipitError({ code: 'unavailable', retryAfterSeconds: RETRY_AFTER_SECONDS });
}
