import type { RequestPlan } from './requests.js';

/** What the generator is asked to do. */
export interface Round {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
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
  /** CPU seconds of the generator per second: near 1 means that it, not the server, is what was measured. */
  readonly generatorBusy: number;
  /** Answers of other statuses: status and how many. */
  readonly failures: readonly (readonly [number, number])[];
}
