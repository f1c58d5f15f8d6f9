import { foundation } from './0001-foundation.js';
import { jobs } from './0002-jobs.js';
import { timelines } from './0003-timelines.js';
import { repostLists } from './0004-repost-lists.js';
import { tokenPermissions } from './0005-token-permissions.js';
import { lists } from './0006-lists.js';
import { directMessages } from './0007-direct-messages.js';
import { search } from './0008-search.js';
import { media } from './0009-media.js';
import { webSessions } from './0010-web-sessions.js';
import { compliance } from './0011-compliance.js';
import { spaces } from './0012-spaces.js';
import { usage } from './0013-usage.js';
import { accounts } from './0014-accounts.js';
import { searchUntimed } from './0015-search-untimed.js';
import { usageRequests } from './0016-usage-requests.js';
import { servers } from './0017-servers.js';
import { appProfiles } from './0018-app-profiles.js';
import { pendingFanOuts } from './0019-pending-fan-outs.js';
import { searchFormat } from './0021-search-format.js';
import { accountAuthority } from './0022-account-authority.js';
import { serversClosed } from './0023-servers-closed.js';
import { replies } from './0024-replies.js';
import { mediaUsage } from './0025-media-usage.js';
import { pendingByAuthor } from './0027-pending-by-author.js';
import { streamRules } from './0029-stream-rules.js';
import { userWords } from './0030-user-words.js';
import { bookmarkFolders } from './0031-bookmark-folders.js';
import { dmBlocks } from './0032-dm-blocks.js';
import { streamConnections } from './0037-stream-connections.js';
import { lastingFeed } from './0033-lasting-feed.js';
import { subscriptions } from './0034-subscriptions.js';
import { activitySubscriptions } from './0035-activity-subscriptions.js';
import { webhooks } from './0036-webhooks.js';
import { articles } from './0038-articles.js';
import { communities } from './0039-communities.js';
import { accountSubscriptions } from './0040-account-subscriptions.js';
import { pollVotes } from './0041-poll-votes.js';
import { instance } from './0042-instance.js';
import { dmThreads } from './0043-dm-threads.js';
import { notifications } from './0044-notifications.js';
import { groupedNotifications } from './0045-grouped-notifications.js';
import { savedSearches } from './0046-saved-searches.js';
import { moderation } from './0047-moderation.js';
import { firstSteps } from './0048-first-steps.js';
import { openSpaces } from './0049-open-spaces.js';
import { dayFigures } from './0050-day-figures.js';
import { sharedFacts } from './0051-shared-facts.js';
import { pendingOnOneShard } from './0052-pending-on-one-shard.js';
import { profilePictures } from './0053-profile-pictures.js';
import { feedLease } from './0054-feed-lease.js';
import { feedNotices } from './0055-feed-notices.js';
import { fanOutProgress } from './0056-fan-out-progress.js';
import { ownNotices } from './0057-own-notices.js';
import type { Migration } from './migration.js';

/** Returns a step whose tables and views a later one creates again, so that it need not create them. */
function replaced(version: number, name: string): Migration {
  return { version, name, statements: () => [] };
}

/** All steps of the schema, in order. Append new ones. */
export const migrations: readonly Migration[] = [
  foundation,
  jobs,
  timelines,
  repostLists,
  tokenPermissions,
  lists,
  directMessages,
  search,
  media,
  webSessions,
  compliance,
  spaces,
  usage,
  accounts,
  searchUntimed,
  usageRequests,
  servers,
  appProfiles,
  pendingFanOuts,
  replaced(20, 'pending-home-entries'),
  searchFormat,
  accountAuthority,
  serversClosed,
  replies,
  mediaUsage,
  replaced(26, 'change-feed'),
  pendingByAuthor,
  replaced(28, 'snapshot-feed'),
  streamRules,
  userWords,
  bookmarkFolders,
  dmBlocks,
  lastingFeed,
  subscriptions,
  activitySubscriptions,
  webhooks,
  streamConnections,
  articles,
  communities,
  accountSubscriptions,
  pollVotes,
  instance,
  dmThreads,
  notifications,
  groupedNotifications,
  savedSearches,
  moderation,
  firstSteps,
  openSpaces,
  dayFigures,
  sharedFacts,
  pendingOnOneShard,
  profilePictures,
  feedLease,
  feedNotices,
  fanOutProgress,
  ownNotices,
];
