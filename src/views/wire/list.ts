import { count, date, flag, id, text } from '../../core/json-schema.js';
import type { List, ListCounts } from '../../core/list.js';
import { presentDate } from '../present/dates.js';
import { field, required, type Fields } from './field.js';

/** A List (docs/api/objects.md#list); counts are loaded only when the request asks for them. */
export const listFields = {
  id: required(id, (list) => String(list.id)),
  name: required(text, ({ name }) => name),
  created_at: field(date, ({ createdAtMs }) => presentDate(createdAtMs)),
  description: field(text, ({ description }) => description),
  follower_count: field(count, (_, counts) => counts?.followers),
  member_count: field(count, (_, counts) => counts?.members),
  owner_id: field(id, ({ ownerId }) => String(ownerId)),
  private: field(flag, (list) => list.private),
} satisfies Fields<List, ListCounts | undefined>;
