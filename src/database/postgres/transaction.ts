import type { Effect } from '../effect.js';
import type { Tx } from '../engine.js';
import type { Sql } from '../sql.js';
import type { Answer, Connection } from './connections.js';

/** A transaction under way, as its runner sees it. */
export interface OpenTransaction {
  readonly tx: Tx;
  readonly effects: readonly (() => void)[];
  /** What the first failing statement threw; the transaction must not be committed then. */
  readonly failure: unknown;
  /** True once a statement ran that can change the database, even if it changed no row. */
  readonly mayHaveWritten: boolean;
  /** Of the statements that ran. */
  readonly rowEffects: ReadonlySet<Effect>;
  /** Resolves when every statement was answered, also those that the body did not wait for. */
  settled(): Promise<void>;
  /** From now on every use of `tx` throws. */
  end(): void;
}

/** The handle given to a body. PostgreSQL refuses what follows a failed statement; so does the handle, without asking. */
export function openTransaction(connection: Connection, name: string): OpenTransaction {
  const effects: (() => void)[] = [];
  const rowEffects = new Set<Effect>();
  let failure: unknown;
  let mayHaveWritten = false;
  let hasEnded = false;
  /** Answers come in the order of sending: when the last has come, all have. */
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
        rowEffects.add(answered.effect);
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
    rowEffects,
    settled: async () => {
      await last;
    },
    end: () => {
      hasEnded = true;
    },
  };
}
