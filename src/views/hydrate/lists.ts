import type { ListId, UserId } from '../../core/ids.js';
import type { List, ListCounts } from '../../core/list.js';
import { isListVisible } from '../../core/visibility.js';
import { findListCounts, findLists } from '../../stores/lists.js';
import type { ViewReads } from './reads.js';

/** The Lists that the viewer may see, by id. */
export interface ListSet {
  /** Returns undefined also for a List that the viewer may not see, whose existence is not disclosed. */
  find(id: ListId): List | undefined;
  countsOf(id: ListId): ListCounts | undefined;
}

/** Loads Lists in one batch; counts only if the fields need them. */
export async function hydrateLists(
  reads: ViewReads,
  ids: readonly ListId[],
  viewerId: UserId | undefined,
  fields: ReadonlySet<string>,
): Promise<ListSet> {
  const lists = await findLists(reads.db, [...new Set(ids)]);
  const owners = await reads.accounts.readAll([...new Set([...lists.values()].map((list) => list.ownerId))]);
  const visible = new Map(
    [...lists].filter(([, list]) => isListVisible(viewerId, list, owners.get(list.ownerId))),
  );
  const isCounted = fields.has('member_count') || fields.has('follower_count');
  const counts = isCounted
    ? await findListCounts(reads.db, [...visible.keys()])
    : new Map<ListId, ListCounts>();
  return { find: (id) => visible.get(id), countsOf: (id) => counts.get(id) };
}
