import type { JsonSchema } from '../../core/json-schema.js';
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
import { activitySubscription } from './activity.js';
import { analyticsFields } from '../analytics-fields.js';
import { usageFields } from '../usage-fields.js';
import { inBothNames } from './both-names.js';
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
