import { performance } from 'node:perf_hooks';
import type { Sql } from './sql.js';

/** Called with a statement that took long, how long, and how many rows it returned or changed. */
export type OnSlowStatement = (query: Sql, elapsedMs: number, rows: number) => void;

/** Finds statements that take long. */
export class StatementWatch {
  constructor(
    private readonly slowMs: number,
    private readonly onSlow: OnSlowStatement,
  ) {}

  /** Returns the present, for `ended`. */
  begin(): number {
    return performance.now();
  }

  /** Takes a statement that ran to its end. Returns when it ended. */
  ended(query: Sql, begunMs: number, rows: number): number {
    const nowMs = performance.now();
    if (nowMs - begunMs >= this.slowMs) this.onSlow(query, nowMs - begunMs, rows);
    return nowMs;
  }
}
