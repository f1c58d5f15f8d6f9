import type { Engine } from '../database/engine.js';
import type { Sql } from '../database/sql.js';
import { StatementWatch } from '../database/statement-watch.js';
import type { StorageLog } from '../database/storage-log.js';
import { statementText } from './statement-text.js';

/** A statement that took long, without the values of its parameters. */
export interface SlowStatement {
  readonly statement: string;
  /** How often it was slow. */
  readonly count: number;
  readonly longestMs: number;
  readonly totalMs: number;
  /** What the last slow run returned or changed. */
  readonly rows: number;
  /** Milliseconds since the epoch. */
  readonly lastAtMs: number;
  /** Lines; absent until it is known, or if the database could not tell it. */
  readonly plan?: readonly string[];
}

/** How many statements are kept; the one whose last slow run is longest ago makes room. */
const MAX_STATEMENTS = 100;

/** A statement is logged at most once in this time. */
const LOG_EVERY_MS = 5 * 60_000;

interface Kept {
  count: number;
  longestMs: number;
  totalMs: number;
  rows: number;
  lastAtMs: number;
  plan?: readonly string[];
  loggedAtMs: number;
}

/** Keeps and logs statements that take long, with their plans. */
export class SlowStatements {
  readonly watch: StatementWatch;
  /** In the order of their last slow run. */
  readonly #kept = new Map<string, Kept>();
  readonly #log: StorageLog;
  readonly #clock: () => number;
  #explain: Engine['explain'] | undefined;

  constructor({ slowMs, log, clock }: { slowMs: number; log: StorageLog; clock: () => number }) {
    this.#log = log;
    this.#clock = clock;
    this.watch = new StatementWatch(slowMs, (...ran) => this.#take(...ran));
  }

  /** Reads plans from this engine from now on. */
  explainWith({ explain }: Pick<Engine, 'explain'>): void {
    this.#explain = explain;
  }

  /** Returns the statements, those that took the most time first. */
  readonly list = (): SlowStatement[] =>
    mergeSlowStatements(
      [...this.#kept].map(([statement, { count, longestMs, totalMs, rows, lastAtMs, plan }]) => ({
        ...{ statement, count, longestMs, totalMs, rows, lastAtMs },
        ...(plan && { plan }),
      })),
    );

  #take(query: Sql, elapsedMs: number, rows: number): void {
    const statement = statementText(query);
    const nowMs = this.#clock();
    const kept = this.#kept.get(statement) ?? newlyKept();
    kept.count += 1;
    kept.longestMs = Math.max(kept.longestMs, elapsedMs);
    kept.totalMs += elapsedMs;
    kept.rows = rows;
    kept.lastAtMs = nowMs;
    this.#kept.delete(statement);
    this.#kept.set(statement, kept);
    this.#forgetOldest();
    if (nowMs - kept.loggedAtMs < LOG_EVERY_MS) return;
    kept.loggedAtMs = nowMs;
    void this.#report(query, statement, kept, elapsedMs);
  }

  #forgetOldest(): void {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_STATEMENTS && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Logs a statement with its plan. Never rejects: without a plan, the statement is worth a line too. */
  async #report(query: Sql, statement: string, kept: Kept, elapsedMs: number): Promise<void> {
    const { rows, count } = kept;
    try {
      // After the transaction that ran the statement, so that nothing waits for the plan.
      await new Promise((resolve) => setImmediate(resolve));
      kept.plan = await this.#explain?.(query);
    } catch {
      kept.plan = undefined;
    }
    const plan = kept.plan?.join('\n');
    this.#log.warn({ statement, ms: Math.round(elapsedMs), rows, count, plan }, 'a statement was slow');
  }
}

/** Adds up the lists of several processes: statements that took the most time first, each once. */
export function mergeSlowStatements(all: readonly SlowStatement[]): SlowStatement[] {
  const merged = new Map<string, SlowStatement>();
  for (const each of all) {
    const other = merged.get(each.statement);
    merged.set(each.statement, other ? added(other, each) : each);
  }
  return [...merged.values()].sort((a, b) => b.totalMs - a.totalMs);
}

function added(one: SlowStatement, other: SlowStatement): SlowStatement {
  const newer = one.lastAtMs >= other.lastAtMs ? one : other;
  return {
    ...newer,
    count: one.count + other.count,
    longestMs: Math.max(one.longestMs, other.longestMs),
    totalMs: one.totalMs + other.totalMs,
    plan: newer.plan ?? one.plan ?? other.plan,
  };
}

function newlyKept(): Kept {
  return { count: 0, longestMs: 0, totalMs: 0, rows: 0, lastAtMs: 0, loggedAtMs: -Infinity };
}
