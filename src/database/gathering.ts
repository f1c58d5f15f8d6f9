/**
 * Creates the wait of requests that arrive in one turn of the event loop for its end. `begin` is called once before all
 * of them go on, one after the other. Serving them together costs less than one at a time.
 */
export function createGathering(begin?: () => void): () => Promise<void> {
  let arriving: Promise<void> | undefined;
  return () =>
    (arriving ??= new Promise((resolve) => {
      setImmediate(() => {
        arriving = undefined;
        begin?.();
        resolve();
      });
    }));
}
