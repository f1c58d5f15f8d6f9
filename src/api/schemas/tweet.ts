import { REPLY_SETTINGS } from '../../core/post.js';
import {
  count,
  date,
  described,
  flag,
  id,
  listOf,
  object,
  oneOf,
  schemaOf,
  text,
} from '../../core/json-schema.js';
import { entities } from '../../views/wire/entities.js';

const engagement = ['retweet_count', 'reply_count', 'like_count', 'quote_count'] as const;

const context = object({ id: text, name: text, description: text }, ['id']);

const ownerMetrics = object({
  impression_count: count,
  like_count: count,
  reply_count: count,
  retweet_count: count,
  url_link_clicks: count,
  user_profile_clicks: count,
});

const geo = object({
  place_id: text,
  coordinates: object({ type: oneOf('Point'), coordinates: listOf(schemaOf('number')) }, [
    'type',
    'coordinates',
  ]),
});

const references = listOf(object({ type: oneOf('retweeted', 'quoted', 'replied_to'), id }, ['type', 'id']));

/** A post (docs/api/objects.md#post). */
export const tweet = object(
  {
    id,
    text: described(text, 'With `& < >` escaped.'),
    edit_history_tweet_ids: described(listOf(id), 'All versions, oldest first.'),
    attachments: object({ media_keys: listOf(text), poll_ids: listOf(id) }),
    author_id: id,
    card_uri: text,
    context_annotations: listOf(object({ domain: context, entity: context }, ['domain', 'entity'])),
    conversation_id: id,
    created_at: date,
    edit_controls: object({ edits_remaining: count, is_edit_eligible: flag, editable_until: date }),
    entities,
    geo,
    in_reply_to_user_id: id,
    lang: described(text, 'BCP 47; `und` when it is unknown.'),
    non_public_metrics: ownerMetrics,
    organic_metrics: ownerMetrics,
    promoted_metrics: ownerMetrics,
    possibly_sensitive: flag,
    public_metrics: object(
      {
        retweet_count: count,
        reply_count: count,
        like_count: count,
        quote_count: count,
        impression_count: count,
      },
      engagement,
    ),
    referenced_tweets: references,
    reply_settings: oneOf(...REPLY_SETTINGS),
    scopes: object({ followers: flag }),
    source: text,
    withheld: object({ copyright: flag, country_codes: listOf(text), scope: oneOf('tweet', 'user') }),
  },
  ['id', 'text'],
);
