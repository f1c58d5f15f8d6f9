import type { Clock } from '../../core/clock.js';
import { invalidRequest } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import type { User } from '../../core/user.js';
import type { Engine, Tx } from '../../database/engine.js';
import {
  deletePasswordReset,
  deletePasswordResetsOf,
  findPasswordReset,
  insertPasswordReset,
} from '../../stores/password-resets.js';
import { setPasswordHash } from '../../stores/passwords.js';
import { findUser } from '../../stores/users.js';
import { deleteWebSessionsOf } from '../../stores/web-sessions.js';
import { generate, hashPassword, hashToken, randomAlphanumeric } from '../secrets/secrets.js';
import { passwordFaults, refuseFaults } from './account-rules.js';
import {
  lockAccount,
  lockActiveAccount,
  requireOperator,
  requireProven,
  type ProvenPassword,
} from './authority.js';

/** How long a link to a new password can be used. */
const RESET_LIFETIME_MS = 24 * 3_600_000;

/** 119 bits. */
const MADE_PASSWORD_LENGTH = 20;

interface Deps {
  readonly engine: Engine;
  readonly clock: Clock;
}

/** By whose right a password is changed: its owner's, an operator's, or, with neither, the command line's. */
export interface ChangedBy {
  /** The owner's old password, which was checked. */
  readonly proof?: ProvenPassword;
  /** The hash of the owner's session that goes on. */
  readonly keptSession?: string;
  readonly operatorId?: UserId;
}

/**
 * Gives a user another password, which ends the user's sessions but `keptSession`, and every open link to a new password.
 * Throws `invalid-request` for a password that is too short or too long; `forbidden` when the right to change it ended
 * while the password was hashed.
 */
export async function changePassword(
  { engine }: Pick<Deps, 'engine'>,
  user: Pick<User, 'id' | 'username'>,
  password: string,
  { proof, keptSession, operatorId }: ChangedBy = {},
): Promise<void> {
  refuseFaults(passwordFaults(password, user.username));
  const hash = await hashPassword(password);
  await engine.tx('change password', async (tx) => {
    await requireOperator(tx, operatorId);
    await (proof === undefined ? lockAccount : lockActiveAccount)(tx, user.id);
    await requireProven(tx, proof);
    await replacePassword(tx, user.id, hash, keptSession);
  });
}

/** Gives a user a password that nobody has chosen; resolves to it. Throws as `changePassword`. */
export async function replaceByMadePassword(
  deps: Pick<Deps, 'engine'>,
  user: Pick<User, 'id' | 'username'>,
  by: ChangedBy = {},
): Promise<string> {
  const password = randomAlphanumeric(MADE_PASSWORD_LENGTH);
  await changePassword(deps, user, password, by);
  return password;
}

/**
 * Makes a link by which a user's password can be changed once; resolves to its token, which is known to nobody else. A
 * link of an operator holds as long as its maker is an operator; one of the command line (no `operatorId`) until it
 * expires. Throws `forbidden` for who is no operator any more, and for an account that is gone.
 */
export async function makePasswordReset(
  { engine, clock }: Deps,
  userId: UserId,
  operatorId?: UserId,
): Promise<string> {
  const token = generate.sessionToken();
  const expiresAtMs = clock() + RESET_LIFETIME_MS;
  await engine.tx('make password reset', async (tx) => {
    await requireOperator(tx, operatorId);
    await lockAccount(tx, userId);
    await insertPasswordReset(tx, {
      tokenHash: hashToken(token),
      userId,
      createdBy: operatorId,
      expiresAtMs,
    });
  });
  return token;
}

/** Where the owner of the token chooses the password. */
export function passwordResetPath(token: string): string {
  return `/reset-password?${new URLSearchParams({ token }).toString()}`;
}

/** Whose password the token may change; undefined when it is unknown, used, expired, or of no operator any more. */
export async function findResetUser({ engine, clock }: Deps, token: string): Promise<User | undefined> {
  const userId = await findPasswordReset(engine, hashToken(token), clock());
  return userId === undefined ? undefined : findUser(engine, userId);
}

/**
 * Uses a token up for another password; as `changePassword`. Throws `invalid-request` also for a token that was used or
 * lost its worth meanwhile.
 */
export async function resetPassword(
  { engine, clock }: Deps,
  user: Pick<User, 'id' | 'username'>,
  token: string,
  password: string,
): Promise<void> {
  refuseFaults(passwordFaults(password, user.username));
  const hash = await hashPassword(password);
  const tokenHash = hashToken(token);
  const isFirst = await engine.tx('reset password', async (tx) => {
    if ((await findPasswordReset(tx, tokenHash, clock())) !== user.id) return false;
    if (!(await deletePasswordReset(tx, tokenHash))) return false;
    await replacePassword(tx, user.id, hash);
    return true;
  });
  if (!isFirst) throw invalidRequest('token', [], 'This link cannot be used any more.');
}

async function replacePassword(tx: Tx, userId: UserId, hash: string, keptSession?: string): Promise<void> {
  await setPasswordHash(tx, userId, hash);
  await deletePasswordResetsOf(tx, userId);
  await deleteWebSessionsOf(tx, userId, keptSession);
}
