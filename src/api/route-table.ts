import type { AnyEndpoint } from './endpoint.js';
import { withOpenApi } from './openapi.js';
import { bookmarkPost, getBookmarks, removeBookmark } from './routes/bookmarks.js';
import { blockUser, getBlocked, unblockUser } from './routes/blocks.js';
import {
  createGroup,
  deleteDmEvent,
  getConversationEvents,
  getConversationEventsWith,
  getDmEvent,
  getDmEvents,
  sendToConversation,
  sendToUser,
} from './routes/direct-messages.js';
import { createComplianceJob, getComplianceJob, getComplianceJobs } from './routes/compliance-jobs.js';
import { followUser, getFollowers, getFollowing, unfollowUser } from './routes/follows.js';
import { hideReply } from './routes/hide-replies.js';
import { getLikedPosts, getLikers, likePost, unlikePost } from './routes/likes.js';
import {
  followList,
  getFollowedLists,
  getListFollowers,
  getPinnedLists,
  pinList,
  unfollowList,
  unpinList,
} from './routes/list-follows.js';
import {
  addListMember,
  getListMembers,
  getListMemberships,
  removeListMember,
} from './routes/list-members.js';
import { createList, deleteList, getList, getListPosts, getOwnedLists, updateList } from './routes/lists.js';
import { createPost, deletePost } from './routes/manage-posts.js';
import { getMediaByKey, getMediaByKeys } from './routes/media-lookup.js';
import { createMediaMetadata } from './routes/media-metadata.js';
import {
  createSubtitles,
  createSubtitlesV1,
  deleteSubtitles,
  deleteSubtitlesV1,
} from './routes/media-subtitles.js';
import { createMetadataV1, getUploadStatusV1, uploadMediaV1 } from './routes/media-upload-v1.js';
import {
  appendToUpload,
  finalizeUpload,
  getUploadStatus,
  initializeUpload,
  uploadMedia,
} from './routes/media-upload.js';
import { getMuted, muteUser, unmuteUser } from './routes/mutes.js';
import { getPost, getPosts } from './routes/post-lookup.js';
import { getQuotes } from './routes/quotes.js';
import { getReposters, getReposts, getRepostsOfMe, repostPost, undoRepost } from './routes/reposts.js';
import { countAll, countRecent } from './routes/counts.js';
import { searchAll, searchRecent } from './routes/search.js';
import {
  getSpace,
  getSpaceBuyers,
  getSpacePosts,
  getSpaces,
  getSpacesByCreators,
  searchSpaces,
} from './routes/spaces.js';
import { getHomeTimeline, getMentions, getUserPosts } from './routes/timelines.js';
import { getUsage } from './routes/usage.js';
import { verifyCredentials } from './routes/verify-credentials.js';
import { getMe, getUser, getUserByUsername, getUsers, getUsersByUsernames } from './routes/user-lookup.js';

/** Every endpoint of the API, in the order of the reference page. */
export const endpoints: readonly AnyEndpoint[] = withOpenApi([
  createPost,
  deletePost,
  getPost,
  getPosts,
  hideReply,
  getLikers,
  getLikedPosts,
  likePost,
  unlikePost,
  getQuotes,
  getReposters,
  getReposts,
  getRepostsOfMe,
  repostPost,
  undoRepost,
  getBookmarks,
  bookmarkPost,
  removeBookmark,
  getUserPosts,
  getMentions,
  getHomeTimeline,
  searchRecent,
  searchAll,
  countRecent,
  countAll,
  getUser,
  getUsers,
  getUserByUsername,
  getUsersByUsernames,
  getMe,
  getFollowers,
  getFollowing,
  followUser,
  unfollowUser,
  getBlocked,
  blockUser,
  unblockUser,
  getMuted,
  muteUser,
  unmuteUser,
  searchSpaces,
  getSpaces,
  getSpacesByCreators,
  getSpace,
  getSpaceBuyers,
  getSpacePosts,
  createList,
  getList,
  updateList,
  deleteList,
  getListPosts,
  getListMembers,
  addListMember,
  removeListMember,
  getListFollowers,
  getOwnedLists,
  getListMemberships,
  getFollowedLists,
  followList,
  unfollowList,
  getPinnedLists,
  pinList,
  unpinList,
  getDmEvents,
  getDmEvent,
  getConversationEventsWith,
  getConversationEvents,
  sendToUser,
  sendToConversation,
  createGroup,
  deleteDmEvent,
  createComplianceJob,
  getComplianceJobs,
  getComplianceJob,
  uploadMedia,
  getUploadStatus,
  initializeUpload,
  appendToUpload,
  finalizeUpload,
  createMediaMetadata,
  createSubtitles,
  deleteSubtitles,
  getMediaByKey,
  getMediaByKeys,
  uploadMediaV1,
  getUploadStatusV1,
  createMetadataV1,
  createSubtitlesV1,
  deleteSubtitlesV1,
  verifyCredentials,
  getUsage,
]);
