import { ChangeSet } from '../effect.js';
import type { Tx } from '../engine.js';
import type { Sql } from '../sql.js';
import type { Answer, Connection } from './connections.js';

/** A running transaction, as seen by its runner. */
export interface OpenTransaction {
  readonly tx: Tx;
  readonly effects: readonly (() => void)[];
  /** The error of the first failed statement; if set, the transaction must not be committed. */
  readonly failure: unknown;
  /** True once a statement ran that could change the database, even if it changed no row. */
  readonly mayHaveWritten: boolean;
  /** What the executed statements changed. */
  readonly changes: ChangeSet;
  /** Resolves when all statements are answered, including those that the body did not await. */
  settled(): Promise<void>;
  /** Makes every later use of `tx` throw. */
  end(): void;
}

/**
 * Creates the handle for a body. After a failed statement PostgreSQL refuses all others; so does the handle, without
 * sending them.
 */
export function openTransaction(connection: Connection, name: string): OpenTransaction {
  const effects: (() => void)[] = [];
  const changes = new ChangeSet();
  let failure: unknown;
  let mayHaveWritten = false;
  let hasEnded = false;
  /** Answers arrive in the order of sending: after the last one, all have arrived. */
  let last: Promise<unknown> = Promise.resolve();

  const requireOpen = (): void => {
    if (hasEnded) throw new Error(`transaction ${name} has ended`);
    if (failure !== undefined) throw new Error(`transaction ${name} has failed`, { cause: failure });
  };

  const execute = async (query: Sql): Promise<Answer> => {
    requireOpen();
    const answer = connection.run(query).catch((error: unknown) => {
      failure ??= error;
      throw error;
    });
    last = answer.then(
      (answered) => {
        changes.add(answered.effect, query.params);
        mayHaveWritten ||= answered.mayHaveWritten;
      },
      () => undefined,
    );
    return answer;
  };

  return {
    tx: {
      all: async (query) => (await execute(query)).rows,
      get: async (query) => (await execute(query)).rows[0],
      run: async (query) => (await execute(query)).changed,
      afterCommit: (effect) => {
        requireOpen();
        effects.push(effect);
      },
    },
    effects,
    get failure() {
      return failure;
    },
    get mayHaveWritten() {
      return mayHaveWritten;
    },
    changes,
    settled: async () => {
      await last;
    },
    end: () => {
      hasEnded = true;
    },
  };
}
