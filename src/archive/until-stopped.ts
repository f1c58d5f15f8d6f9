/** Yields the values until `stopped` resolves, even while the next value is pending. */
export async function* untilStopped<T>(
  values: AsyncIterable<T>,
  stopped: Promise<void> | undefined,
): AsyncGenerator<T, void> {
  const iterator = values[Symbol.asyncIterator]();
  let isStopped = false;
  let wake = (): void => undefined;
  void stopped?.then(() => {
    isStopped = true;
    wake();
  });
  // Not a race with `stopped`: until that resolves, it would hold the results of all races, each with its value.
  const nextOrStop = (): Promise<IteratorResult<T> | undefined> =>
    new Promise((resolve, reject) => {
      wake = () => resolve(undefined);
      iterator.next().then(resolve, reject);
    });
  try {
    for (;;) {
      const next = await nextOrStop();
      if (isStopped || !next || next.done) return;
      yield next.value;
    }
  } finally {
    // A pending `next` may never settle; the owner of the values ends it.
    void iterator.return?.().catch(() => undefined);
  }
}
