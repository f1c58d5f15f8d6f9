import type { TestApp } from '../../support/app.js';
import { partsOf } from '../../../src/services/checks/all-parts.js';
import { runChecks, type CheckResult } from '../../../src/services/checks/run-checks.js';
import { CHECK_KINDS } from '../../../src/stores/checks/part.js';

const signal = new AbortController().signal;

/** Runs all checks but those of files and returns what differs. */
export async function differencesIn({ pipit }: TestApp, { mends = false } = {}): Promise<CheckResult[]> {
  const { engine } = pipit.backend;
  const parts = partsOf(engine, new Set(CHECK_KINDS), undefined);
  const differing: CheckResult[] = [];
  for await (const result of runChecks(engine, parts, { mends, signal }))
    if (result.differing > 0) differing.push(result);
  return differing;
}
