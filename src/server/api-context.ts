import type { ApiContext } from '../api/context.js';
import { createPaging } from '../api/paging.js';
import type { RelationCache } from '../stores/relation-cache.js';
import type { Backend } from './backend.js';
import type { Config } from './config.js';
import type { PostWriter } from '../services/posts/write-post.js';
import { createComplianceService } from '../services/compliance/compliance-jobs.js';
import { createDmService } from '../services/dms/dms.js';
import { createArticleService } from '../services/posts/articles.js';
import { createAnalyticsService } from '../services/posts/analytics.js';
import { createBookmarkService } from '../services/posts/bookmarks.js';
import { createLikeService } from '../services/posts/likes.js';
import { createProfileService } from '../services/accounts/settings.js';
import { createInstanceService } from '../services/instance/instance.js';
import { createCompletionService } from '../services/finding/completions.js';
import { createNewestPostService } from '../services/finding/newest-posts.js';
import { createSavedSearchService } from '../services/finding/saved-searches.js';
import { createSuggestionService } from '../services/finding/suggestions.js';
import { createFirstStepService } from '../services/first-steps/first-steps.js';
import { createNoticeService } from '../services/moderation/notices.js';
import { createReportService } from '../services/moderation/reports.js';
import { createConversationService } from '../services/posts/conversations.js';
import { createListService } from '../services/lists/lists.js';
import { createMediaAnalytics } from '../services/media/media-analytics.js';
import { createPageTokens } from '../api/page-tokens.js';
import { createPollService } from '../services/posts/poll-votes.js';
import { createNotificationService } from '../services/notifications/notifications.js';
import { createPostService } from '../services/posts/posts.js';
import { createRelationService } from '../services/relations/relations.js';
import { createStreamRuleService } from '../services/streams/stream-rules.js';
import { createCommunityService } from '../services/communities/communities.js';
import { createOwnSpaceService } from '../services/spaces/own-spaces.js';
import { createSpaceService } from '../services/spaces/spaces.js';
import { createCountService } from '../services/search/count-posts.js';
import { createHistogramService } from '../services/search/histogram.js';
import { createPlaceSearch } from '../services/places/search-places.js';
import { createTrendService } from '../services/trends/trends.js';
import { createUserSearch } from '../services/search/search-users.js';
import { createSearchService } from '../services/search/search.js';
import { createTimelineService } from '../services/timelines/timelines.js';
import { createRepostService } from '../services/posts/reposts.js';

/** The parts of the server that handlers share with its background work, and what services are made of. */
interface SharedParts extends Pick<ApiContext, 'media' | 'usage' | 'streams' | 'live' | 'views'> {
  readonly writer: PostWriter;
  readonly publicUrl: string;
  readonly relations: RelationCache;
  readonly activity: Pick<ApiContext, 'activitySubscriptions' | 'accountSubscriptions'>;
  readonly webhooks: {
    readonly service: ApiContext['webhooks'];
    readonly links: ApiContext['webhookLinks'];
    readonly replays: ApiContext['webhookReplays'];
  };
}

/** Returns who may sign up and read. */
function doorsOf({ signUp, publicPages }: Config) {
  return { signUp, isOpen: publicPages === 'on' };
}

/** Creates the context of endpoint handlers. */
export function createContext(config: Config, backend: Backend, parts: SharedParts): ApiContext {
  const { engine, clock, ids, queue } = backend;
  const { writer, publicUrl, relations, activity, webhooks, media, usage, streams, live, views } = parts;
  return {
    media,
    usage,
    streams,
    live,
    views,
    activitySubscriptions: activity.activitySubscriptions,
    accountSubscriptions: activity.accountSubscriptions,
    posts: createPostService({ engine, ids, writer, publicUrl, clock, queue }),
    polls: createPollService({ engine, clock }),
    articles: createArticleService({ engine, ids, clock, writer }),
    likes: createLikeService({ engine, ids }),
    reposts: createRepostService({ engine, ids, writer, clock, queue }),
    bookmarks: createBookmarkService({ engine, ids }),
    relations: createRelationService({ engine, ids, queue }),
    notifications: createNotificationService({ engine }),
    lists: createListService({ engine, ids }),
    dms: createDmService({ engine, ids, clock, publicUrl }),
    spaces: createSpaceService({ engine, ids, clock }),
    ownSpaces: createOwnSpaceService({ engine, ids, clock }),
    communities: createCommunityService({ engine, ids }),
    profiles: createProfileService({ engine }),
    instance: createInstanceService({ engine, ids, clock, publicUrl, ...doorsOf(config) }),
    conversations: createConversationService({ engine }),
    newestPosts: createNewestPostService({ engine }),
    completions: createCompletionService({ engine, clock, relations }),
    suggestions: createSuggestionService({ engine, relations }),
    savedSearches: createSavedSearchService({ engine, ids, clock }),
    reports: createReportService({ engine, ids, clock }),
    notices: createNoticeService({ engine, clock }),
    firstSteps: createFirstStepService({ engine, clock }),
    mediaAnalytics: createMediaAnalytics({ engine }),
    timelines: createTimelineService({ engine, clock, relations }),
    search: createSearchService({ engine, clock }),
    searchUsers: createUserSearch({ engine }),
    analytics: createAnalyticsService({ engine }),
    searchPlaces: createPlaceSearch(engine),
    trends: createTrendService({ engine, clock }),
    counts: createCountService({ engine, clock }),
    histogram: createHistogramService({ engine, clock }),
    streamRules: createStreamRuleService({
      engine,
      ids,
      clock,
      limits: { maxRules: config.streamRules, maxLength: config.streamRuleLength },
    }),
    webhooks: webhooks.service,
    webhookLinks: webhooks.links,
    webhookReplays: webhooks.replays,
    compliance: createComplianceService({ engine, ids, clock, queue, key: backend.key, publicUrl }),
    paging: createPaging(createPageTokens(backend.key)),
    clock,
  };
}
