import type { UserId } from '../../core/ids.js';
import type { DeleteAccountPayload } from '../../core/jobs.js';
import { deleteAccount, type DeleteDeps } from './delete-account.js';
import { findUser } from '../../stores/users.js';
import type { JobHandler } from '../jobs/handler.js';

/** Creates the handler that deletes an account in steps. Resumable after a crash. */
export function createAccountDeletion(deps: DeleteDeps): JobHandler<DeleteAccountPayload> {
  return async ({ payload }) => {
    const user = await findUser(deps.engine, BigInt(payload.userId) as UserId);
    if (user) await deleteAccount(deps, user);
  };
}
