/**
 * Shares rounds of `ask` among those who wait. A round is of use only to who came before it was sent, so whoever comes
 * while one is under way waits for the next. Rounds are sent when all that arrived in a turn of the event loop has
 * been read: the requests of a turn share one. What `ask` throws, all of its
 * round get.
 */
export function coalesce(ask: () => Promise<void>): () => Promise<void> {
  let next: Round | undefined;
  let isUnderWay = false;

  const send = async (): Promise<void> => {
    const round = next;
    next = undefined;
    isUnderWay = true;
    try {
      await ask();
      round?.resolve();
    } catch (error) {
      round?.reject(error);
    }
    isUnderWay = false;
    if (next) setImmediate(sendSoon);
  };
  const sendSoon = (): void => void send();

  return () => {
    if (!next) {
      next = createRound();
      if (!isUnderWay) setImmediate(sendSoon);
    }
    return next.promise;
  };
}

interface Round {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

function createRound(): Round {
  let resolve: (() => void) | undefined;
  let reject: ((error: unknown) => void) | undefined;
  const promise = new Promise<void>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  return { promise, resolve: () => resolve?.(), reject: (error) => reject?.(error) };
}
