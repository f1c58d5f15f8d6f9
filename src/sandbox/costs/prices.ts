/** The prices of the original in dollars, per request or per resource that is returned (docs/sandbox.md#costs). */
export const PRICES = {
  post_read: 0.005,
  user_read: 0.01,
  follow_read: 0.01,
  dm_event_read: 0.01,
  list_read: 0.005,
  space_read: 0.005,
  community_read: 0.005,
  like_read: 0.001,
  mute_read: 0.001,
  block_read: 0.001,
  owned_read: 0.001,
  counts_recent: 0.005,
  counts_all: 0.01,
  trends: 0.01,
  post_create: 0.015,
  post_create_with_url: 0.2,
  dm_create: 0.015,
  user_action: 0.015,
  delete: 0.01,
  bookmark: 0.005,
} as const;

export type PriceName = keyof typeof PRICES;

export type PriceSheet = Readonly<Record<PriceName, number>>;

/** The operations that pay for each resource in `data`, once a day. */
export const PER_RESOURCE = {
  post_read: [
    'findTweetById',
    'findTweetsById',
    'findTweetsThatQuoteATweet',
    'findTweetsThatRetweetATweet',
    'getUsersRepostsOfMe',
    'getUsersIdBookmarks',
    'getUsersBookmarksByFolderId',
    'usersIdTweets',
    'usersIdMentions',
    'usersIdTimeline',
    'tweetsRecentSearch',
    'tweetsFullarchiveSearch',
    'listsIdTweets',
    'spaceTweets',
  ],
  user_read: [
    'tweetsIdRetweetingUsers',
    'findUserById',
    'findUsersById',
    'findUserByUsername',
    'findUsersByUsername',
    'findMyUser',
    'searchUsers',
    'getUsersAffiliates',
    'listGetMembers',
    'listGetFollowers',
    'spaceBuyers',
  ],
  follow_read: ['usersIdFollowers', 'usersIdFollowing'],
  dm_event_read: [
    'getDmEvents',
    'getDmEventsById',
    'getDmConversationsWithParticipantIdDmEvents',
    'getDmConversationsIdDmEvents',
  ],
  list_read: [
    'listIdGet',
    'listUserOwnedLists',
    'getUserListMemberships',
    'userFollowedLists',
    'listUserPinnedLists',
  ],
  space_read: ['searchSpaces', 'findSpacesByIds', 'findSpacesByCreatorIds', 'findSpaceById'],
  community_read: ['searchCommunities', 'getCommunitiesById'],
  like_read: ['tweetsIdLikingUsers', 'usersIdLikedTweets'],
  mute_read: ['usersIdMuting'],
  block_read: ['usersIdBlocking'],
} as const satisfies Partial<Record<PriceName, readonly string[]>>;

/** The operations that pay for each request that succeeds. */
export const PER_REQUEST = {
  counts_recent: ['tweetCountsRecentSearch'],
  counts_all: ['tweetCountsFullArchiveSearch'],
  trends: ['getTrendsByWoeid', 'getTrendsPersonalizedTrends'],
  post_create: ['createTweet'],
  dm_create: [
    'dmConversationWithUserEventIdCreate',
    'dmConversationByIdEventIdCreate',
    'dmConversationIdCreate',
  ],
  user_action: [
    'usersIdLike',
    'usersIdRetweets',
    'usersIdFollow',
    'usersIdBlock',
    'usersIdMute',
    'hideReplyById',
    'listIdCreate',
    'listIdUpdate',
    'listAddMember',
    'listUserFollow',
    'listUserPin',
    'blockUsersDms',
    'unblockUsersDms',
  ],
  delete: [
    'deleteTweetById',
    'usersIdUnlike',
    'usersIdUnretweets',
    'usersIdUnfollow',
    'usersIdUnblock',
    'usersIdUnmute',
    'listIdDelete',
    'listRemoveMember',
    'listUserUnfollow',
    'listUserUnpin',
    'dmEventDelete',
  ],
  bookmark: ['postUsersIdBookmarks', 'usersIdBookmarksDelete', 'createUsersBookmarkFolder'],
} as const satisfies Partial<Record<PriceName, readonly string[]>>;

/** How an operation is paid for. */
export interface Pricing {
  readonly price: PriceName;
  readonly per: 'resource' | 'request';
}

const PRICINGS = new Map<string, Pricing>([
  ...pricings(PER_RESOURCE, 'resource'),
  ...pricings(PER_REQUEST, 'request'),
]);

/** Returns how an operation is paid for; undefined if it is free. */
export function pricingOf(operation: string): Pricing | undefined {
  return PRICINGS.get(operation);
}

function pricings(
  table: Partial<Record<PriceName, readonly string[]>>,
  per: Pricing['per'],
): (readonly [string, Pricing])[] {
  return Object.entries(table).flatMap(([price, operations]) =>
    operations.map((operation) => [operation, { price: price as PriceName, per }] as const),
  );
}
