import * as v from '../core/validators.js';
import { insertDeactivation, suspendDeactivated } from '../stores/deactivated-users.js';
import { dismissSteps } from '../stores/first-steps.js';
import { insertOperator } from '../stores/operators.js';
import { putSuspension } from '../stores/suspensions.js';
import { insertProtectedPeriod } from '../stores/protected-periods.js';
import type { UserId } from '../core/ids.js';
import type { Load } from './pass.js';
import { objectOf, valuesOf } from './readers.js';
import { worldTime } from './world-time.js';

const period = objectOf({ started_at: v.required(worldTime), ended_at: worldTime });

/** As long as a reason that a page shows. */
const MAX_REASON = 1_000;

/** The members of a user that say what happened to the account. */
export const ACCOUNT_MEMBERS = {
  suspended: v.boolean(),
  suspension: objectOf({ reason: v.text({ max: MAX_REASON }), suspended_at: v.required(worldTime) }),
  deactivated_at: worldTime,
  operator_since: worldTime,
  first_steps_dismissed_at: worldTime,
  protected_periods: valuesOf(period),
};
type AccountMembers = v.ValuesOf<typeof ACCOUNT_MEMBERS>;

interface Account extends AccountMembers {
  readonly protected: boolean | undefined;
  readonly path: string;
}

/** Checks that a suspension is of a suspended account, and that each protected period ended, unless the account is protected. */
export function checkAccount(
  { protected: isProtected = false, protected_periods: periods = [], path, ...account }: Account,
  faults: v.FaultSink,
): void {
  if (account.suspension && !account.suspended)
    faults.add(`${path}.suspension`, 'is of an account that is not suspended');
  for (const [index, { started_at: from, ended_at: to }] of periods.entries()) {
    const place = `${path}.protected_periods[${index}]`;
    if (to === undefined && (!isProtected || index < periods.length - 1))
      faults.add(`${place}.ended_at`, 'is missing, and the account is not protected since');
    if (to !== undefined && to.at(0) < from.at(0) && to.isRelative === from.isRelative)
      faults.add(`${place}.ended_at`, 'is before started_at');
  }
}

/** Reports whether an account is hidden: suspended, or deactivated by its owner. */
export function isHidden({ suspended = false, deactivated_at: deactivatedAt }: AccountMembers): boolean {
  return suspended || deactivatedAt !== undefined;
}

/** Stores what happened to the account of a new user. */
export async function storeAccountState(
  id: UserId,
  { suspended, suspension, deactivated_at, protected_periods = [], ...entry }: AccountMembers,
  { tx, nowMs }: Load,
): Promise<void> {
  const { operator_since, first_steps_dismissed_at: dismissedAt } = entry;
  if (dismissedAt) await dismissSteps(tx, id, dismissedAt.at(nowMs));
  if (operator_since) await insertOperator(tx, id, operator_since.at(nowMs));
  for (const { started_at: from, ended_at: to } of protected_periods)
    await insertProtectedPeriod(tx, id, from.at(nowMs), to?.at(nowMs));
  if (suspension) {
    const { reason = '', suspended_at: at } = suspension;
    await putSuspension(tx, id, reason, at.at(nowMs));
  }
  if (!deactivated_at) return;
  await insertDeactivation(tx, id, deactivated_at.at(nowMs));
  if (suspended) await suspendDeactivated(tx, true, id);
}
