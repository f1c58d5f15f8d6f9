import type { UserPrincipal } from '../../core/access.js';
import { forbidden, resourceNotFound, type PipitError } from '../../core/errors.js';
import type { ListId, UserId } from '../../core/ids.js';
import type { List } from '../../core/list.js';
import { isListVisible } from '../../core/visibility.js';
import type { Queryable } from '../../database/engine.js';
import { findLists } from '../../stores/lists.js';
import { findAccountStates } from '../../stores/users.js';
import { notPermitted } from '../posts/action-rules.js';

/** Returns the Lists among `ids` that the viewer may see. */
export async function findVisibleLists(
  db: Queryable,
  viewerId: UserId | undefined,
  ids: readonly ListId[],
): Promise<List[]> {
  const lists = [...(await findLists(db, ids)).values()];
  const owners = await findAccountStates(db, [...new Set(lists.map(({ ownerId }) => ownerId))]);
  return lists.filter((list) => isListVisible(viewerId, list, owners.get(list.ownerId)));
}

/** Returns the List if the viewer may see it, otherwise undefined. */
export async function findVisibleList(
  db: Queryable,
  viewerId: UserId | undefined,
  id: ListId,
): Promise<List | undefined> {
  return (await findVisibleLists(db, viewerId, [id]))[0];
}

/** Returns a List. Throws 'resource-not-found' for an unknown List or another user's private one. */
export async function requireList(
  db: Queryable,
  viewerId: UserId,
  id: ListId,
  parameter: 'id' | 'list_id',
): Promise<List> {
  const list = await findVisibleList(db, viewerId, id);
  if (list) return list;
  throw resourceNotFound({ resourceType: 'list', parameter, value: String(id) });
}

/** The owner-only actions, as worded in the refusal (docs/api/errors.md#refused-actions). */
export type OwnerAction = 'update' | 'delete' | 'add members to' | 'delete members from';

/** Returns a List that the user owns. Throws as `requireList` does, and 'forbidden' for another owner's List. */
export async function requireOwnList(
  db: Queryable,
  { userId }: UserPrincipal,
  id: ListId,
  action: OwnerAction,
): Promise<List> {
  const list = await requireList(db, userId, id, 'id');
  if (list.ownerId !== userId) throw forbidden(`You are not allowed to ${action} this List.`);
  return list;
}

/** Throws unless the user exists and may be added to Lists. */
export async function requireListable(db: Queryable, userId: UserId): Promise<void> {
  const state = (await findAccountStates(db, [userId])).get(userId);
  if (!state) throw resourceNotFound({ resourceType: 'user', parameter: 'user_id', value: String(userId) });
  if (state.suspended) throw notPermitted();
}

/** Returns the 403 for exceeding a limit (docs/api/lists.md). */
export function tooMany(limit: number, what: 'own' | 'pin' | 'add'): PipitError {
  if (what === 'add') return forbidden(`A List may have at most ${limit} members.`);
  return forbidden(`You are not allowed to ${what} more than ${limit} Lists.`);
}
