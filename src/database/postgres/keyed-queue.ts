/** Runs work of the same name sequentially; work of other names does not wait for it. */
export type KeyedQueue = ReturnType<typeof createKeyedQueue>;

export function createKeyedQueue() {
  /** The end of the last work in each queue; empty queues have no entry. */
  const tails = new Map<string, Promise<void>>();
  return {
    /** Runs `work` after all earlier work under this name has settled. */
    run: <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const running = (tails.get(name) ?? Promise.resolve()).then(work);
      const end = running.then(
        () => undefined,
        () => undefined,
      );
      tails.set(name, end);
      void end.then(() => {
        if (tails.get(name) === end) tails.delete(name);
      });
      return running;
    },
  };
}
