import type { Clock } from '../../core/clock.js';
import { PipitError } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import { timeOfId, type IdSource } from '../../core/snowflake.js';
import type { User } from '../../core/user.js';
import type { Tx } from '../../database/engine.js';
import { startProtectedPeriod } from '../../stores/protected-periods.js';
import { insertUser } from '../../stores/users.js';

export interface NewAccount {
  readonly username: string;
  readonly name: string;
  /** Without a password hash, no one can sign in. */
  readonly passwordHash?: string;
  readonly protected: boolean;
}

export interface CreateAccountDeps {
  readonly ids: IdSource;
  readonly clock: Clock;
}

/** Creates an account. Throws `conflict` when the username is taken; usernames are case-insensitive. */
export async function createAccount(
  { ids, clock }: CreateAccountDeps,
  tx: Tx,
  { username, name, passwordHash, protected: isProtected }: NewAccount,
): Promise<User> {
  const id = ids.next<UserId>();
  const user: User = {
    id,
    username,
    name,
    createdAtMs: timeOfId(id) ?? clock(),
    description: '',
    protected: isProtected,
    verified: false,
    allowsPhotoTagging: true,
    receivesDms: 'following',
    suspended: false,
  };
  if ((await insertUser(tx, user, passwordHash)) !== 'inserted') {
    throw new PipitError({ code: 'conflict', detail: `The username @${username} is taken.` });
  }
  if (isProtected) await startProtectedPeriod(tx, id, user.createdAtMs);
  return user;
}
