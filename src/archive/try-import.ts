import type { Engine, Tx } from '../database/engine.js';

/** The parts of an engine that imports use. */
export type ImportEngine = Pick<Engine, 'get' | 'all' | 'tx'>;

/** Thrown to roll back the dry run. */
class DryRunEnd<T> extends Error {
  constructor(readonly result: T) {
    super('the dry run has ended');
  }
}

/** Runs `work` in a transaction that is always rolled back. `work` sees its own writes. */
export async function inDryRun<T>(
  engine: ImportEngine,
  work: (engine: ImportEngine) => Promise<T>,
): Promise<T> {
  let hasBegun = false;
  const body = async (tx: Tx): Promise<never> => {
    // The sources can be read only once, so the transaction cannot be retried.
    if (hasBegun) throw new Error('the database changed during the dry run; try again');
    hasBegun = true;
    throw new DryRunEnd(await work({ get: tx.get, all: tx.all, tx: (_name, inner) => inner(tx) }));
  };
  try {
    // Read-committed suffices, because nothing is kept.
    return await engine.tx('try import', body, 'read-committed');
  } catch (error) {
    if (error instanceof DryRunEnd) return (error as DryRunEnd<T>).result;
    throw error;
  }
}
