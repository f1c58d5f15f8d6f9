import type { JsonSchema } from '../json-schema.js';
import { count, date, flag, id, object, text } from './basic.js';

/** A List (docs/api/objects.md#list). */
export const list: JsonSchema = object(
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
