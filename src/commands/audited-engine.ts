import type { Engine, Tx } from '../database/engine.js';
import type { Sql } from '../database/sql.js';

/** What a transaction has changed so far. */
interface Changes {
  /** Whether a row outside of the audit log changed. */
  state: boolean;
  /** Whether the audit log got an entry. */
  log: boolean;
}

/**
 * Returns an engine whose first transaction that changes something also calls `record`, unless it, or one before it, has
 * added an entry to the audit log itself. The entry and the change are committed together.
 */
export function auditedEngine(engine: Engine, record: (tx: Tx) => Promise<void>): Engine {
  let isRecorded = false;
  return {
    ...engine,
    tx: (name, body, isolation) =>
      engine.tx(
        name,
        async (tx) => {
          const changes: Changes = { state: false, log: false };
          const result = await body(watched(tx, changes));
          if (isRecorded) return result;
          if (changes.state && !changes.log) await record(tx);
          if (changes.state || changes.log) tx.afterCommit(() => (isRecorded = true));
          return result;
        },
        isolation,
      ),
  };
}

function watched(tx: Tx, changes: Changes): Tx {
  const note = ({ strings }: Sql, rows: number): void => {
    if (rows > 0) changes[/^\s*INSERT INTO audit_log\b/.test(strings[0] ?? '') ? 'log' : 'state'] = true;
  };
  /** Reads change nothing, unless they return what they write. */
  const noteRead = (query: Sql, rows: number): void => {
    if (query.strings.some((part) => /\bRETURNING\b/.test(part))) note(query, rows);
  };
  return {
    all: async (query) => {
      const rows = await tx.all(query);
      noteRead(query, rows.length);
      return rows;
    },
    get: async (query) => {
      const row = await tx.get(query);
      noteRead(query, row ? 1 : 0);
      return row;
    },
    run: async (query) => {
      const rows = await tx.run(query);
      note(query, rows);
      return rows;
    },
    runOne: async (query) => {
      const isDone = await tx.runOne(query);
      note(query, isDone ? 1 : 0);
      return isDone;
    },
    afterCommit: tx.afterCommit,
    emit: tx.emit,
    stored: tx.stored,
  };
}
