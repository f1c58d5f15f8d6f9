import type { RequestPlan } from './requests.js';

/** What the generator is asked to do. */
export interface Round {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /**
   * The generator never sleeps. The kernel bills the waking of a sleeping receiver to the sender: on a virtual
   * machine that is more than all other work of a small answer, and the slower a server, the more of its answers pay
   * it.
   */
  readonly polls: boolean;
  /** The status that every answer must have. */
  readonly status: number;
  readonly plan: RequestPlan;
}

/** How it went. */
export interface RoundReport {
  readonly perSecond: number;
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU seconds of the generator per second: near 1, unless it polls, means that it is what was measured. */
  readonly generatorBusy: number;
  /** Answers of other statuses: status and how many. */
  readonly failures: readonly (readonly [number, number])[];
}
