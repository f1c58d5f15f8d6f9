import type { Clock } from '../../core/clock.js';
import { forbidden } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import type { User } from '../../core/user.js';
import { deleteLinksBy, endSignIns } from '../../stores/account-access.js';
import { listAppsOf } from '../../stores/apps.js';
import { deleteDeactivation } from '../../stores/deactivated-users.js';
import { insertDeletedUser } from '../../stores/deleted-users.js';
import type { Engine } from '../../database/engine.js';
import type { JobQueue } from '../../stores/job-queue.js';
import { setSuspended } from '../../stores/users.js';
import {
  lockAccount,
  lockActiveAccount,
  requireOperator,
  requireOtherOperator,
  requireProven,
  type ProvenPassword,
} from './authority.js';

/** Who closes an account: an operator, or its owner by a password that was checked. */
export interface ClosedBy {
  readonly operatorId?: UserId;
  readonly proof?: ProvenPassword;
}

/**
 * Deletes an account for good: it is hidden and signed out with this call, and a job takes away what there is of it.
 * Throws `forbidden` for the owner of apps, which others may need: they are deleted, one by one, first. Throws `forbidden`
 * also when an operator is none any more, and for an owner who was suspended meanwhile, whose password was changed, or
 * who is the only operator.
 */
export async function closeAccount(
  deps: { readonly engine: Engine; readonly clock: Clock; readonly queue: JobQueue },
  { id }: Pick<User, 'id'>,
  { operatorId, proof }: ClosedBy = {},
): Promise<void> {
  await deps.engine.tx('close account', async (tx) => {
    await requireOperator(tx, operatorId);
    const user = await (operatorId === undefined ? lockActiveAccount : lockAccount)(tx, id);
    await requireProven(tx, proof);
    await requireOtherOperator(tx, id);
    if ((await listAppsOf(tx, id)).length > 0) {
      throw forbidden(`@${user.username} owns apps: delete them first.`);
    }
    await setSuspended(tx, id, true);
    await deleteDeactivation(tx, id);
    await insertDeletedUser(tx, user, deps.clock());
    await endSignIns(tx, id);
    await deleteLinksBy(tx, id);
    const payload = { userId: String(id) };
    await deps.queue.enqueue(tx, { kind: 'delete-account', payload, uniqueKey: `delete-account ${id}` });
  });
}
