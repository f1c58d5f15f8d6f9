import { invalidRequest, refuseViolations } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import type { User } from '../../core/user.js';
import type { Tx } from '../../database/engine.js';
import {
  deletePasswordReset,
  deletePasswordResetsOf,
  findPasswordReset,
  insertPasswordReset,
} from '../../stores/password-resets.js';
import { findUser, setPasswordHash } from '../../stores/users.js';
import { deleteWebSessionsOf } from '../../stores/web-sessions.js';
import { generate, hashPassword, hashToken, randomAlphanumeric } from '../secrets/secrets.js';
import { passwordFaults } from './account-rules.js';
import { recordAction, userTarget, type AuditDeps } from '../audit/record-action.js';
import {
  asOperator,
  lockAccount,
  lockActiveAccount,
  requireOperator,
  requireProven,
  type ProvenPassword,
} from './authority.js';
import type { AccountDeps } from './account-deps.js';

/** The lifetime of a password reset link. */
const RESET_LIFETIME_MS = 24 * 3_600_000;

/** 119 bits of entropy. */
const RANDOM_PASSWORD_LENGTH = 20;

type Deps = Pick<AccountDeps, 'engine' | 'clock'>;
type ChangeDeps = Deps & AuditDeps;

/** The authority to change a password: the owner, an operator, or, with neither, the command line. */
export interface ChangedBy {
  /** The verified old password of the owner. */
  readonly proof?: ProvenPassword;
  /** The hash of the owner's current session, which is kept. */
  readonly keptSession?: string;
  readonly operatorId?: UserId;
}

/**
 * Changes a user's password. Ends the user's other sessions and invalidates password reset links. Throws
 * `invalid-request` for an invalid password, and `forbidden` when the authority was lost in the meantime.
 */
export async function changePassword(
  deps: ChangeDeps,
  user: Pick<User, 'id' | 'username'>,
  password: string,
  { proof, keptSession, operatorId }: ChangedBy = {},
): Promise<void> {
  refuseViolations(passwordFaults(password, user.username));
  const hash = await hashPassword(password);
  await deps.engine.tx('change password', async (tx) => {
    await requireOperator(tx, operatorId);
    await (proof === undefined ? lockAccount : lockActiveAccount)(tx, user.id);
    await requireProven(tx, proof);
    await replacePassword(tx, user.id, hash, keptSession);
    if (proof === undefined) {
      await recordAction(tx, deps, operatorId, { action: 'user.password', target: userTarget(user) });
    }
  });
}

/** Sets a random password and resolves to it. Throws as `changePassword` does. */
export async function setRandomPassword(
  deps: ChangeDeps,
  user: Pick<User, 'id' | 'username'>,
  by: ChangedBy = {},
): Promise<string> {
  const password = randomAlphanumeric(RANDOM_PASSWORD_LENGTH);
  await changePassword(deps, user, password, by);
  return password;
}

/**
 * Creates a password reset link for one use and resolves to its token, which is stored only as a hash. An operator's
 * link is valid only while its creator is an operator. Throws `forbidden` unless the user is an operator, and for a
 * deleted account.
 */
export async function createPasswordReset(
  deps: ChangeDeps,
  userId: UserId,
  operatorId?: UserId,
): Promise<string> {
  const token = generate.sessionToken();
  const expiresAtMs = deps.clock() + RESET_LIFETIME_MS;
  await asOperator(deps, operatorId, 'create password reset', async (tx) => {
    const user = await lockAccount(tx, userId);
    await recordAction(tx, deps, operatorId, { action: 'user.password_link', target: userTarget(user) });
    await insertPasswordReset(tx, {
      tokenHash: hashToken(token),
      userId,
      createdBy: operatorId,
      expiresAtMs,
    });
  });
  return token;
}

/** Returns the path of the page where a password is reset. */
export function passwordResetPath(token: string): string {
  return `/reset-password?${new URLSearchParams({ token }).toString()}`;
}

/** Returns the user that the token belongs to; undefined when it is unknown, used, expired or revoked. */
export async function findResetUser({ engine, clock }: Deps, token: string): Promise<User | undefined> {
  const userId = await findPasswordReset(engine, hashToken(token), clock());
  return userId === undefined ? undefined : findUser(engine, userId);
}

/**
 * Sets a new password and consumes the token; throws as `changePassword` does, and `invalid-request` when the token
 * is no longer valid.
 */
export async function resetPassword(
  { engine, clock }: Deps,
  user: Pick<User, 'id' | 'username'>,
  token: string,
  password: string,
): Promise<void> {
  refuseViolations(passwordFaults(password, user.username));
  const hash = await hashPassword(password);
  const tokenHash = hashToken(token);
  const isConsumed = await engine.tx('reset password', async (tx) => {
    if ((await findPasswordReset(tx, tokenHash, clock())) !== user.id) return false;
    if (!(await deletePasswordReset(tx, tokenHash))) return false;
    await replacePassword(tx, user.id, hash);
    return true;
  });
  if (!isConsumed) throw invalidRequest('token', [], 'This link has expired or was already used.');
}

async function replacePassword(tx: Tx, userId: UserId, hash: string, keptSession?: string): Promise<void> {
  await setPasswordHash(tx, userId, hash);
  await deletePasswordResetsOf(tx, userId);
  await deleteWebSessionsOf(tx, userId, keptSession);
}
