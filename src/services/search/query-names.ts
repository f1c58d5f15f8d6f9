import type { ListId, UserId } from '../../core/ids.js';
import { eachLeaf } from '../../query/ast.js';
import type { SearchExpression, UserRef } from '../../query/conditions.js';
import type { Queryable } from '../../database/engine.js';
import { listAllMembers } from '../../stores/list-users.js';
import { findUserIds } from '../../stores/users.js';
import { findVisibleList } from '../lists/list-rules.js';
import { FACET } from './facets.js';

/** Resolves the users and Lists of a query. */
export interface QueryNames {
  /** Returns what facets name the user by; undefined for an unknown username. */
  readonly userKey: (user: UserRef) => bigint | string | undefined;
  /** Returns the facets of a List's members, as the same array each time; empty for an unknown or invisible List. */
  readonly members: (listId: bigint) => readonly string[];
}

/**
 * Looks up the users and Lists of a query; Lists only when the viewer may see them (docs/api/objects.md#visibility).
 */
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
  const members = new Map<bigint, string[]>();
  for (const id of listIds) {
    if (!(await findVisibleList(db, viewerId, id))) continue;
    members.set(id, (await listAllMembers(db, id)).map(FACET.from));
  }
  return {
    userKey: (user) => (user.by === 'id' ? user.id : userIds.get(user.username)),
    members: (listId) => members.get(listId) ?? [],
  };
}
