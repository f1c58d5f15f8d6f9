import { setTimeout as pause } from 'node:timers/promises';
import { Answer } from '../http/answer.js';
import type { PlainRoute } from '../http/plain-route.js';

/** The result of a check; `detail` is safe to publish. */
interface CheckResult {
  readonly ok: boolean;
  readonly detail?: string;
}

export type Check = () => Promise<CheckResult>;

export interface ReadinessReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, CheckResult>>;
}

export interface ReadinessDeps {
  readonly checks: Readonly<Record<string, Check>>;
  readonly log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
  /** A monotonic clock. */
  readonly nowMs: () => number;
  /** The time limit of a check; 2 s by default. */
  readonly limitMs?: number;
}

/** The checks run at most once in this time. */
const KEPT_MS = 1_000;
const LIMIT_MS = 2_000;

/** Creates a function that runs all checks, or returns recent results. Never rejects. */
export function createReadiness(deps: ReadinessDeps): () => Promise<ReadinessReport> {
  let kept: { readonly report: Promise<ReadinessReport>; readonly untilMs: number } | undefined;
  let isRunning = false;
  const failing = new Set<string>();
  return () => {
    if (kept && (isRunning || deps.nowMs() < kept.untilMs)) return kept.report;
    isRunning = true;
    const report = runChecks(deps, failing).finally(() => {
      isRunning = false;
      kept = { report, untilMs: deps.nowMs() + KEPT_MS };
    });
    kept = { report, untilMs: Infinity };
    return report;
  };
}

/** Runs the checks. `failing` contains the checks that threw last time: each failure is logged once. */
async function runChecks(
  { checks, log, limitMs = LIMIT_MS }: ReadinessDeps,
  failing: Set<string>,
): Promise<ReadinessReport> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        const result = await within(check(), limitMs);
        failing.delete(name);
        return [name, result] as const;
      } catch (err) {
        if (!failing.has(name)) log.warn({ check: name, err }, 'a readiness check failed');
        failing.add(name);
        // A driver's message may contain hosts and users.
        return [name, { ok: false, detail: 'failed; see the log' }] as const;
      }
    }),
  );
  return { ready: results.every(([, { ok }]) => ok), checks: Object.fromEntries(results) };
}

async function within(work: Promise<CheckResult>, limitMs: number): Promise<CheckResult> {
  const timer = new AbortController();
  const late = pause(limitMs, { ok: false, detail: `no answer within ${limitMs / 1000} s` }, timer);
  // Aborted below.
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}

/** What a server that stops says, whatever its checks find. */
const STOPPING: ReadinessReport = {
  ready: false,
  checks: { stopping: { ok: false, detail: 'the server stops; requests are still answered' } },
};

/**
 * `/livez`: the process responds. `/readyz`: 200 or 503, whether it can serve, and the result of each check; 503 while
 * `isStopping`.
 */
export function healthRoutes(
  readiness: () => Promise<ReadinessReport>,
  isStopping: () => boolean,
): PlainRoute[] {
  return [
    {
      method: 'GET',
      path: '/livez',
      skipsDatabase: true,
      handler: () => new Answer(200, { live: true }),
    },
    {
      method: 'GET',
      path: '/readyz',
      skipsDatabase: true,
      handler: async () => {
        const report = isStopping() ? STOPPING : await readiness();
        return new Answer(report.ready ? 200 : 503, report);
      },
    },
  ];
}
