import type { Ddl } from '../engine.js';

/** One step of the schema. Steps are numbered without gaps, run once, and never change after release. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Returns the statements in order, the same on every engine except for `ddl`. */
  statements(ddl: Ddl): readonly string[];
}
