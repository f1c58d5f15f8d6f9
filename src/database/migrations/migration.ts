import type { Ddl } from '../engine.js';

/** One step of the schema. Steps are numbered without gaps, run once, and never change after release. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /**
   * The schema version of the oldest build whose servers may go on while this step is applied and afterwards
   * (docs/design/processes.md#rolling-upgrades); by default `version`: none but those that know the step.
   */
  readonly oldestBuild?: number;
  /** Returns the statements in order, the same on every engine except for `ddl`. */
  statements(ddl: Ddl): readonly string[];
}
