import type { Decision, ReportCase } from '../../core/report.js';
import type { Clock } from '../../core/clock.js';
import type { Tx } from '../../database/engine.js';
import { closeCase, deleteOldCases } from '../../stores/report-cases.js';

/** Decided cases are kept for this time, for questions of the users concerned. */
const KEPT_MS = 90 * 24 * 3_600_000;

const CHUNK = 100;

/** Closes cases with a decision, and deletes some that were closed long ago. */
export async function decide(
  tx: Tx,
  { clock }: { readonly clock: Clock },
  cases: readonly ReportCase[],
  decision: Decision,
): Promise<void> {
  const nowMs = clock();
  for (const { id } of cases) await closeCase(tx, decision, nowMs, id);
  await deleteOldCases(tx, nowMs - KEPT_MS, CHUNK);
}
