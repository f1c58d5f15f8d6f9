import { forbidden } from '../../core/errors.js';
import type { User } from '../../core/user.js';
import { listAppsOf } from '../../storage/apps.js';
import { deleteDeactivation } from '../../storage/deactivated-users.js';
import { insertDeletedUser } from '../../storage/deleted-users.js';
import type { Engine } from '../../storage/engine.js';
import type { JobQueue } from '../../storage/job-queue.js';
import { lockUsers } from '../../storage/user-locks.js';
import { setSuspended } from '../../storage/users.js';
import { deleteWebSessionsOf } from '../../storage/web-sessions.js';
import type { Clock } from '../../core/clock.js';

/**
 * Deletes an account for good: it is hidden and signed out with this call, and a job takes away what there is of it.
 * Throws `forbidden` for the owner of apps, which others may need: they are deleted, one by one, first.
 */
export async function closeAccount(
  deps: { readonly engine: Engine; readonly clock: Clock; readonly queue: JobQueue },
  user: User,
): Promise<void> {
  await deps.engine.tx('close account', async (tx) => {
    await lockUsers(tx, [user.id]);
    if ((await listAppsOf(tx, user.id)).length > 0) {
      throw forbidden(`@${user.username} owns apps: delete them first.`);
    }
    await setSuspended(tx, user.id, true);
    await deleteDeactivation(tx, user.id);
    await insertDeletedUser(tx, user, deps.clock());
    await deleteWebSessionsOf(tx, user.id);
    const payload = { userId: String(user.id) };
    await deps.queue.enqueue(tx, { kind: 'delete-account', payload, uniqueKey: `delete-account ${user.id}` });
  });
}
