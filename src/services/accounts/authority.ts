import { forbidden } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import type { User } from '../../core/user.js';
import type { Engine, Tx } from '../../database/engine.js';
import { listActiveOperators } from '../../stores/operators.js';
import { findPasswordHash } from '../../stores/passwords.js';
import { lockUsers } from '../../stores/user-locks.js';
import { findUser } from '../../stores/users.js';

/** A password that was checked: whose it is, and the stored hash that it matched. */
export interface ProvenPassword {
  readonly userId: UserId;
  readonly passwordHash: string;
}

/**
 * Returns true while the password that was checked is still the user's. Checking takes a while and happens before the
 * transaction, so whoever acts on it asks again inside.
 */
export async function isStillProven(tx: Tx, { userId, passwordHash }: ProvenPassword): Promise<boolean> {
  return (await findPasswordHash(tx, userId)) === passwordHash;
}

/** Throws `forbidden` when the password that was checked is no longer the user's. */
export async function requireProven(tx: Tx, proof: ProvenPassword | undefined): Promise<void> {
  if (proof !== undefined && !(await isStillProven(tx, proof))) {
    throw forbidden('The password was changed meanwhile.');
  }
}

/** Locks a user and returns the account as it is now. Throws `forbidden` when it is gone. */
export async function lockAccount(tx: Tx, userId: UserId): Promise<User> {
  await lockUsers(tx, [userId]);
  const user = await findUser(tx, userId);
  if (!user) throw forbidden('There is no such account any more.');
  return user;
}

/** As `lockAccount`. Throws `forbidden` also for an account that was suspended, deactivated or is being deleted. */
export async function lockActiveAccount(tx: Tx, userId: UserId): Promise<User> {
  const user = await lockAccount(tx, userId);
  if (user.suspended) throw forbidden('This account is suspended or closed.');
  return user;
}

/**
 * Throws `forbidden` for who is no operator now: dismissed, suspended or gone since the request began. Undefined stands
 * for the command line, which needs nobody's leave.
 */
export async function requireOperator(tx: Tx, operatorId: UserId | undefined): Promise<void> {
  if (operatorId === undefined || (await listActiveOperators(tx)).includes(operatorId)) return;
  throw forbidden('You are no longer an operator.');
}

/** Runs what an operator does in one transaction, in which the operator must still be one. Throws as `requireOperator`. */
export function asOperator<T>(
  { engine }: { readonly engine: Engine },
  operatorId: UserId,
  name: string,
  body: (tx: Tx) => Promise<T>,
): Promise<T> {
  return engine.tx(name, async (tx) => {
    await requireOperator(tx, operatorId);
    return body(tx);
  });
}

/** Throws `forbidden` when the user is the only operator who can act: nobody could run the server from the browser. */
export async function requireOtherOperator(tx: Tx, userId: UserId): Promise<void> {
  const operators = await listActiveOperators(tx);
  if (operators.length !== 1 || operators[0] !== userId) return;
  throw forbidden('You are the only operator: make somebody else an operator first.');
}
