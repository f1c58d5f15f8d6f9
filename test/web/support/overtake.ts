import { onTestFinished, vi } from 'vitest';
import type { TestApp } from '../../support/app.js';

/**
 * Runs `act` once, right before the next transaction of this name begins: whatever was checked outside that transaction
 * is out of date when it acts. Returns whether it has run.
 */
export function overtake({ pipit }: TestApp, name: string, act: () => Promise<unknown>): () => boolean {
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
