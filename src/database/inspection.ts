import type { Queryable } from './engine.js';
import type { SchemaDialect } from './migrate.js';

/** `problem`: something is wrong and should be mended. `warning`: it may hurt one day, or is slow. */
type FindingLevel = 'ok' | 'warning' | 'problem';

/** What one check says, in a line for the operator. */
export interface Finding {
  readonly level: FindingLevel;
  readonly check: string;
  readonly message: string;
}

/** How an engine's own checks are made. */
export interface CheckOptions {
  /** Whether to read every page. */
  readonly isDeep: boolean;
  /** How many processes a server is to have on the database. */
  readonly processes: number;
}

/** A database opened to be looked at: nothing in it is changed, no schema brought up to date. */
export interface Inspection extends AsyncDisposable {
  /** As the operator knows it: `SQLite`, `PostgreSQL`. */
  readonly engine: string;
  readonly version: string;
  readonly db: Queryable;
  readonly dialect: SchemaDialect;
  /** What only this engine has: its settings, its files, its disk. */
  check(options: CheckOptions): Promise<readonly Finding[]>;
}
