import type { CommunityId, MediaId, PostId, UserId } from '../../core/ids.js';
import {
  MAX_POST_CHARACTERS,
  MAX_MEDIA_DESCRIPTION,
  MAX_MEDIA_TITLE,
  MAX_POST_MEDIA,
  MAX_POST_URL,
  MAX_TAGGED_USERS,
  POLL_MINUTES,
  POLL_OPTION_CHARACTERS,
  POLL_OPTIONS,
  WEB_ADDRESS,
} from '../../core/limits.js';
import { escapeText } from '../../core/post-text/escape.js';
import { REQUESTED_REPLY_SETTINGS } from '../../core/post.js';
import * as v from '../../core/validators.js';
import { userWrite, type AnyEndpoint, endpoint, perQuarterHour, POST_BUDGET } from '../endpoint.js';
import { changeEndpoint } from '../change-endpoint.js';
import { jsonBody, type BodyValue, idField } from '../body/body.js';
import { dataSchema } from '../schemas/envelopes.js';
import { postInPath } from './owned-page.js';
import { idParam, inPath } from '../params/params.js';

/** See docs/api/posts.md. */

const tag = 'Manage posts';

const access = userWrite('tweet.write');

const replySettings = v.oneOf(REQUESTED_REPLY_SETTINGS, 'Who may reply; everyone by default.');

const postBody = jsonBody(
  v.object({
    text: v.text({
      max: MAX_POST_CHARACTERS,
      example: 'Hello from Pipit',
      description: 'At most 280 weighted; 25,000 with a subscription.',
    }),
    direct_message_deep_link: v.text({
      min: 1,
      max: MAX_POST_URL,
      pattern: WEB_ADDRESS,
      description: 'A link that opens a conversation with the author.',
    }),
    for_super_followers_only: v.boolean('Whether only followers of the author see the post.'),
    geo: v.object({
      place_id: v.required(v.text({ min: 1, max: 64, description: 'The place to attach.' })),
    }),
    media: v.object({
      media_ids: v.required(
        v.list(idField<MediaId>(), {
          min: 1,
          max: MAX_POST_MEDIA,
          description: 'Four photos, one GIF or one video of the user.',
        }),
      ),
      title: v.text({ min: 1, max: MAX_MEDIA_TITLE, description: 'The title of the media.' }),
      description: v.text({ min: 1, max: MAX_MEDIA_DESCRIPTION, description: 'What the media show.' }),
      embeddable: v.boolean('Without effect: files never expire, and other sites may show them.'),
      tagged_user_ids: v.list(idField<UserId>(), {
        min: 0,
        max: MAX_TAGGED_USERS,
        description: 'Users shown in the media; those who do not allow tags are left out.',
      }),
    }),
    poll: v.object({
      options: v.required(
        v.list(v.required(v.text(POLL_OPTION_CHARACTERS)), {
          ...POLL_OPTIONS,
          description: 'The options of the poll.',
        }),
      ),
      duration_minutes: v.required(v.integer({ ...POLL_MINUTES, description: 'The duration of the poll.' })),
      reply_settings: replySettings,
    }),
    edit_options: v.object({
      previous_post_id: v.required(idField<PostId>('The newest version of the post being edited.')),
    }),
    quote_tweet_id: idField<PostId>('The post being quoted.'),
    reply: v.object({
      in_reply_to_tweet_id: v.required(idField<PostId>('The post being replied to.')),
      auto_populate_reply_metadata: v.boolean('Without effect: handles are always added.'),
      exclude_reply_user_ids: v.list(idField<UserId>(), {
        min: 0,
        max: 50,
        description: 'Participants that the reply does not mention.',
      }),
    }),
    reply_settings: replySettings,
    card_uri: v.text({
      min: 1,
      max: MAX_POST_URL,
      description: 'Stored and returned; excludes other attachments.',
    }),
    community_id: idField<CommunityId>('The community to post in, of which the user is a member.'),
    share_with_followers: v.boolean(
      'Whether followers see a post in a community, or for super followers, at home.',
    ),
    made_with_ai: v.boolean('Whether the media were made with AI; pages say so.'),
    paid_partnership: v.boolean('Whether the post is paid promotion.'),
    nullcast: v.boolean('Whether the post is for promotion only: `-is:nullcast` excludes it from searches.'),
  }),
  {
    flat: {
      place_id: 'geo.place_id',
      media_ids: 'media.media_ids',
      media_tagged_user_ids: 'media.tagged_user_ids',
      poll_options: 'poll.options',
      poll_duration_minutes: 'poll.duration_minutes',
      in_reply_to_tweet_id: 'reply.in_reply_to_tweet_id',
      exclude_reply_user_ids: 'reply.exclude_reply_user_ids',
    },
  },
);

function inputOf(body: BodyValue<typeof postBody>) {
  return {
    text: body.text,
    mediaIds: body.media?.media_ids,
    taggedUserIds: body.media?.tagged_user_ids,
    poll: body.poll && {
      options: body.poll.options,
      durationMinutes: body.poll.duration_minutes,
    },
    previousPostId: body.edit_options?.previous_post_id,
    quotedPostId: body.quote_tweet_id,
    inReplyToPostId: body.reply?.in_reply_to_tweet_id,
    excludedReplyUserIds: body.reply?.exclude_reply_user_ids,
    placeId: body.geo?.place_id,
    replySettings: body.reply_settings ?? body.poll?.reply_settings,
    superFollowersOnly: body.for_super_followers_only,
    directMessageDeepLink: body.direct_message_deep_link,
    cardUri: body.card_uri,
    nullcast: body.nullcast,
    communityId: body.community_id === undefined ? undefined : String(body.community_id),
    sharedWithFollowers: body.share_with_followers || undefined,
    paidPartnership: body.paid_partnership || undefined,
    madeWithAi: body.made_with_ai || undefined,
    mediaTitle: body.media?.title,
    mediaDescription: body.media?.description,
  };
}

export const managePostEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    operationId: 'createTweet',
    tag,
    summary: 'Creates a post as the user, or edits one',
    method: 'POST',
    path: '/2/tweets',
    access,
    rateLimits: [...perQuarterHour({ user: 200 }), POST_BUDGET],
    body: postBody,
    success: 201,
    response: dataSchema({
      id: { type: 'string' },
      text: { type: 'string' },
      edit_history_tweet_ids: { type: 'array', items: { type: 'string' } },
    }),
    handler: async ({ posts }, { principal, body }) => {
      const post = await posts.create(principal, inputOf(body));
      const id = String(post.id);
      return {
        data: { id, text: escapeText(post.text), edit_history_tweet_ids: post.detail.editHistory ?? [id] },
      };
    },
  }),
  changeEndpoint({
    operationId: 'deleteTweetById',
    tag,
    summary: 'Deletes a post of the user',
    method: 'DELETE',
    path: '/2/tweets/{id}',
    access,
    rateLimits: perQuarterHour({ user: 50 }),
    params: postInPath,
    answers: { deleted: true },
    run: ({ posts }, { principal, params }) => posts.delete(principal, params.id),
  }),
];

/** See docs/api/posts.md#hidden-replies. */
export const hideReply = endpoint({
  operationId: 'hideReplyById',
  tag: 'Hide replies',
  summary: 'Hides a reply in a conversation that the user started, or shows it again',
  method: 'PUT',
  path: '/2/tweets/{id}/hidden',
  access: userWrite('tweet.moderate.write'),
  rateLimits: perQuarterHour({ user: 50 }),
  params: { id: inPath(idParam<PostId>('The reply.')) },
  body: jsonBody(v.object({ hidden: v.required(v.boolean('True hides, false shows.')) })),
  response: dataSchema({ hidden: { type: 'boolean' } }),
  handler: async ({ posts }, { principal, params, body }) => {
    await posts.setHidden(principal, params.id, body.hidden);
    return { data: { hidden: body.hidden } };
  },
});
