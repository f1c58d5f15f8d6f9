import type { UserId } from '../../core/ids.js';
import type { User, UserCounts } from '../../core/user.js';
import { parseId } from '../../core/ids.js';
import { deleteLinksBy } from '../../stores/account-removal.js';
import { deleteOperator, insertOperator, operatorsAmong } from '../../stores/operators.js';
import { findUser, findUserCounts, findUsers, searchUserIds } from '../../stores/users.js';
import { recordAction, userTarget } from '../audit/record-action.js';
import { asOperator, lockAccount } from './authority.js';
import type { AccountDeps } from './account-deps.js';

type Deps = Pick<AccountDeps, 'engine' | 'clock' | 'ids'>;

/** Reports whether the user is an operator. */
async function isOperator({ engine }: Pick<Deps, 'engine'>, userId: UserId): Promise<boolean> {
  return (await operatorsAmong(engine, [userId])).has(userId);
}

/**
 * Makes a user an operator, or revokes this along with the invitations and links the operator created. Returns false
 * when nothing changes. Throws `forbidden` when `operatorId` is not an operator (absent: the command line).
 */
export function setOperator(
  deps: Deps,
  userId: UserId,
  operates: boolean,
  operatorId?: UserId,
): Promise<boolean> {
  return asOperator(deps, operatorId, 'set operator', async (tx) => {
    const user = await lockAccount(tx, userId);
    if (!operates) await deleteLinksBy(tx, userId);
    const isChanged = await (operates
      ? insertOperator(tx, userId, deps.clock())
      : deleteOperator(tx, userId));
    const action = operates ? 'user.appoint' : 'user.dismiss';
    if (isChanged) await recordAction(tx, deps, operatorId, { action, target: userTarget(user) });
    return isChanged;
  });
}

/**
 * Lists users whose username starts with `text` (case-insensitive, with or without `@`), or the user with this id: a page
 * by username, and the cursor for the next one, which is undefined at the end.
 */
export async function searchUsers(
  { engine }: Pick<Deps, 'engine'>,
  text: string,
  after: string,
  limit: number,
) {
  const prefix = text.trim().replace(/^@/, '');
  const ids = await searchUserIds(engine, prefix, after, limit + 1);
  const asId = after === '' ? parseId<UserId>(prefix) : undefined;
  const shown = ids.slice(0, limit);
  const found = await findUsers(engine, asId === undefined ? shown : [asId, ...shown]);
  const byId = asId === undefined ? undefined : found.get(asId);
  const users = shown.flatMap((id) => found.get(id) ?? []);
  const next = ids.length > limit ? users.at(-1)?.username : undefined;
  return { users: byId && !shown.includes(byId.id) ? [byId, ...users] : users, next };
}

/** The details of a user for operators. */
export interface UserDetails {
  readonly user: User;
  readonly counts: UserCounts | undefined;
  readonly isOperator: boolean;
}

export async function findUserDetails(
  { engine }: Pick<Deps, 'engine'>,
  id: UserId,
): Promise<UserDetails | undefined> {
  const user = await findUser(engine, id);
  if (!user) return undefined;
  const counts = (await findUserCounts(engine, [id])).get(id);
  return { user, counts, isOperator: await isOperator({ engine }, id) };
}
