import type { Engine, Tx } from '../database/engine.js';

/** What imports use of an engine. */
export type ImportEngine = Pick<Engine, 'get' | 'all' | 'tx'>;

/** Thrown to leave nothing behind. */
class TrialEnds<T> extends Error {
  constructor(readonly result: T) {
    super('the trial ends');
  }
}

/** Runs `work` so that it sees what it writes and nothing of it is kept: in one transaction, which is rolled back. */
export async function withoutTrace<T>(
  engine: ImportEngine,
  work: (trial: ImportEngine) => Promise<T>,
): Promise<T> {
  let hasBegun = false;
  const body = async (tx: Tx): Promise<never> => {
    // What it reads is read once.
    if (hasBegun) throw new Error('the database was changed meanwhile: try again');
    hasBegun = true;
    throw new TrialEnds(await work({ get: tx.get, all: tx.all, tx: (_name, inner) => inner(tx) }));
  };
  try {
    // Nobody relies on what it reads, as nothing of it is kept.
    return await engine.tx('try import', body, 'read-committed');
  } catch (error) {
    if (error instanceof TrialEnds) return (error as TrialEnds<T>).result;
    throw error;
  }
}
