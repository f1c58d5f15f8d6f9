import type { JsonSchema } from '../json-schema.js';
import { count, flag, id, object, text } from './basic.js';

/** A user of the earlier interface, as far as clients read it. */
export const userV1: JsonSchema = object(
  {
    id: { type: 'integer' },
    id_str: id,
    name: text,
    screen_name: text,
    location: text,
    description: text,
    url: { type: ['string', 'null'] },
    protected: flag,
    verified: flag,
    followers_count: count,
    friends_count: count,
    listed_count: count,
    favourites_count: count,
    statuses_count: count,
    created_at: { type: 'string', example: 'Wed Oct 10 20:19:24 +0000 2018' },
  },
  ['id', 'id_str', 'name', 'screen_name', 'created_at'],
);
