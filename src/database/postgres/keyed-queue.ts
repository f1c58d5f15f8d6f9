/** Lets work of one name go one after the other; work of other names does not wait for it. */
export interface KeyedQueue {
  /** Runs `work` when all that was asked for before under this name has ended, however it ended. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedQueue(): KeyedQueue {
  /** The end of what is last in each lane; an empty lane is not there. */
  const lastEnds = new Map<string, Promise<void>>();
  return {
    run: (name, work) => {
      const running = (lastEnds.get(name) ?? Promise.resolve()).then(work);
      const end = running.then(
        () => undefined,
        () => undefined,
      );
      lastEnds.set(name, end);
      void end.then(() => {
        if (lastEnds.get(name) === end) lastEnds.delete(name);
      });
      return running;
    },
  };
}
