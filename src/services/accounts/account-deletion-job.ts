import type { UserId } from '../../core/ids.js';
import type { DeleteAccountPayload } from '../../core/jobs.js';
import { deleteAccount, type DeleteDeps } from './delete-account.js';
import { findUser } from '../../stores/users.js';
import type { JobHandler } from '../jobs/handler.js';

/** Deletes an account in pieces; broken off, it is done again and finds the rest. */
export function createAccountDeletion(deps: DeleteDeps): JobHandler<DeleteAccountPayload> {
  return async ({ payload }) => {
    const user = await findUser(deps.engine, BigInt(payload.userId) as UserId);
    if (user) await deleteAccount(deps, user);
  };
}
