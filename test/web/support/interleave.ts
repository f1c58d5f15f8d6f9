import { onTestFinished, vi } from 'vitest';
import type { TestApp } from '../../support/app.js';

/**
 * Runs `act` once, just before the next transaction with this name, to make checks outside of the transaction stale.
 * Returns whether it has run.
 */
export function interleave({ pipit }: TestApp, name: string, act: () => Promise<unknown>): () => boolean {
  const { engine } = pipit.backend;
  const original = engine.tx;
  let isDone = false;
  const spy = vi.spyOn(engine, 'tx').mockImplementation(async (txName, body, isolation) => {
    if (txName === name) {
      isDone = true;
      spy.mockRestore();
      await act();
    }
    return original(txName, body, isolation);
  });
  onTestFinished(() => spy.mockRestore());
  return () => isDone;
}
