import { setTimeout as pause } from 'node:timers/promises';

/** What one check found; `detail` is safe to send to anybody. */
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
  /** How long a check may take; 2 s unless said otherwise. */
  readonly limitMs?: number;
}

/** However often readiness is asked for, the checks run once in this time. */
const KEPT_MS = 1_000;
const LIMIT_MS = 2_000;

/** Returns what asks whether the server can serve: runs all checks, or returns what they found just before. Never rejects. */
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

/** `failing` holds the checks that threw last time: each failure is logged once. */
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
        // What a driver says may name hosts and users.
        return [name, { ok: false, detail: 'failed; the log says why' }] as const;
      }
    }),
  );
  return { ready: results.every(([, { ok }]) => ok), checks: Object.fromEntries(results) };
}

async function within(work: Promise<CheckResult>, limitMs: number): Promise<CheckResult> {
  const timer = new AbortController();
  const late = pause(limitMs, { ok: false, detail: `no answer within ${limitMs / 1000} s` }, timer);
  // Ended below.
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}
