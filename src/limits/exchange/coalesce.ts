/** Returns a function that schedules `work` after a delay; calls in the meantime coalesce into one run. */
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
