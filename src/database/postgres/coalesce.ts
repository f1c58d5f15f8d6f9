import { deferred, type Deferred } from '../../core/deferred.js';

/**
 * Coalesces calls into shared rounds of `ask`. A round serves only callers that arrived before it was sent, so
 * callers during a round wait for the next one. A round is sent after all input of the current turn of the event loop
 * is read, so the requests of a turn share one. An error of `ask` rejects all callers of its round.
 */
export function coalesce(ask: () => Promise<void>): () => Promise<void> {
  let next: Deferred<void> | undefined;
  let isRunning = false;

  const send = async (): Promise<void> => {
    const round = next;
    next = undefined;
    isRunning = true;
    try {
      await ask();
      round?.resolve();
    } catch (error) {
      round?.reject(error);
    }
    isRunning = false;
    if (next) setImmediate(sendSoon);
  };
  const sendSoon = (): void => void send();

  return () => {
    if (!next) {
      next = deferred();
      if (!isRunning) setImmediate(sendSoon);
    }
    return next.promise;
  };
}
