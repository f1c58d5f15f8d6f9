import { PipitError } from '../core/errors.js';
import type { UserId } from '../core/ids.js';

/** The most forms with files that one user may have open. */
const MAX_OPEN = 4;
const RETRY_AFTER_SECONDS = 10;

/** Bounds the forms with files of each user: their files are on disk until the forms are answered. */
export interface FileSlots {
  /** Takes a slot and returns the function that gives it back. Throws 'unavailable' if the user has all of them. */
  take(userId: UserId): () => void;
}

export function createFileSlots(): FileSlots {
  const taken = new Map<UserId, number>();
  return {
    take: (userId) => {
      const count = taken.get(userId) ?? 0;
      if (count >= MAX_OPEN)
        throw new PipitError({ code: 'unavailable', retryAfterSeconds: RETRY_AFTER_SECONDS });
      taken.set(userId, count + 1);
      return () => {
        const left = (taken.get(userId) ?? 0) - 1;
        if (left > 0) taken.set(userId, left);
        else taken.delete(userId);
      };
    },
  };
}
