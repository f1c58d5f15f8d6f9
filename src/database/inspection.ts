import type { Queryable } from './engine.js';
import type { SchemaDialect } from './migrate.js';

/** `problem`: something is wrong and should be fixed. `warning`: it may cause trouble later or is slow. */
type FindingLevel = 'ok' | 'warning' | 'problem';

/** The result of one check, as one line for the operator. */
export interface Finding {
  readonly level: FindingLevel;
  readonly check: string;
  readonly message: string;
}

/** Create the findings of one check. */
export const ok = findings('ok');
export const warning = findings('warning');
export const problem = findings('problem');

function findings(level: FindingLevel) {
  return (check: string, message: string): Finding => ({ level, check, message });
}

/** Options for the checks of an engine. */
export interface CheckOptions {
  readonly isDeep: boolean;
  /** The number of server processes that will use the database. */
  readonly processes: number;
}

/** A database opened for inspection: its data and schema stay unchanged. */
export interface Inspection extends AsyncDisposable {
  /** The display name: `SQLite` or `PostgreSQL`. */
  readonly engine: string;
  readonly version: string;
  readonly db: Queryable;
  readonly dialect: SchemaDialect;
  /** Checks what is specific to the engine: settings, files, disk. */
  check(options: CheckOptions): Promise<readonly Finding[]>;
  /** Reads everything, indexes too, and returns the first damage; on a server, which reads its own, undefined. */
  findDamage(): Promise<string | undefined>;
}
