/** How the tables of a database are spread over several servers (docs/scaling.md). */

/** How a table is placed. Tables without a placement stay on the coordinator. */
export type Placement =
  | { readonly table: string; readonly kind: 'sharded'; readonly key: string; readonly group: string }
  | { readonly table: string; readonly kind: 'copied' };

/** What `distribute` does with one table. */
export interface PlacementStep {
  readonly placement: Placement;
  /** The statements, as an administrator would run them. */
  readonly statements: readonly string[];
}

/** The plan for a database. */
export interface DistributionPlan {
  /** The version of Citus. */
  readonly version: string | undefined;
  /** The servers that store shards. */
  readonly workers: readonly string[];
  readonly steps: readonly PlacementStep[];
  /** The tables that stay on the coordinator. */
  readonly local: readonly string[];
}

export interface DistributeOptions {
  /** Only returns the plan. */
  readonly isDryRun?: boolean;
  /** The number of shards of each table; 32 by default. */
  readonly shards?: number;
  onStep?(step: PlacementStep): void;
}

/** Spreads a database. Each function throws UnsupportedDatabase, with what to do, if the database cannot be. */
export interface Distribution {
  /**
   * Distributes the tables, each in its own transaction. Continues where an interrupted run stopped, and does nothing
   * if all tables are placed. No server may run.
   */
  distribute(options?: DistributeOptions): Promise<DistributionPlan>;
  /**
   * Moves shards between the workers until they hold as much each, while servers run. A second call waits for one
   * that was interrupted. Returns the number of groups of shards that moved. Throws StorageUnavailable if the cluster
   * gave up.
   */
  rebalance(onProgress: (line: string) => void): Promise<number>;
}
