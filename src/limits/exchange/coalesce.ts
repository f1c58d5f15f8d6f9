/** Returns a function that asks for `work`, which then runs once after a delay, however often it is asked for meanwhile. */
export function coalesce(work: () => void, delayMs: () => number): () => void {
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    timer = undefined;
    work();
  };
  return () => {
    timer ??= setTimeout(run, delayMs()).unref();
  };
}
