import { count, flag, id, listOf, object, text } from '../../core/json-schema.js';

const link = object({
  url: text,
  expanded_url: text,
  display_url: text,
  indices: listOf(count),
});
const links = object({ urls: listOf(link) });

/** A user of the earlier interface, as far as clients read it. */
export const userV1 = object(
  {
    id: { type: 'integer' },
    id_str: id,
    name: text,
    screen_name: text,
    location: text,
    description: text,
    url: { type: 'string', nullable: true },
    protected: flag,
    verified: flag,
    followers_count: count,
    friends_count: count,
    listed_count: count,
    favourites_count: count,
    statuses_count: count,
    entities: object({ url: links, description: links }),
    lang: { type: 'string', nullable: true },
    geo_enabled: flag,
    contributors_enabled: flag,
    is_translator: flag,
    default_profile: flag,
    default_profile_image: flag,
    profile_image_url: text,
    profile_image_url_https: text,
    suspended: flag,
    created_at: { type: 'string', example: 'Wed Oct 10 20:19:24 +0000 2018' },
  },
  ['id', 'id_str', 'name', 'screen_name', 'created_at'],
);
