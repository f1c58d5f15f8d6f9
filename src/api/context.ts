import type { AccountSubscriptionService } from '../services/activity/account-subscriptions.js';
import type { ActivitySubscriptionService } from '../services/activity/activity-subscriptions.js';
import type { CommunityService } from '../services/communities/communities.js';
import type { ComplianceService } from '../services/compliance/compliance-jobs.js';
import type { DmService } from '../services/dms/dms.js';
import type { ProfileService } from '../services/accounts/own-profile.js';
import type { InstanceService } from '../services/instance/instance.js';
import type { ArticleService } from '../services/posts/articles.js';
import type { AnalyticsService } from '../services/posts/analytics.js';
import type { BookmarkService } from '../services/posts/bookmarks.js';
import type { LikeService } from '../services/posts/likes.js';
import type { ListService } from '../services/lists/lists.js';
import type { MediaAnalyticsService } from '../services/media/media-analytics.js';
import type { MediaService } from '../services/media/media.js';
import type { ConversationService } from '../services/posts/conversations.js';
import type { PlaceSearch } from '../services/places/search-places.js';
import type { PollService } from '../services/posts/poll-votes.js';
import type { NotificationService } from '../services/notifications/notifications.js';
import type { PostService } from '../services/posts/posts.js';
import type { RelationService } from '../services/relations/relations.js';
import type { RepostService } from '../services/posts/reposts.js';
import type { OwnSpaceService } from '../services/spaces/own-spaces.js';
import type { SpaceService } from '../services/spaces/spaces.js';
import type { CountService } from '../services/search/count-posts.js';
import type { TrendService } from '../services/trends/trends.js';
import type { UserSearchService } from '../services/search/search-users.js';
import type { SearchService } from '../services/search/search.js';
import type { Clock } from '../core/clock.js';
import type { ClientAddress } from '../auth/client-address.js';
import type { StreamConnections } from '../services/streams/connections.js';
import type { FeedStreams } from '../services/streams/feed-streams.js';
import type { StreamedObjects } from '../services/streams/streamed-objects.js';
import type { FilteredStreams } from '../services/streams/filtered-streams.js';
import type { StreamRuleService } from '../services/streams/stream-rules.js';
import type { TimelineService } from '../services/timelines/timelines.js';
import type { WebhookLinkService } from '../services/webhooks/links.js';
import type { ReplayService } from '../services/webhooks/replay.js';
import type { WebhookService } from '../services/webhooks/webhooks.js';
import type { UsageService } from '../services/usage/usage.js';
import type { Views } from '../views/views.js';
import type { Paging } from './paging.js';

/** What the endpoints of streams need. */
export interface Streams {
  readonly feed: FeedStreams;
  readonly filtered: FilteredStreams;
  readonly connections: StreamConnections;
  readonly objects: StreamedObjects;
  readonly clientAddress: ClientAddress;
  /** The most bytes that wait for a client. */
  readonly maxWaitingBytes: number;
  readonly clock: Clock;
}

/** The dependencies of handlers: services that act and views that present. */
export interface ApiContext {
  readonly posts: PostService;
  readonly polls: PollService;
  readonly articles: ArticleService;
  readonly likes: LikeService;
  readonly reposts: RepostService;
  readonly bookmarks: BookmarkService;
  readonly relations: RelationService;
  readonly notifications: NotificationService;
  readonly lists: ListService;
  readonly dms: DmService;
  readonly spaces: SpaceService;
  readonly ownSpaces: OwnSpaceService;
  readonly communities: CommunityService;
  readonly conversations: ConversationService;
  readonly media: MediaService;
  readonly mediaAnalytics: MediaAnalyticsService;
  readonly searchPlaces: PlaceSearch;
  readonly timelines: TimelineService;
  readonly search: SearchService;
  readonly searchUsers: UserSearchService;
  readonly trends: TrendService;
  readonly analytics: AnalyticsService;
  readonly counts: CountService;
  readonly streams: Streams;
  readonly streamRules: StreamRuleService;
  readonly accountSubscriptions: AccountSubscriptionService;
  readonly activitySubscriptions: ActivitySubscriptionService;
  readonly webhooks: WebhookService;
  readonly webhookLinks: WebhookLinkService;
  readonly webhookReplays: ReplayService;
  readonly compliance: ComplianceService;
  readonly usage: UsageService;
  readonly profiles: ProfileService;
  readonly instance: InstanceService;
  readonly views: Views;
  readonly paging: Paging;
  readonly clock: Clock;
}
