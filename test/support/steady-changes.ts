import { expect, vi } from 'vitest';
import type { Engine } from '../../src/database/engine.js';

/** Waits until the engine receives changes and has received all earlier ones, so that caches keep their entries. */
export async function steadyChanges(engine: Engine, tables: readonly string[] = ['notes']): Promise<void> {
  const changes = engine.changesIn(tables);
  await vi.waitFor(() => expect(changes()).toBe(changes()));
  await engine.catchUp();
}
