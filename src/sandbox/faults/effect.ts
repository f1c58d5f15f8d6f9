import type { Random } from '../../core/seeded-random.js';

/** A delay in milliseconds: always the same, or drawn from a distribution. */
export type Delay =
  | { readonly fixed: number }
  | { readonly uniform: { readonly min: number; readonly max: number } }
  | { readonly lognormal: { readonly median: number; readonly sigma: number } };

/** What happens to a request and its answer (docs/sandbox.md#effects). */
export interface Effect {
  /** Answers with an error of this status in place of the operation. */
  readonly status?: number;
  /** The JSON body of that error; by default that of the interface. */
  readonly body?: { readonly json: string };
  /** Headers in lower case, added to that error. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly delay?: Delay;
  /** Resets the connection: before the operation runs, or in place of its answer. */
  readonly reset?: 'before' | 'after';
  /** Ends the body early. */
  readonly cut?: Cut;
  /** Sends the body in pieces of this many bytes. */
  readonly drip?: Drip;
}

/** Exactly one of the numbers is present. */
export interface Cut {
  readonly afterBytes?: number;
  /** Messages of a stream. */
  readonly afterMessages?: number;
  /** Ends a stream as if it were complete; otherwise the connection is reset. */
  readonly isClean: boolean;
}

export interface Drip {
  readonly bytes: number;
  readonly everyMs: number;
}

/** No delay is longer, in milliseconds. */
export const MAX_DELAY_MS = 600_000;

/** Draws a delay, in milliseconds. */
export function drawDelayMs(delay: Delay, random: Random): number {
  if ('fixed' in delay) return delay.fixed;
  if ('uniform' in delay) return delay.uniform.min + random() * (delay.uniform.max - delay.uniform.min);
  const { median, sigma } = delay.lognormal;
  return Math.min(MAX_DELAY_MS, median * Math.exp(sigma * drawNormal(random)));
}

/** Draws from the standard normal distribution (Box and Muller). */
function drawNormal(random: Random): number {
  // The logarithm of 0 is infinite.
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
