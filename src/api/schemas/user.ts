import { counts, date, flag, id, listOf, object, oneOf, text } from '../../core/json-schema.js';
import { VERIFIED_TYPES } from '../../core/user.js';
import { userEntities } from '../../views/wire/entities.js';

const relations = [
  'follow_request_received',
  'follow_request_sent',
  'blocking',
  'followed_by',
  'following',
  'muting',
];

/** A user (docs/api/objects.md#user). */
export const user = object(
  {
    id,
    name: { type: 'string', maxLength: 50 },
    username: { type: 'string', pattern: '^[A-Za-z0-9_]{1,15}$' },
    connection_status: listOf(oneOf(...relations)),
    created_at: date,
    description: text,
    entities: userEntities,
    location: text,
    most_recent_tweet_id: id,
    pinned_tweet_id: id,
    profile_image_url: text,
    protected: flag,
    public_metrics: counts('followers_count', 'following_count', 'tweet_count', 'listed_count'),
    receives_your_dm: flag,
    url: text,
    verified: flag,
    verified_type: oneOf(...VERIFIED_TYPES),
    withheld: object({ country_codes: listOf(text), scope: oneOf('user') }),
  },
  ['id', 'name', 'username'],
);
