import { LabelledHistogram } from '../../core/histogram.js';
import { counter, sample, type Metrics } from '../../core/metrics.js';

/**
 * How an attempt ended. `lost`: another worker claimed the job. `released`: the worker stopped. `unstored`: the
 * database did not take the outcome.
 */
export type JobOutcome = 'done' | 'failed' | 'dead' | 'released' | 'lost' | 'unstored';

/** In seconds, from a quick note to the deletion of a large account. */
const DURATION_BOUNDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800];

/** Counts the attempts of jobs in this process. */
export class JobCounts {
  readonly #runs = new Map<string, { readonly kind: string; readonly outcome: JobOutcome; count: number }>();
  readonly #durations = new LabelledHistogram(DURATION_BOUNDS);

  add(kind: string, outcome: JobOutcome, seconds: number): void {
    const key = `${kind} ${outcome}`;
    const run = this.#runs.get(key) ?? { kind, outcome, count: 0 };
    run.count += 1;
    this.#runs.set(key, run);
    this.#durations.observe(kind, seconds);
  }

  readonly collect = (): Metrics => [
    counter(
      'pipit_job_runs_total',
      'Attempts of jobs by kind and outcome.',
      [...this.#runs.values()].map(({ kind, outcome, count }) => sample({ kind, outcome }, count)),
    ),
    this.#durations.family('pipit_job_duration_seconds', 'How long attempts of jobs took, by kind.', 'kind'),
  ];
}
