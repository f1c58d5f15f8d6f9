import type { Timers } from '../../core/timers.js';

/** The injected delays of the requests that wait. */
export class Pauses {
  readonly #ends = new Set<() => void>();

  constructor(private readonly timers: Pick<Timers, 'after'>) {}

  /** Resolves after a duration, or earlier if all pauses end. */
  pause(durationMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.#ends.delete(end);
        resolve();
      };
      const cancel = this.timers.after(durationMs, end);
      this.#ends.add(end);
    });
  }

  /** Ends all pauses: a server that ends waits for no delay. */
  endAll(): void {
    for (const end of this.#ends) end();
  }
}
