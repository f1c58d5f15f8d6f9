import type { List, ListCounts } from '../../core/list.js';
import { presentDate } from './dates.js';

/** A List (docs/api/objects.md#list); `counts` are needed only when the fields ask for them. */
export function presentList(
  list: List,
  fields: ReadonlySet<string>,
  counts: ListCounts | undefined,
): Record<string, unknown> {
  const wire: Record<string, unknown> = { id: String(list.id), name: list.name };
  const put = (field: string, value: unknown): void => {
    if (value !== undefined && fields.has(field)) wire[field] = value;
  };
  put('created_at', presentDate(list.createdAtMs));
  put('description', list.description);
  put('follower_count', counts?.followers);
  put('member_count', counts?.members);
  put('owner_id', String(list.ownerId));
  put('private', list.private);
  return wire;
}
