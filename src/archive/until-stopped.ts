/** The values until `stopped` resolves, also while the next one is awaited. */
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
      // Of two that are settled a race takes the first.
      if (isStopped || next.done) return;
      yield next.value;
    }
  } finally {
    // It may wait for ever for what is asked of it; whoever owns the values ends that.
    void iterator.return?.().catch(() => undefined);
  }
}
