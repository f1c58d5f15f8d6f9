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

/** The authority to close an account: an operator, or the owner's verified password. */
export interface ClosedBy {
  readonly operatorId?: UserId;
  readonly proof?: ProvenPassword;
}

/**
 * Closes an account permanently: hides it, ends its sessions, and enqueues its deletion. Throws `forbidden` when the
 * account owns apps, which must be deleted first, when it is the only operator, and when the operator or owner lost
 * the authority in the meantime.
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
      throw forbidden(`@${user.username} owns apps. Delete them first.`);
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
