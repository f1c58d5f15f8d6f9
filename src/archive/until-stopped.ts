/** Yields the values until `stopped` resolves, even while the next value is pending. */
export async function* untilStopped<T>(
  values: AsyncIterable<T>,
  stopped: Promise<void> | undefined,
): AsyncGenerator<T, void> {
  const iterator = values[Symbol.asyncIterator]();
  let isStopped = false;
  const stop = stopped?.then(() => {
    isStopped = true;
    return { done: true as const, value: undefined };
  });
  try {
    for (;;) {
      const next = await (stop ? Promise.race([stop, iterator.next()]) : iterator.next());
      // When both promises are settled, a race returns the first.
      if (isStopped || next.done) return;
      yield next.value;
    }
  } finally {
    // A pending `next` may never settle; the owner of the values ends it.
    void iterator.return?.().catch(() => undefined);
  }
}
