import { forbidden } from '../../core/errors.js';
import type { UserId } from '../../core/ids.js';
import type { User } from '../../core/user.js';
import type { Engine, Tx } from '../../database/engine.js';
import { listActiveOperators } from '../../stores/operators.js';
import { findPasswordHash, findUser } from '../../stores/users.js';
import { lockUsers } from '../../stores/locks.js';

/** A verified password: the user, and the stored hash it matched. */
export interface ProvenPassword {
  readonly userId: UserId;
  readonly passwordHash: string;
}

/**
 * Reports whether the verified password is still the user's. Verification is slow and precedes the transaction, so
 * transactions must check again.
 */
export async function isStillProven(tx: Tx, { userId, passwordHash }: ProvenPassword): Promise<boolean> {
  return (await findPasswordHash(tx, userId)) === passwordHash;
}

/** Throws `forbidden` when the verified password is no longer the user's. */
export async function requireProven(tx: Tx, proof: ProvenPassword | undefined): Promise<void> {
  if (proof !== undefined && !(await isStillProven(tx, proof))) {
    throw forbidden('The password has been changed.');
  }
}

/** Locks a user and returns the current account. Throws `forbidden` when it was deleted. */
export async function lockAccount(tx: Tx, userId: UserId): Promise<User> {
  await lockUsers(tx, [userId]);
  const user = await findUser(tx, userId);
  if (!user) throw forbidden('This account no longer exists.');
  return user;
}

/** Like `lockAccount`, but also throws `forbidden` for a suspended, deactivated or closing account. */
export async function lockActiveAccount(tx: Tx, userId: UserId): Promise<User> {
  const user = await lockAccount(tx, userId);
  if (user.suspended) throw forbidden('This account is suspended or closed.');
  return user;
}

/**
 * Throws `forbidden` unless the user is an active operator now. Undefined stands for the command line, which needs no
 * permission.
 */
export async function requireOperator(tx: Tx, operatorId: UserId | undefined): Promise<void> {
  if (operatorId === undefined || (await listActiveOperators(tx)).includes(operatorId)) return;
  throw forbidden('You are no longer an operator.');
}

/** Runs an action of an operator, or of the command line, in one transaction. Throws as `requireOperator` does. */
export function asOperator<T>(
  { engine }: { readonly engine: Engine },
  operatorId: UserId | undefined,
  name: string,
  body: (tx: Tx) => Promise<T>,
): Promise<T> {
  return engine.tx(name, async (tx) => {
    await requireOperator(tx, operatorId);
    return body(tx);
  });
}

/** Throws `forbidden` when the user is the only active operator, because the server would have none left. */
export async function requireOtherOperator(tx: Tx, userId: UserId): Promise<void> {
  const operators = await listActiveOperators(tx);
  if (operators.length !== 1 || operators[0] !== userId) return;
  throw forbidden('You are the only operator. Make another user an operator first.');
}
