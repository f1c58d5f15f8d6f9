import type { AnyEndpoint } from './endpoint.js';
import { withOpenApi } from './openapi.js';
import { accountActivityEndpoints } from './routes/account-activity.js';
import { activityStream } from './routes/activity-stream.js';
import { activitySubscriptionEndpoints } from './routes/activity-subscriptions.js';
import { articleEndpoints } from './routes/articles.js';
import { getMediaAnalytics, getPostsAnalytics } from './routes/analytics.js';
import { bookmarkEndpoints } from './routes/bookmarks.js';
import { likeEndpoints } from './routes/likes.js';
import { communityEndpoints } from './routes/communities.js';
import { complianceJobEndpoints } from './routes/compliance-jobs.js';
import { countEndpoints } from './routes/counts.js';
import { directMessageEndpoints } from './routes/direct-messages.js';
import { dmMediaDownload } from './routes/dm-media.js';
import { dmBlockEndpoints } from './routes/dm-blocks.js';
import { hideReply, managePostEndpoints } from './routes/manage-posts.js';
import { listOfUserEndpoints } from './routes/lists-of-users.js';
import { listEndpoints } from './routes/lists.js';
import { mediaLookupEndpoints } from './routes/media-lookup.js';
import { createMediaMetadata } from './routes/media-metadata.js';
import { subtitleEndpoints, subtitleV1Endpoints } from './routes/media-subtitles.js';
import { mediaUploadV1Endpoints } from './routes/media-upload-v1.js';
import { mediaUploadEndpoints } from './routes/media-upload.js';
import { pipitEndpoints } from './routes/pipit/pipit-endpoints.js';
import { postLookupEndpoints } from './routes/post-lookup.js';
import { relationEndpoints } from './routes/relations.js';
import { repostEndpoints } from './routes/reposts.js';
import { searchEndpoints } from './routes/search.js';
import { complianceStreams } from './routes/compliance-streams.js';
import { likeStreams } from './routes/like-streams.js';
import { postStreams } from './routes/post-streams.js';
import { searchStream } from './routes/search-stream.js';
import { connectionEndpoints } from './routes/connections.js';
import { streamRuleEndpoints } from './routes/stream-rules.js';
import { spaceEndpoints } from './routes/spaces.js';
import { timelineEndpoints } from './routes/timelines.js';
import { getUsage } from './routes/usage.js';
import { userLookupEndpoints } from './routes/user-lookup.js';
import { trendEndpoints } from './routes/trends.js';
import { searchUsers } from './routes/user-search.js';
import { webhookLinkEndpoints } from './routes/webhook-links.js';
import { replayWebhook, webhookEndpoints } from './routes/webhooks.js';
import { endpointsV1 } from './v1/endpoints-v1.js';
import { verifyCredentials } from './routes/verify-credentials.js';

/** Every endpoint of the API, in the order of the documentation. */
export const endpoints: readonly AnyEndpoint[] = withOpenApi([
  ...managePostEndpoints,
  ...articleEndpoints,
  ...postLookupEndpoints,
  getPostsAnalytics,
  hideReply,
  ...likeEndpoints,
  ...repostEndpoints,
  ...bookmarkEndpoints,
  ...timelineEndpoints,
  ...searchEndpoints,
  ...countEndpoints,
  ...trendEndpoints,
  searchStream,
  ...postStreams,
  ...likeStreams,
  ...complianceStreams,
  ...streamRuleEndpoints,
  activityStream,
  ...activitySubscriptionEndpoints,
  ...accountActivityEndpoints,
  ...webhookEndpoints,
  replayWebhook,
  ...webhookLinkEndpoints,
  ...connectionEndpoints,
  ...userLookupEndpoints,
  searchUsers,
  ...relationEndpoints,
  ...spaceEndpoints,
  ...communityEndpoints,
  ...listEndpoints,
  ...listOfUserEndpoints,
  ...directMessageEndpoints,
  dmMediaDownload,
  ...dmBlockEndpoints,
  ...complianceJobEndpoints,
  ...mediaUploadEndpoints,
  createMediaMetadata,
  ...subtitleEndpoints,
  ...mediaLookupEndpoints,
  getMediaAnalytics,
  ...mediaUploadV1Endpoints,
  ...subtitleV1Endpoints,
  verifyCredentials,
  ...endpointsV1,
  getUsage,
  ...pipitEndpoints,
]);
