import type { AppId, StreamRuleId } from '../core/ids.js';
import { MAX_RULE_LENGTH, MAX_RULE_TAG_CHARACTERS } from '../core/limits.js';
import { timeOfId } from '../core/snowflake.js';
import * as v from '../core/validators.js';
import { faultsOfRule } from '../services/streams/stream-rules.js';
import { findStreamRule, insertStreamRules, listAllStreamRules } from '../stores/stream-rules.js';
import { requireApps } from './credentials.js';
import { requireUnique, type Check, type Load } from './pass.js';
import { idOf, listOf, objectOf } from './readers.js';
import { worldTime } from './world-time.js';

const rule = objectOf({
  id: v.required(idOf<StreamRuleId>()),
  app: v.required(idOf<AppId>()),
  value: v.required(v.text({ min: 1, max: MAX_RULE_LENGTH })),
  tag: v.text({ max: MAX_RULE_TAG_CHARACTERS }),
  created_at: worldTime,
});
export const readStreamRules = listOf(rule);
type WorldRule = v.ValueOf<typeof rule>;

/** Checks that apps exist, that rules are well-formed, and that no app has a value twice. */
export async function checkStreamRules(
  entries: readonly WorldRule[],
  declaredApps: ReadonlySet<string>,
  check: Check,
): Promise<void> {
  const { known, faults } = check;
  requireUnique(entries, 'id', (entry) => entry.id, faults);
  requireUnique(entries, 'value', (entry) => `${entry.app} ${entry.value}`, faults);
  await requireApps(entries, declaredApps, check);
  for (const { id, app, value, path } of entries) {
    for (const fault of faultsOfRule(value)) faults.add(`${path}.value`, `is no rule: ${fault}`);
    const stored = await findStreamRule(known.db, id);
    if (stored && (stored.appId !== app || stored.value !== value))
      faults.add(`${path}.id`, `is the rule ${JSON.stringify(stored.value)} of app ${stored.appId}`);
  }
}

/** Stores the rules whose id and value the app does not have yet. */
export async function storeStreamRules(entries: readonly WorldRule[], load: Load): Promise<void> {
  const { tx, nowMs } = load;
  for (const { id, app: appId, value, tag, created_at: createdAt } of entries) {
    const stored = await listAllStreamRules(tx, appId);
    if (stored.some((each) => each.id === id || each.value === value)) continue;
    const createdAtMs = createdAt?.at(nowMs) ?? timeOfId(id) ?? nowMs;
    await insertStreamRules(tx, [{ id, appId, value, tag, createdAtMs }]);
    load.added('stream_rules');
  }
}
