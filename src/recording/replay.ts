import type { ReplayStep } from './plan-replay.js';

/** Creates a post in the network; returns why it was refused, if it was. */
export type CreateReplayed = (step: ReplayStep) => Promise<string | undefined>;

export interface ReplayOptions {
  readonly create: CreateReplayed;
  readonly clock: () => number;
  /** Resolves after that time, or earlier when the replay is stopped. */
  readonly wait: (durationMs: number) => Promise<void>;
  readonly isStopped: () => boolean;
  readonly onProgress?: (report: ReplayReport) => void;
}

/** The result of a replay, so far. */
export interface ReplayReport {
  posted: number;
  /** The number of refused posts by reason. */
  readonly refused: Map<string, number>;
  isStopped: boolean;
}

/** Timers take no longer times. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** Creates each post when it is due: the time of its step after the start. A late post does not delay the next. */
export async function replay(
  steps: readonly ReplayStep[],
  { create, clock, wait, isStopped, onProgress }: ReplayOptions,
): Promise<ReplayReport> {
  const report: ReplayReport = { posted: 0, refused: new Map(), isStopped: false };
  const startMs = clock();
  for (const step of steps) {
    for (let leftMs = step.afterMs; leftMs > 0 && !isStopped();) {
      leftMs = startMs + step.afterMs - clock();
      if (leftMs > 0) await wait(Math.min(leftMs, MAX_WAIT_MS));
    }
    if (isStopped()) return { ...report, isStopped: true };
    const reason = await create(step);
    if (reason === undefined) report.posted += 1;
    else report.refused.set(reason, (report.refused.get(reason) ?? 0) + 1);
    onProgress?.(report);
  }
  return report;
}
