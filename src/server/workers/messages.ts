import type { Worker } from 'node:cluster';
import { NamedError } from '../../core/named-error.js';

/** The workers of one server start, which exchange counts. */
export interface WorkerGroup {
  /** Unique per start. */
  readonly groupId: string;
  readonly startedAtMs: number;
}

/** The parameters of a started worker. */
export interface WorkerSlot extends WorkerGroup {
  /** From 0; used by one worker at a time. */
  readonly slot: number;
  /** The port of the first worker; absent for the first worker, which chooses it and fills the database. */
  readonly port?: number;
}

/** A message from a worker to the primary process. */
export type Report =
  | { readonly kind: 'ready'; readonly url: string; readonly port: number }
  | { readonly kind: 'failed'; readonly lines: readonly string[] };

/** `stop`: the server stops. `retire`: another worker has taken over, so clients have time to reconnect. */
export type Order = 'stop' | 'retire';

/** The environment variable with a worker's slot as JSON. */
export const SLOT_VARIABLE = 'PIPIT_WORKER_SLOT';

/** Sends a message to the other end of a worker's channel. Resolves when it is written or the channel is closed. */
export function sendMessage<M extends object>(worker: Worker, message: M): Promise<void> {
  return new Promise((resolve) => {
    if (worker.isConnected()) worker.send(message, () => resolve());
    else resolve();
  });
}

/** Thrown when a worker could not start; the lines give the reason. */
export class WorkerFailed extends NamedError {
  constructor(readonly lines: readonly string[]) {
    super(lines.join('; '));
  }
}
