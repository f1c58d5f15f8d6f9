import type { Worker } from 'node:cluster';

/** The workers of one start, which exchange their counts. */
export interface WorkerCrew {
  /** Shared with no other start. */
  readonly crew: string;
  readonly startedAtMs: number;
}

/** What a worker is given when it is started. */
export interface WorkerSlot extends WorkerCrew {
  /** From 0; used by one worker at a time. */
  readonly slot: number;
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

/** Sends a message to the other end of a worker's channel. Resolves when it is written, or when the channel is closed. */
export function sendMessage(worker: Worker, message: object): Promise<void> {
  return new Promise((resolve) => {
    if (worker.isConnected()) worker.send(message, () => resolve());
    else resolve();
  });
}

/** A worker could not start; the lines say why. */
export class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';

  constructor(readonly lines: readonly string[]) {
    super(lines.join('; '));
  }
}
