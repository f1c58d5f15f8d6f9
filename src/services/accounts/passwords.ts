import type { Clock } from '../../core/clock.js';
import { invalidRequest } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import type { User } from '../../core/user.js';
import type { Engine, Tx } from '../../storage/engine.js';
import {
  deletePasswordReset,
  deletePasswordResetsOf,
  findPasswordReset,
  insertPasswordReset,
} from '../../storage/password-resets.js';
import { setPasswordHash } from '../../storage/passwords.js';
import { findUser } from '../../storage/users.js';
import { deleteWebSessionsOf } from '../../storage/web-sessions.js';
import { generate, hashPassword, hashToken, randomAlphanumeric } from '../secrets.js';
import { passwordFaults, refuseFaults } from './account-rules.js';

/** How long a link to a new password can be used. */
export const RESET_LIFETIME_MS = 24 * 3_600_000;

/** 119 bits. */
const MADE_PASSWORD_LENGTH = 20;

interface Deps {
  readonly engine: Engine;
  readonly clock: Clock;
}

/**
 * Gives a user another password, which ends the user's sessions but the one with the hash `keptSession`, and every open
 * link to a new password. Throws `invalid-request` for a password that is too short or too long.
 */
export async function changePassword(
  { engine }: Pick<Deps, 'engine'>,
  user: Pick<User, 'id' | 'username'>,
  password: string,
  keptSession?: string,
): Promise<void> {
  refuseFaults(passwordFaults(password, user.username));
  const hash = await hashPassword(password);
  await engine.tx('change password', (tx) => replacePassword(tx, user.id, hash, keptSession));
}

/** Gives a user a password that nobody has chosen; resolves to it. */
export async function replaceByMadePassword(
  deps: Pick<Deps, 'engine'>,
  user: Pick<User, 'id' | 'username'>,
): Promise<string> {
  const password = randomAlphanumeric(MADE_PASSWORD_LENGTH);
  await changePassword(deps, user, password);
  return password;
}

/** Makes a link by which a user's password can be changed once; resolves to its token, which is known to nobody else. */
export async function makePasswordReset({ engine, clock }: Deps, userId: UserId): Promise<string> {
  const token = generate.sessionToken();
  const reset = { tokenHash: hashToken(token), userId, expiresAtMs: clock() + RESET_LIFETIME_MS };
  await engine.tx('make password reset', (tx) => insertPasswordReset(tx, reset));
  return token;
}

/** Where the owner of the token chooses the password. */
export function passwordResetPath(token: string): string {
  return `/reset-password?${new URLSearchParams({ token }).toString()}`;
}

/** Whose password the token may change; undefined when it is unknown, used or expired. */
export async function findResetUser({ engine, clock }: Deps, token: string): Promise<User | undefined> {
  const userId = await findPasswordReset(engine, hashToken(token), clock());
  return userId === undefined ? undefined : findUser(engine, userId);
}

/**
 * Uses a token up for another password; as `changePassword`. Throws `invalid-request` also for a token that was used
 * meanwhile.
 */
export async function resetPassword(
  { engine }: Deps,
  user: Pick<User, 'id' | 'username'>,
  token: string,
  password: string,
): Promise<void> {
  refuseFaults(passwordFaults(password, user.username));
  const hash = await hashPassword(password);
  const isFirst = await engine.tx('reset password', async (tx) => {
    if (!(await deletePasswordReset(tx, hashToken(token)))) return false;
    await replacePassword(tx, user.id, hash);
    return true;
  });
  if (!isFirst) throw invalidRequest('token', [], 'This link was used already.');
}

async function replacePassword(tx: Tx, userId: UserId, hash: string, keptSession?: string): Promise<void> {
  await setPasswordHash(tx, userId, hash);
  await deletePasswordResetsOf(tx, userId);
  await deleteWebSessionsOf(tx, userId, keptSession);
}
