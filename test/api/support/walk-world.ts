import type { Context } from '../../../src/core/access.js';
import type { AnyEndpoint } from '../../../src/api/endpoint.js';
import { endpoints } from '../../../src/api/route-table.js';
import { pairConversation } from '../../../src/core/direct-message.js';
import type { UserId } from '../../../src/core/ids.js';
import { urlsOf, type CallValues, type UrlWorld } from './endpoint-urls.js';
import { ID, openNetwork, postId, PUBLIC_URL, type Name, type Network } from './network.js';

/**
 * A network with content for every endpoint that reads posts or users, and the calls that reach it. The endpoints come
 * from the route table: a new one is called automatically, or fails until WAYS has its calls.
 */

/** One of alice, and one of another user. */
const SPACES = [{ id: 's1' }, { id: 's2' }];
const LISTS = [{ id: '501' }, { id: '502' }];
export const MEDIA_KEY = '3_77';
const POSTS = Array.from({ length: 8 }, (_, n) => postId(n + 1));
const USERS_V1 = [{ user_id: ID.alice }, { user_id: '17' }, { user_id: ID.carol }];
const QUERIES = [
  'Targetword',
  'Innerword',
  'from:grace',
  'to:alice',
  `conversation_id:${postId(1)}`,
  'list:501',
].map((query) => ({ query }));

/** Calls of the endpoints whose parameters do not determine them, by operation. */
const WAYS: Readonly<Record<string, readonly CallValues[] | ((ownId: string) => readonly CallValues[])>> = {
  searchUsers: [{ query: 'alice' }],
  findPeople: [{ query: 'alice' }],
  findTweetsById: [{ ids: POSTS.join() }],
  // Each of NAMES has one with grace.
  getDmConversation: (ownId) => [{ dm_conversation_id: conversationWithGrace(ownId) }],
  getConversation: POSTS.map((id) => ({ id })),
  getHiddenReplies: POSTS.map((id) => ({ id })),
  // The last candidate is a new account that nobody follows, and whose name other endpoints must not disclose.
  getSuggestions: [{ max_results: '2' }],
  getCompletions: [{ text: '@alice' }],
  getPostStates: [{ ids: POSTS.join() }],
  listIdGet: LISTS,
  listsIdTweets: LISTS,
  listGetMembers: LISTS,
  listGetFollowers: LISTS,
  searchSpaces: [{ query: 'Spaceword' }],
  findSpacesByIds: [{ ids: SPACES.map(({ id }) => id).join() }],
  findSpacesByCreatorIds: [{ user_ids: [ID.alice, '17'].join() }],
  findSpaceById: SPACES,
  spaceTweets: SPACES,
  // Refused to everyone but the creator.
  spaceBuyers: (ownId) => [{ id: `own${ownId}` }],
  tweetsRecentSearch: QUERIES,
  tweetsFullarchiveSearch: QUERIES,
  getMediaAnalytics: [
    { media_keys: MEDIA_KEY, start_time: '2022-10-01T00:00:00Z', end_time: '2022-10-02T00:00:00Z' },
  ],
  getMediaByMediaKey: [{ media_key: MEDIA_KEY }],
  showStatusV1: POSTS.map((id) => ({ id, tweet_mode: 'extended' })),
  showStatusByPathV1: POSTS.map((id) => ({ id: `${id}.json` })),
  userTimelineV1: USERS_V1,
  searchV1: QUERIES.map(({ query }) => ({ q: query, count: '100' })),
  lookupUsersV1: [{ screen_name: 'alice,grace' }],
  showUserV1: USERS_V1,
  followerIdsV1: USERS_V1.map((user) => ({ ...user, stringify_ids: 'true' })),
  friendIdsV1: USERS_V1.map((user) => ({ ...user, stringify_ids: 'true' })),
  getMediaByMediaKeys: [{ media_keys: MEDIA_KEY }],
};

function conversationWithGrace(userId: string): string {
  return pairConversation(BigInt(userId) as UserId, 17n as UserId).id;
}

export const NAMES = Object.keys(ID) as Name[];

export const TARGET = postId(1);
const INNER = postId(2);
/** Her reply to the first, her quote and her repost of it. */
const GRACE_POSTS = [postId(3), postId(4), postId(5)];

/** Messages to each of NAMES that link to the posts. */
const DM_EVENTS = NAMES.map((_, n) => postId(n + 20));

export const KINDS = ['open', 'protected', 'suspended'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * Posts of alice that everybody has replied to, quoted, reposted, liked and bookmarked, and that mention everybody.
 */
export async function networkOf(kind: Kind): Promise<Network> {
  const everybody = NAMES.map((name) => `@${name}`).join(' ');
  const others = [...NAMES, 'grace'];
  const targets = [TARGET, INNER];
  const network = await openNetwork({
    users: [
      { username: 'alice', protected: kind === 'protected', pinned_post: TARGET },
      { username: 'grace', id: '17', name: 'grace the bird', pinned_post: postId(4) },
      { username: 'quiet', id: '18', name: 'Quietname' },
    ],
    follows: [
      { from: 'carol', to: 'alice' },
      { from: 'quiet', to: 'alice' },
      ...NAMES.map((from) => ({ from, to: 'grace' })),
    ],
    blocks: [
      { from: 'alice', to: 'dave' },
      { from: 'erin', to: 'alice' },
    ],
    mutes: [
      { from: 'frank', to: 'alice' },
      { from: 'alice', to: 'frank' },
    ],
    media: [{ media_key: MEDIA_KEY, type: 'photo', owner: 'alice', alt_text: 'Altword' }],
    posts: [
      { id: TARGET, author: 'alice', text: `Targetword ${everybody} @grace`, media: [MEDIA_KEY] },
      { id: INNER, author: 'alice', text: `Innerword ${everybody} @grace`, super_followers_only: true },
      ...targets.flatMap((id, n) => [
        { id: postId(3 + 3 * n), author: 'grace', text: `Reply ${n}`, in_reply_to: id },
        { id: postId(4 + 3 * n), author: 'grace', text: `Quote ${n}`, quote_of: id },
        { id: postId(5 + 3 * n), author: 'grace', repost_of: id },
      ]),
    ],
    likes: targets.flatMap((post) => others.map((user) => ({ user, post }))),
    bookmarks: targets.flatMap((post) => others.map((user) => ({ user, post }))),
    lists: [
      { id: '501', owner: 'grace', name: 'Open', members: ['alice', 'grace'], followers: others },
      { id: '503', owner: 'alice', name: 'Hers', followers: ['grace'] },
      {
        id: '502',
        owner: 'alice',
        name: 'Nestname',
        private: true,
        members: ['alice', 'grace'],
        pinned_by: ['alice'],
      },
    ],
    spaces: [
      { id: 's1', creator: 'alice', title: 'Spaceword', state: 'live' },
      { id: 's2', creator: 'grace', title: 'Open', state: 'live', hosts: ['grace', 'alice'], posts: targets },
      ...NAMES.map((creator) => ({
        id: `own${ID[creator]}`,
        creator,
        title: 'Own',
        state: 'live',
        is_ticketed: true,
        buyers: NAMES.filter((name) => name !== creator),
      })),
    ],
    conversations: NAMES.map((name, n) => ({
      participants: [name, 'grace'],
      messages: [
        {
          id: DM_EVENTS[n],
          from: 'grace',
          text: targets.map((id) => `${PUBLIC_URL}/alice/status/${id}`).join(' '),
        },
      ],
    })),
  });
  if (kind === 'suspended') await network.suspend('alice');
  return network;
}

/** Reports whether the responses of an endpoint contain posts or users. */
function readsPostsOrUsers({ method, access, response, path }: AnyEndpoint): boolean {
  // Compliance jobs, usage, connections and communities contain nothing of other users, folders only ids
  // (bookmark-folders.test.ts), states of Lists only those (pipit-lists.test.ts). There are no affiliates. verify_credentials is about oneself.
  // Nobody here is protected and asked to be followed (pipit-people.test.ts).
  const isOther =
    /^\/2\/(compliance|usage|connections|communities)\b|\/(folders|affiliates|follow_requests|lists\/states)\b|verify_credentials/.test(
      path,
    );
  const isRead = method === 'GET' && access !== 'public' && !isOther;
  const listsIds = /^\/1\.1\/\w+\/ids\.json$/.test(path);
  const objects = /schemas\/(Tweet|User|Includes|StatusV1|UserV1)"/;
  return isRead && (listsIds || objects.test(JSON.stringify(response ?? {})));
}

/** The endpoints that read posts or users. */
export const readers = endpoints.filter(readsPostsOrUsers);

export function worldSeenBy(ownId: string): UrlWorld {
  const postIds = [TARGET, INNER, ...GRACE_POSTS];
  const userIds = [ID.alice, '17'];
  return { postIds, userIds, usernames: ['alice', 'grace'], dmEventIds: DM_EVENTS, ownId };
}

/** Returns the URLs of all calls of an endpoint by a user, each with all fields and expansions. */
export function callsOf(endpoint: AnyEndpoint, ownId: string): string[] {
  const ways = WAYS[endpoint.operationId];
  return urlsOf(endpoint, worldSeenBy(ownId), typeof ways === 'function' ? ways(ownId) : ways);
}

/** Returns true if an endpoint takes a kind of credential. */
export function takes({ access }: AnyEndpoint, context: Context): boolean {
  return access !== 'public' && access.contexts.includes(context);
}
