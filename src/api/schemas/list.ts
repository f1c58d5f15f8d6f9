import { count, date, flag, id, object, text } from '../../core/json-schema.js';

/** A List (docs/api/objects.md#list). */
export const list = object(
  {
    id,
    name: text,
    created_at: date,
    description: text,
    follower_count: count,
    member_count: count,
    owner_id: id,
    private: flag,
  },
  ['id', 'name'],
);
