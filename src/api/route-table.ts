import type { AnyEndpoint } from './endpoint.js';
import { withOpenApi } from './openapi.js';
import { bookmarkEndpoints, likeEndpoints } from './routes/likes.js';
import { complianceJobEndpoints } from './routes/compliance-jobs.js';
import { countEndpoints } from './routes/counts.js';
import { directMessageEndpoints } from './routes/direct-messages.js';
import { hideReply, managePostEndpoints } from './routes/manage-posts.js';
import { listOfUserEndpoints } from './routes/lists-of-users.js';
import { listEndpoints } from './routes/lists.js';
import { mediaLookupEndpoints } from './routes/media-lookup.js';
import { createMediaMetadata } from './routes/media-metadata.js';
import { subtitleEndpoints, subtitleV1Endpoints } from './routes/media-subtitles.js';
import { mediaUploadV1Endpoints } from './routes/media-upload-v1.js';
import { mediaUploadEndpoints } from './routes/media-upload.js';
import { postLookupEndpoints } from './routes/post-lookup.js';
import { relationEndpoints } from './routes/relations.js';
import { repostEndpoints } from './routes/reposts.js';
import { searchEndpoints } from './routes/search.js';
import { spaceEndpoints } from './routes/spaces.js';
import { timelineEndpoints } from './routes/timelines.js';
import { getUsage } from './routes/usage.js';
import { userLookupEndpoints } from './routes/user-lookup.js';
import { verifyCredentials } from './routes/verify-credentials.js';

/** Every endpoint of the API, in the order of the reference page. */
export const endpoints: readonly AnyEndpoint[] = withOpenApi([
  ...managePostEndpoints,
  ...postLookupEndpoints,
  hideReply,
  ...likeEndpoints,
  ...repostEndpoints,
  ...bookmarkEndpoints,
  ...timelineEndpoints,
  ...searchEndpoints,
  ...countEndpoints,
  ...userLookupEndpoints,
  ...relationEndpoints,
  ...spaceEndpoints,
  ...listEndpoints,
  ...listOfUserEndpoints,
  ...directMessageEndpoints,
  ...complianceJobEndpoints,
  ...mediaUploadEndpoints,
  createMediaMetadata,
  ...subtitleEndpoints,
  ...mediaLookupEndpoints,
  ...mediaUploadV1Endpoints,
  ...subtitleV1Endpoints,
  verifyCredentials,
  getUsage,
]);
