/** Where a worker sits: told when it is started. */
export interface WorkerSlot {
  /** The folder of shared counters. */
  readonly countersFolder: string;
  readonly slot: number;
  readonly slots: number;
  /** The port that the first worker listens on; absent for the first, which chooses it and fills the database. */
  readonly port?: number;
}

/** What a worker tells the primary process. */
export type Report =
  | { readonly kind: 'ready'; readonly url: string; readonly port: number }
  | { readonly kind: 'failed'; readonly lines: readonly string[] };

/** `stop`: the server ends. `retire`: another worker has taken over, so that there is time for clients to change to it. */
export type Order = 'stop' | 'retire';

/** The variable that holds a worker's slot, as JSON. */
export const SLOT_VARIABLE = 'PIPIT_WORKER_SEAT';

/** A worker could not start; the lines say why. */
export class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';

  constructor(readonly lines: readonly string[]) {
    super(lines.join('; '));
  }
}
