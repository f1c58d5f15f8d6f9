import type { AnyEndpoint } from '../../endpoint.js';
import { bookmarkFolderEndpoints } from './bookmark-folders.js';
import { dmConversationEndpoints } from './dm-conversations.js';
import { firstStepEndpoints } from './first-steps.js';
import { followRequestEndpoints } from './follow-requests.js';
import { findingEndpoints } from './finding.js';
import { getInstance } from './instance.js';
import { followLive } from './live.js';
import { getConversation, getHiddenReplies } from './conversation.js';
import { noticeEndpoints } from './notices.js';
import { notificationEndpoints } from './notifications.js';
import { getListStates, getPostStates } from './states.js';
import { voteInPoll } from './poll-votes.js';
import { profileEndpoints } from './profile.js';
import { getUserArticles } from './user-articles.js';
import { getNewestPosts } from './newest-posts.js';
import { findPeople } from '../user-search.js';
import { getOpenSpaces, ownSpaceEndpoints } from './spaces.js';
import { reportEndpoints } from './reports.js';
import { searchHistogram } from './search-histogram.js';

/** The endpoints of Pipit itself, which the original does not have (docs/api/pipit.md). */
export const pipitEndpoints: readonly AnyEndpoint[] = [
  getInstance,
  voteInPoll,
  ...profileEndpoints,
  ...followRequestEndpoints,
  getPostStates,
  getListStates,
  ...bookmarkFolderEndpoints,
  getConversation,
  getHiddenReplies,
  getUserArticles,
  getNewestPosts,
  findPeople,
  ...findingEndpoints,
  getOpenSpaces,
  searchHistogram,
  ...ownSpaceEndpoints,
  ...dmConversationEndpoints,
  ...notificationEndpoints,
  followLive,
  ...reportEndpoints,
  ...noticeEndpoints,
  ...firstStepEndpoints,
];
