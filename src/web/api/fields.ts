/** What pages select of posts and of all that belongs to them. */
export const POST_SELECTION = {
  'tweet.fields': [
    'article',
    'attachments',
    'author_id',
    'conversation_id',
    'created_at',
    'display_text_range',
    'edit_controls',
    'entities',
    'geo',
    'in_reply_to_user_id',
    'lang',
    'note_tweet',
    'paid_partnership',
    'possibly_sensitive',
    'public_metrics',
    'referenced_tweets',
    'reply_settings',
    'source',
  ],
  expansions: [
    'author_id',
    'attachments.media_keys',
    'attachments.poll_ids',
    'entities.mentions.username',
    'entities.note.mentions.username',
    'geo.place_id',
    'in_reply_to_user_id',
    'referenced_tweets.id',
    'referenced_tweets.id.author_id',
  ],
  'user.fields': ['profile_image_url', 'protected', 'verified'],
  'media.fields': [
    'alt_text',
    'duration_ms',
    'height',
    'media_key',
    'preview_image_url',
    'type',
    'url',
    'variants',
    'width',
  ],
  'poll.fields': ['end_datetime', 'voting_status'],
  'place.fields': ['full_name'],
} as const;

/** What pages select of users in lists of people. */
export const USER_SELECTION = {
  'user.fields': [
    'connection_status',
    'description',
    'entities',
    'profile_image_url',
    'protected',
    'public_metrics',
    'verified',
  ],
} as const;

/** What pages select of Spaces. */
export const SPACE_SELECTION = {
  'space.fields': [
    'creator_id',
    'ended_at',
    'host_ids',
    'invited_user_ids',
    'is_ticketed',
    'participant_count',
    'scheduled_start',
    'speaker_ids',
    'started_at',
    'subscriber_count',
    'title',
    'topic_ids',
  ],
  expansions: ['creator_id', 'host_ids', 'speaker_ids', 'invited_user_ids', 'topic_ids'],
  'user.fields': ['profile_image_url', 'protected', 'verified'],
  'topic.fields': ['name'],
} as const;

/** What the page of a profile selects of its user. */
export const PROFILE_SELECTION = {
  'user.fields': [
    ...USER_SELECTION['user.fields'],
    'created_at',
    'location',
    'pinned_tweet_id',
    'profile_banner_url',
    'receives_your_dm',
    'url',
  ],
} as const;
