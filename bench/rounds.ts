import type { RequestPlan } from './requests.js';

/** A round for the generator. */
export interface Round {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /**
   * The generator never sleeps. The kernel charges the wake-up of a sleeping receiver to the sender: on a virtual
   * machine that exceeds all other work of a small response, and affects slower servers more often.
   */
  readonly polls: boolean;
  /** The status that every response must have. */
  readonly status: number;
  readonly plan: RequestPlan;
}

/** The result of a round. */
export interface RoundReport {
  readonly perSecond: number;
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU seconds of the generator per second: near 1, unless it polls, the generator is the bottleneck. */
  readonly generatorBusy: number;
  /** Responses with other statuses: status and count. */
  readonly failures: readonly (readonly [number, number])[];
}
