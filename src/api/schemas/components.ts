import { ACTIVITY_DIRECTIONS, ACTIVITY_TYPES } from '../../core/activity.js';
import { date, id, object, oneOf, text, type JsonSchema } from '../../core/json-schema.js';
import { complianceJobFields } from '../../views/wire/compliance-job.js';
import { completionFields } from '../../views/wire/completion.js';
import { conversationFields, conversationReply } from '../../views/wire/conversation.js';
import { dmConversationFields } from '../../views/wire/dm-conversation.js';
import { dmEventFields } from '../../views/wire/dm-event.js';
import { objectSchema } from '../../views/wire/field.js';
import { listFields } from '../../views/wire/list.js';
import { listStateFields } from '../../views/wire/list-state.js';
import { mediaFields } from '../../views/wire/media.js';
import { placeFields } from '../../views/wire/place.js';
import { pollFields } from '../../views/wire/poll.js';
import { noticeFields } from '../../views/wire/notice.js';
import { notificationFields } from '../../views/wire/notification.js';
import { postStateFields } from '../../views/wire/post-state.js';
import { postFields } from '../../views/wire/post.js';
import { reportFields } from '../../views/wire/report.js';
import { savedSearchFields } from '../../views/wire/saved-search.js';
import { spaceFields, topicFields } from '../../views/wire/space.js';
import { userFields } from '../../views/wire/user.js';
import { statusV1 } from '../../views/v1/status-schema.js';
import { userV1Fields } from '../../views/v1/user.js';
import { webhookFields } from '../../views/wire/webhook.js';
import { connectionFields } from '../connection-fields.js';
import { ruleCountFields, ruleError, streamRule } from '../stream-rule-fields.js';
import { communityFields } from '../../views/wire/community.js';
import { mediaAnalyticsFields } from '../media-analytics-fields.js';
import { personalizedTrendFields, trendFields } from '../trend-fields.js';
import { analyticsFields } from '../analytics-fields.js';
import { usageFields } from '../usage-fields.js';
import { newerNameOf } from '../../views/newer-names.js';
import { bookmarkedPost, bookmarkFolder, includes, meta, searchCount } from './envelopes.js';
import {
  clientForbiddenProblem,
  error,
  invalidRequestProblem,
  problem,
  resourceNotFoundProblem,
  streamRefusedProblem,
  usageCappedProblem,
  v1Errors,
} from './problem.js';
import { ruleSummary } from './stream-rules.js';

/** A subscription to activity (docs/api/activity.md#subscriptions). */
const activitySubscription = object(
  {
    created_at: date,
    event_type: oneOf(...ACTIVITY_TYPES),
    filter: object({ user_id: id, keyword: text, direction: oneOf(...ACTIVITY_DIRECTIONS) }),
    subscription_id: id,
    tag: text,
    updated_at: date,
    webhook_id: id,
  },
  ['created_at', 'event_type', 'filter', 'subscription_id', 'updated_at'],
);

/** The component schemas by the names under which `ref` finds them. */
export const components = {
  ActivitySubscription: activitySubscription,
  Analytics: objectSchema(analyticsFields),
  BookmarkFolder: bookmarkFolder,
  BookmarkedPost: bookmarkedPost,
  ClientForbiddenProblem: clientForbiddenProblem,
  ComplianceJob: objectSchema(complianceJobFields),
  Connection: objectSchema(connectionFields),
  Completion: objectSchema(completionFields),
  Conversation: objectSchema(conversationFields),
  ConversationReply: conversationReply,
  DmConversation: objectSchema(dmConversationFields),
  DmEvent: inBothNames(objectSchema(dmEventFields)),
  Error: error,
  Includes: inBothNames(includes),
  InvalidRequestProblem: invalidRequestProblem,
  List: objectSchema(listFields),
  ListState: objectSchema(listStateFields),
  Media: objectSchema(mediaFields),
  MediaAnalytics: objectSchema(mediaAnalyticsFields),
  Meta: meta,
  PersonalizedTrend: objectSchema(personalizedTrendFields),
  Place: objectSchema(placeFields),
  Poll: objectSchema(pollFields),
  PostState: objectSchema(postStateFields),
  Notice: objectSchema(noticeFields),
  Notification: objectSchema(notificationFields),
  Problem: problem,
  Report: objectSchema(reportFields),
  ResourceNotFoundProblem: resourceNotFoundProblem,
  RuleCounts: objectSchema(ruleCountFields),
  RuleError: ruleError,
  RuleSummary: ruleSummary,
  SavedSearch: objectSchema(savedSearchFields),
  SearchCount: searchCount,
  Space: objectSchema(spaceFields),
  StatusV1: statusV1,
  StreamRefusedProblem: streamRefusedProblem,
  StreamRule: streamRule,
  Topic: objectSchema(topicFields),
  Community: objectSchema(communityFields),
  Trend: objectSchema(trendFields),
  Tweet: inBothNames(objectSchema(postFields)),
  Usage: objectSchema(usageFields),
  UsageCappedProblem: usageCappedProblem,
  User: inBothNames(objectSchema(userFields)),
  UserV1: objectSchema(userV1Fields),
  V1Errors: v1Errors,
  Webhook: objectSchema(webhookFields),
} satisfies Record<string, JsonSchema>;

/** Returns the schema of an object whose members answers may name either way (docs/api/objects.md#vocabularies). */
function inBothNames(schema: JsonSchema): JsonSchema {
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>>;
  const newer = Object.entries(properties)
    .filter(([name]) => newerNameOf(name) !== name)
    .map(([name, member]) => [
      newerNameOf(name),
      { ...member, description: `\`${name}\` by its newer name.` },
    ]);
  return { ...schema, properties: { ...properties, ...(Object.fromEntries(newer) as JsonSchema) } };
}
