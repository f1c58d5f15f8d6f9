import type { UserPrincipal } from '../../core/access.js';
import { forbidden, resourceNotFound, type PipitError } from '../../core/errors.js';
import type { ListId, UserId } from '../../core/ids.js';
import type { List } from '../../core/list.js';
import { isListVisible } from '../../core/visibility.js';
import type { Queryable } from '../../database/engine.js';
import { findList } from '../../stores/lists.js';
import { findAccountStates } from '../../stores/users.js';
import { notPermitted } from '../posts/action-rules.js';

/** The List as far as the viewer may see it: undefined when there is none to be seen. */
export async function findVisibleList(
  db: Queryable,
  viewerId: UserId | undefined,
  id: ListId,
): Promise<List | undefined> {
  const list = await findList(db, id);
  if (!list) return undefined;
  const owner = (await findAccountStates(db, [list.ownerId])).get(list.ownerId);
  return isListVisible(viewerId, list, owner) ? list : undefined;
}

/**
 * The List that a request names. Throws PipitError 'resource-not-found' when there is none or it is somebody else's
 * private one.
 */
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

/** What only its owner does with a List, as the refusal words it (docs/api/errors.md#refused-actions). */
export type OwnersAct = 'update' | 'delete' | 'add members to' | 'delete members from';

/** The same of a List that the user must own; throws 'forbidden' for that of another. */
export async function requireOwnList(
  db: Queryable,
  { userId }: UserPrincipal,
  id: ListId,
  act: OwnersAct,
): Promise<List> {
  const list = await requireList(db, userId, id, 'id');
  if (list.ownerId !== userId) throw forbidden(`You are not allowed to ${act} this List.`);
  return list;
}

/** Throws unless there is a user who can be put into Lists. */
export async function requireListable(db: Queryable, userId: UserId): Promise<void> {
  const state = (await findAccountStates(db, [userId])).get(userId);
  if (!state) throw resourceNotFound({ resourceType: 'user', parameter: 'user_id', value: String(userId) });
  if (state.suspended) throw notPermitted();
}

/** The 403 for one more than there may be (docs/api/lists.md, last line). */
export function tooMany(limit: number, what: 'own' | 'pin' | 'add'): PipitError {
  if (what === 'add') return forbidden(`A List may have at most ${limit} members.`);
  return forbidden(`You are not allowed to ${what} more than ${limit} Lists.`);
}
