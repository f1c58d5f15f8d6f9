import type { ListId, UserId } from '../../core/ids.js';
import { eachLeaf } from '../../query/ast.js';
import type { SearchExpression, UserRef } from '../../query/conditions.js';
import type { Queryable } from '../../storage/engine.js';
import { listAllMembers } from '../../storage/list-members.js';
import { findLists } from '../../storage/lists.js';
import { findUserIds } from '../../storage/users.js';

/** Whom the names of a query mean at this moment. */
export interface QueryNames {
  /** undefined for an unknown username. */
  userId(user: UserRef): UserId | undefined;
  /** Nobody for a List that is unknown or that the viewer may not see. */
  members(listId: bigint): readonly UserId[];
}

/** Looks up the users and Lists that a query names; private Lists are their owners' (reference/fine-points.md 18). */
export async function findQueryNames(
  db: Queryable,
  expression: SearchExpression,
  viewerId: UserId | undefined,
): Promise<QueryNames> {
  const usernames = new Set<string>();
  const listIds = new Set<ListId>();
  eachLeaf(expression, (condition) => {
    if ('user' in condition && condition.user.by === 'username') usernames.add(condition.user.username);
    if (condition.kind === 'list') listIds.add(condition.listId as ListId);
  });
  const userIds = await findUserIds(db, [...usernames]);
  const members = new Map<bigint, UserId[]>();
  for (const list of (await findLists(db, [...listIds])).values()) {
    if (!list.private || list.ownerId === viewerId) members.set(list.id, await listAllMembers(db, list.id));
  }
  return {
    userId: (user) => (user.by === 'id' ? user.id : userIds.get(user.username)),
    members: (listId) => members.get(listId) ?? [],
  };
}
