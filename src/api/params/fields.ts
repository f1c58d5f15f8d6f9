import { communityFields } from '../../views/wire/community.js';
import { complianceJobFields } from '../../views/wire/compliance-job.js';
import { dmEventFields } from '../../views/wire/dm-event.js';
import type { Fields } from '../../views/wire/field.js';
import { listFields } from '../../views/wire/list.js';
import { mediaFields } from '../../views/wire/media.js';
import { placeFields } from '../../views/wire/place.js';
import { pollFields } from '../../views/wire/poll.js';
import { postFields } from '../../views/wire/post.js';
import { spaceFields, topicFields } from '../../views/wire/space.js';
import { userFields } from '../../views/wire/user.js';
import { webhookFields } from '../../views/wire/webhook.js';
import { analyticsFields } from '../analytics-fields.js';
import { likeFields } from '../like-fields.js';
import { mediaAnalyticsFields } from '../media-analytics-fields.js';
import { ruleCountFields } from '../stream-rule-fields.js';
import { connectionFields } from '../connection-fields.js';
import { personalizedTrendFields, trendFields } from '../trend-fields.js';
import { usageFields } from '../usage-fields.js';

/** The names that field selections and expansions may ask for (docs/api/objects.md#field-selection). */

/** Returns the names of an object's members and of `others`, which requests may ask for but no answer has. */
function namesOf(fields: Fields<never, never>, ...others: readonly string[]): readonly string[] {
  const shown = Object.entries(fields).flatMap(([name, { askedAs = name }]) => askedAs ?? []);
  return [...shown, ...others].sort();
}

export const TWEET_FIELDS = namesOf(
  postFields,
  'matched_media_notes',
  'note_request_suggestions',
  'suggested_source_links',
  'suggested_source_links_with_counts',
);

export const USER_FIELDS = namesOf(
  userFields,
  'affiliation',
  'confirmed_email',
  'is_identity_verified',
  'parody',
  'subscribes_to_you',
  'subscription',
  'verified_followers_count',
);

export const MEDIA_FIELDS = namesOf(mediaFields);
export const POLL_FIELDS = namesOf(pollFields);
export const PLACE_FIELDS = namesOf(placeFields);
export const LIST_FIELDS = namesOf(listFields);
export const COMMUNITY_FIELDS = namesOf(communityFields);
export const SPACE_FIELDS = namesOf(spaceFields);
export const TOPIC_FIELDS = namesOf(topicFields);
export const DM_EVENT_FIELDS = namesOf(dmEventFields);
export const COMPLIANCE_JOB_FIELDS = namesOf(complianceJobFields);
export const RULE_COUNT_FIELDS = namesOf(ruleCountFields);
export const MEDIA_ANALYTICS_FIELDS = namesOf(mediaAnalyticsFields);
export const ANALYTICS_FIELDS = namesOf(analyticsFields);
export const CONNECTION_FIELDS = namesOf(connectionFields);
export const LIKE_FIELDS = namesOf(likeFields).filter((name) => name !== 'tweet_author_id');
export const TREND_FIELDS = namesOf(trendFields);
export const PERSONALIZED_TREND_FIELDS = namesOf(personalizedTrendFields);
export const WEBHOOK_FIELDS = namesOf(webhookFields);
export const USAGE_FIELDS = namesOf(usageFields);

export const TWEET_EXPANSIONS = [
  'article.cover_media',
  'article.media_entities',
  'attachments.media_keys',
  'attachments.media_source_tweet',
  'attachments.poll_ids',
  'author_id',
  'edit_history_tweet_ids',
  'entities.mentions.username',
  'entities.note.mentions.username',
  'geo.place_id',
  'in_reply_to_user_id',
  'referenced_tweets.id',
  'referenced_tweets.id.author_id',
  'username',
] as const;

export const USER_EXPANSIONS = ['affiliation.user_id', 'most_recent_tweet_id', 'pinned_tweet_id'] as const;

export const LIKE_EXPANSIONS = ['attachments.media_keys', 'liked_tweet_author_id', 'liked_tweet_id'] as const;

export const LIST_EXPANSIONS = ['owner_id'] as const;

export const SPACE_EXPANSIONS = [
  'creator_id',
  'host_ids',
  'invited_user_ids',
  'speaker_ids',
  'topic_ids',
] as const;

export const DM_EVENT_EXPANSIONS = [
  'attachments.media_keys',
  'participant_ids',
  'referenced_tweets.id',
  'sender_id',
] as const;
