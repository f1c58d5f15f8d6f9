import { count, flag, id, listOf, nullable, object, ref, schemaOf, text } from '../../core/json-schema.js';

const anyObject = schemaOf('object');
const integer = schemaOf('integer');

/** The schema of a post in the v1.1 format (docs/api/v1.md#objects). */
export const statusV1 = object(
  {
    created_at: schemaOf('string', { example: 'Wed Oct 10 20:19:24 +0000 2018' }),
    id: integer,
    id_str: id,
    text,
    full_text: text,
    truncated: flag,
    display_text_range: listOf(count),
    entities: anyObject,
    extended_entities: anyObject,
    extended_tweet: anyObject,
    source: text,
    in_reply_to_status_id: nullable(integer),
    in_reply_to_status_id_str: nullable(id),
    in_reply_to_user_id: nullable(integer),
    in_reply_to_user_id_str: nullable(id),
    in_reply_to_screen_name: nullable(text),
    user: anyObject,
    geo: nullable(anyObject),
    coordinates: nullable(anyObject),
    place: nullable(anyObject),
    contributors: nullable(anyObject),
    is_quote_status: flag,
    quoted_status_id: integer,
    quoted_status_id_str: id,
    quoted_status: ref('StatusV1'),
    retweeted_status: ref('StatusV1'),
    quote_count: count,
    reply_count: count,
    retweet_count: count,
    favorite_count: count,
    favorited: flag,
    retweeted: flag,
    possibly_sensitive: flag,
    filter_level: text,
    lang: text,
    timestamp_ms: text,
  },
  ['created_at', 'id', 'id_str', 'truncated', 'user', 'favorited', 'retweeted'],
);
