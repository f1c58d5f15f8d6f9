import { prune, type PruneOrder, type Pruned } from '../../../src/services/prune/prune.js';
import type { TestApp } from '../../support/app.js';

const signal = new AbortController().signal;

/** Prunes the database of a server and returns what was deleted, or would be. */
export async function pruned(
  { pipit: { backend } }: TestApp,
  { isDryRun = false, ...order }: Partial<PruneOrder>,
): Promise<Pruned[]> {
  const done: Pruned[] = [];
  for await (const each of prune({ ...backend, signal }, { ...order, isDryRun })) done.push(each);
  return done;
}
