import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiResponseError, TwitterApi } from 'twitter-api-v2';
import { endpoints } from '../../src/api/route-table.js';
import { firstIdAt } from '../../src/core/snowflake.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';
import { LocalAgent } from './support/local-agent.js';
import { serveWorld, type WireServer } from './support/wire-server.js';

/**
 * The paginators of unmodified twitter-api-v2 read their lists from the first page to the last and back; those of
 * searches, which are forward only, are in search.test.ts.
 */

const COUNT = 24;
const NUMBERS = Array.from({ length: COUNT }, (_, at) => at);
const NEWEST_FIRST = [...NUMBERS].reverse();

const ALICE = '501';
const userId = (n: number): string => String(600 + n);
const ROOT = '1530000000000000001';
const quoteId = (n: number): string => String(1_530_000_000_000_002_000n + BigInt(n));
const repostId = (n: number): string => String(1_530_000_000_000_001_000n + BigInt(n));
const blockedId = (n: number): string => String(700 + n);
const ownListId = (n: number): string => String(800 + n);
const otherListId = (n: number): string => String(900 + n);
/** Everybody is a member and a follower. */
const LARGE_LIST = '999';
/** Messages within the last 30 days, which every list includes. */
const NOW_MS = Date.now();
const messageId = (n: number): string => String(firstIdAt(NOW_MS - 3_600_000 + n * 60_000));
const at = (n: number): string => `2022-06-01T10:00:${String(n).padStart(2, '0')}Z`;

const APP = { appKey: 'paging-api-key', appSecret: 'paging-api-secret' } as const;
const KEYS = { accessToken: `${ALICE}-paging`, accessSecret: 'paging-secret' } as const;

const world = {
  users: [
    { id: ALICE, username: 'alice', name: 'Alice' },
    ...NUMBERS.map((n) => ({ id: userId(n), username: `user${n}`, name: `User ${n}` })),
    ...NUMBERS.map((n) => ({ id: blockedId(n), username: `other${n}`, name: `Other ${n}` })),
  ],
  follows: NUMBERS.flatMap((n) => [
    { from: 'alice', to: `user${n}` },
    { from: `user${n}`, to: 'alice' },
  ]),
  blocks: NUMBERS.map((n) => ({ from: 'alice', to: `other${n}` })),
  mutes: NUMBERS.map((n) => ({ from: 'alice', to: `other${n}` })),
  posts: [
    { id: ROOT, author: 'alice', text: 'The root' },
    ...NUMBERS.map((n) => ({ id: quoteId(n), author: 'user0', text: `@alice ${n}`, quote_of: ROOT })),
    ...NUMBERS.map((n) => ({ id: repostId(n), author: `user${n}`, repost_of: ROOT })),
  ],
  likes: NUMBERS.flatMap((n) => [
    { user: 'alice', post: quoteId(n), at: at(n) },
    { user: `user${n}`, post: ROOT, at: at(n) },
  ]),
  bookmarks: NUMBERS.map((n) => ({ user: 'alice', post: quoteId(n), at: at(n) })),
  lists: [
    ...NUMBERS.map((n) => ({ id: ownListId(n), owner: 'alice', name: `Own ${n}` })),
    ...NUMBERS.map((n) => ({
      id: otherListId(n),
      owner: 'user0',
      name: `Other ${n}`,
      members: ['alice'],
      followers: ['alice'],
    })),
    {
      id: LARGE_LIST,
      owner: 'user0',
      name: 'Great',
      members: NUMBERS.map((n) => `user${n}`),
      followers: NUMBERS.map((n) => `user${n}`),
    },
  ],
  conversations: [
    {
      participants: ['alice', 'user0'],
      messages: NUMBERS.map((n) => ({ id: messageId(n), from: 'user0', text: `message ${n}` })),
    },
  ],
  apps: [
    {
      id: '27',
      name: 'Paging client',
      owner: 'alice',
      access_level: 'elevated',
      track: 'standard',
      permissions: 'read_write_dm',
      api_key: APP.appKey,
      api_secret: APP.appSecret,
      bearer_token: 'paging-bearer',
      client_id: 'paging-client',
      redirect_uris: [],
    },
  ],
  tokens: [
    {
      app: '27',
      user: 'alice',
      kind: 'oauth1',
      access_token: KEYS.accessToken,
      access_token_secret: KEYS.accessSecret,
    },
  ],
};

let database: SharedDatabase;
let server: WireServer;

beforeAll(async () => {
  database = await createSharedDatabase({ users: 'this process' });
  server = await serveWorld(world, { database });
});

afterAll(async () => {
  await server.close();
  await database[Symbol.asyncDispose]();
});

function alice(): TwitterApi['v2'] {
  return new TwitterApi({ ...APP, ...KEYS }, { httpAgent: new LocalAgent(server.port) }).v2;
}

/** The common members of the client’s paginators. */
interface Paginator {
  readonly done: boolean;
  /** The response, joined over several pages. */
  readonly data: { readonly data: readonly { readonly id: string }[] };
  readonly meta: { readonly next_token?: string; readonly previous_token?: string };
  fetchLast(): Promise<unknown>;
  next(): Promise<Paginator>;
  previous(): Promise<Paginator>;
  [Symbol.asyncIterator](): AsyncIterator<{ readonly id: string }>;
}

type List = (size: number) => Promise<Paginator>;

const page = (size: number) => ({ max_results: size, asPaginator: true }) as const;

const LISTS: Readonly<Record<string, readonly [list: List, ids: readonly string[]]>> = {
  '/2/users/{id}/liked_tweets': [
    (size) => alice().userLikedTweets(ALICE, { max_results: size }),
    NEWEST_FIRST.map(quoteId),
  ],
  '/2/users/{id}/bookmarks': [(size) => alice().bookmarks({ max_results: size }), NEWEST_FIRST.map(quoteId)],
  '/2/tweets/{id}/liking_users': [(size) => alice().tweetLikedBy(ROOT, page(size)), NEWEST_FIRST.map(userId)],
  '/2/tweets/{id}/retweeted_by': [
    (size) => alice().tweetRetweetedBy(ROOT, page(size)),
    NEWEST_FIRST.map(userId),
  ],
  '/2/users/{id}/followers': [(size) => alice().followers(ALICE, page(size)), NEWEST_FIRST.map(userId)],
  '/2/users/{id}/following': [(size) => alice().following(ALICE, page(size)), NEWEST_FIRST.map(userId)],
  '/2/users/{id}/blocking': [
    (size) => alice().userBlockingUsers(ALICE, { max_results: size }),
    NEWEST_FIRST.map(blockedId),
  ],
  '/2/users/{id}/muting': [
    (size) => alice().userMutingUsers(ALICE, { max_results: size }),
    NEWEST_FIRST.map(blockedId),
  ],
  '/2/users/{id}/tweets': [
    (size) => alice().userTimeline(userId(0), { max_results: size }),
    [...NEWEST_FIRST.map(quoteId), repostId(0)],
  ],
  '/2/users/{id}/mentions': [
    (size) => alice().userMentionTimeline(ALICE, { max_results: size }),
    NEWEST_FIRST.map(quoteId),
  ],
  '/2/users/{id}/owned_lists': [
    (size) => alice().listsOwned(ALICE, { max_results: size }),
    NEWEST_FIRST.map(ownListId),
  ],
  '/2/users/{id}/list_memberships': [
    (size) => alice().listMemberships(ALICE, { max_results: size }),
    NEWEST_FIRST.map(otherListId),
  ],
  '/2/users/{id}/followed_lists': [
    (size) => alice().listFollowed(ALICE, { max_results: size }),
    NEWEST_FIRST.map(otherListId),
  ],
  '/2/lists/{id}/members': [
    (size) => alice().listMembers(LARGE_LIST, { max_results: size }),
    NEWEST_FIRST.map(userId),
  ],
  '/2/lists/{id}/followers': [
    (size) => alice().listFollowers(LARGE_LIST, { max_results: size }),
    NEWEST_FIRST.map(userId),
  ],
  '/2/lists/{id}/tweets': [
    (size) => alice().listTweets(LARGE_LIST, { max_results: size }),
    [...NEWEST_FIRST.map(quoteId), ...NEWEST_FIRST.map(repostId)],
  ],
  '/2/dm_events': [(size) => alice().listDmEvents({ max_results: size }), NEWEST_FIRST.map(messageId)],
  '/2/dm_conversations/with/{participant_id}/dm_events': [
    (size) => alice().listDmEventsWithParticipant(userId(0), { max_results: size }),
    NEWEST_FIRST.map(messageId),
  ],
  '/2/dm_conversations/{dm_conversation_id}/dm_events': [
    (size) => alice().listDmEventsOfConversation(`${ALICE}-${userId(0)}`, { max_results: size }),
    NEWEST_FIRST.map(messageId),
  ],
  '/2/users/{id}/timelines/reverse_chronological': [
    (size) => alice().homeTimeline({ max_results: size }),
    [...NEWEST_FIRST.map(quoteId), ...NEWEST_FIRST.map(repostId), ROOT],
  ],
};

/** Forward only, tested in search.test.ts or below; and those without a paginator in the client. */
const OTHERS = [
  '/2/tweets/search/recent',
  '/2/tweets/search/all',
  '/2/tweets/{id}/quote_tweets',
  '/2/tweets/counts/recent',
  '/2/tweets/counts/all',
  '/2/tweets/{id}/retweets',
  '/2/users/reposts_of_me',
  '/2/spaces/{id}/buyers',
  '/2/spaces/{id}/tweets',
  '/2/tweets/search/stream/rules',
  '/2/activity/subscriptions',
  '/2/connections',
  '/2/users/search',
  '/2/communities/search',
  '/2/users/{id}/affiliates',
  '/2/users/{id}/bookmarks/folders',
  '/2/users/{id}/bookmarks/folders/{folder_id}',
  '/_pipit/follow_requests',
  '/_pipit/posts/{id}/hidden_replies',
  '/_pipit/users/{id}/articles',
  '/_pipit/users/search',
  '/_pipit/conversations',
  '/_pipit/notifications',
  '/_pipit/notices',
];

test('every paged endpoint is covered', () => {
  const listed = endpoints.filter(({ params = {} }) => 'pagination_token' in params).map(({ path }) => path);
  expect(listed.sort()).toEqual([...Object.keys(LISTS), ...OTHERS].sort());
});

describe('the paginator of', () => {
  test.each(Object.entries(LISTS))('%s reads to the end, and joined pages equal the whole', async (_, of) => {
    const [list, ids] = of;
    const paginator = await list(10);
    await paginator.fetchLast();
    expect(paginator.done).toBe(true);
    expect(await everyId(paginator)).toEqual(ids);
    expect(await everyId(await list(100))).toEqual(ids);
  });

  test.each(Object.entries(LISTS))('%s reads back from the last page to the first', async (_, of) => {
    const [list, ids] = of;
    const pages = [await list(10)];
    for (let page = pages[0]; page && !page.done;) pages.push((page = await page.next()));
    expect(pages.flatMap(idsOf)).toEqual(ids);
    let page = pages.pop() ?? expect.fail('there is no page');
    for (const before of pages.reverse()) {
      page = await page.previous();
      expect(idsOf(page)).toEqual(idsOf(before));
    }
    expect(page.meta.previous_token).toBeUndefined();
  });

  test('quote_tweets reads to the end', async () => {
    const quotes = await alice().quotes(ROOT, { max_results: 10 });
    await quotes.fetchLast();
    expect(quotes.done).toBe(true);
    expect(await everyId(quotes)).toEqual(NEWEST_FIRST.map(quoteId));
    expect(quotes.meta.previous_token).toBeUndefined();
  });
});

function idsOf({ data }: Paginator): string[] {
  return data.data.map(({ id }) => id);
}

async function everyId(paginator: Paginator): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of paginator) ids.push(id);
  return ids;
}

describe('the client', () => {
  test('likes, reposts and bookmarks, and undoes each', async () => {
    const v2 = alice();
    const id = quoteId(0);
    expect((await v2.unlike(ALICE, id)).data).toEqual({ liked: false });
    expect((await v2.like(ALICE, id)).data).toEqual({ liked: true });
    expect((await v2.retweet(ALICE, id)).data).toEqual({ retweeted: true });
    expect((await v2.unretweet(ALICE, id)).data).toEqual({ retweeted: false });
    expect((await v2.deleteBookmark(id)).data).toEqual({ bookmarked: false });
    expect((await v2.bookmark(id)).data).toEqual({ bookmarked: true });
  });

  test('continues from a token after a restart of the server', async () => {
    const before = await alice().userLikedTweets(ALICE, { max_results: 10 });
    const token = before.meta.next_token ?? expect.fail('there is no next page');
    await server.close();
    server = await serveWorld(null, { database });
    const next = await alice().userLikedTweets(ALICE, { max_results: 10, pagination_token: token });
    expect(next.tweets).toHaveLength(10);
    const shown = new Set(before.tweets.map(({ id }) => id));
    expect(next.tweets.filter(({ id }) => shown.has(id))).toEqual([]);
    const changed = `${token.startsWith('a') ? 'b' : 'a'}${token.slice(1)}`;
    const refusal: unknown = await alice()
      .userLikedTweets(ALICE, { pagination_token: changed })
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiResponseError);
    expect(refusal).toMatchObject({ code: 400 });
  });
});
