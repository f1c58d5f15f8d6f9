import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../src/api/endpoint.js';
import { endpoints } from '../../src/api/route-table.js';
import { urlsOf, type CallValues, type UrlWorld } from './support/endpoint-urls.js';
import {
  ID,
  openNetwork,
  postId,
  PUBLIC_URL,
  type Caller,
  type Name,
  type Network,
} from './support/network.js';

/**
 * No endpoint that reads posts or users discloses hidden content, for any caller and any expansion
 * (docs/api/objects.md#visibility, docs/api/people.md#follows-blocks-and-mutes). The endpoints come from the route
 * table: a new one is called automatically, or fails here until WAYS has its calls.
 */

/** One of alice, and one of another user. */
const SPACES = [{ id: 's1' }, { id: 's2' }];
const LISTS = [{ id: '501' }, { id: '502' }];
const MEDIA_KEY = '3_77';
const POSTS = Array.from({ length: 8 }, (_, n) => postId(n + 1));
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
  findTweetsById: [{ ids: POSTS.join() }],
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
  getMediaByMediaKey: [{ media_key: MEDIA_KEY }],
  getMediaByMediaKeys: [{ media_keys: MEDIA_KEY }],
};

/** The relation of each user to alice, the author of the tested posts. */
const RELATION: Readonly<Record<Name, string>> = {
  alice: 'self',
  bob: 'stranger',
  carol: 'follower',
  dave: 'blocked',
  erin: 'blocker',
  frank: 'muted and muter',
};
const NAMES = Object.keys(RELATION) as Name[];

const TARGET = postId(1);
const INNER = postId(2);
/** Her reply to the first, her quote and her repost of it. */
const GRACE_POSTS = [postId(3), postId(4), postId(5)];

/** Messages to each of NAMES that link to the posts. */
const DM_EVENTS = NAMES.map((_, n) => postId(n + 20));

const KINDS = ['open', 'protected', 'suspended'] as const;
type Kind = (typeof KINDS)[number];

/** Strings that appear in a response only with something of alice. */
const ALICE_MARKERS = [`"id":"${ID.alice}"`, `"id":"${TARGET}"`, MEDIA_KEY];

/** Words that appear in one place each, with the relations that can read them. */
const SEEN_BY: Readonly<Record<Kind, Readonly<Record<string, readonly string[]>>>> = {
  open: {
    Targetword: ['app', 'self', 'stranger', 'follower', 'blocker', 'muted and muter'],
    Altword: ['app', 'self', 'stranger', 'follower', 'blocker', 'muted and muter'],
    Innerword: ['self', 'follower'],
    Nestname: ['self'],
    Spaceword: ['app', 'self', 'stranger', 'follower', 'blocker', 'muted and muter'],
  },
  protected: {
    Targetword: ['self', 'follower'],
    Altword: ['self', 'follower'],
    Innerword: ['self', 'follower'],
    Nestname: ['self'],
    Spaceword: ['self', 'follower'],
    // The followers of a protected account are private.
    Quietname: ['self', 'follower'],
  },
  suspended: { Targetword: [], Altword: [], Innerword: [], Quietname: [], Nestname: [], Spaceword: [] },
};

/**
 * Posts of alice that everybody has replied to, quoted, reposted, liked and bookmarked, and that mention everybody.
 */
async function networkOf(kind: Kind): Promise<Network> {
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
  // Compliance jobs and usage contain nothing of other users.
  const isRead = method === 'GET' && access !== 'public' && !/^\/2\/(compliance|usage)\b/.test(path);
  return isRead && /schemas\/(Tweet|User|Includes)"/.test(JSON.stringify(response ?? {}));
}

const readers = endpoints.filter(readsPostsOrUsers);

function worldSeenBy(ownId: string): UrlWorld {
  const postIds = [TARGET, INNER, ...GRACE_POSTS];
  const userIds = [ID.alice, '17'];
  return { postIds, userIds, usernames: ['alice', 'grace'], dmEventIds: DM_EVENTS, ownId };
}

/** The relation to alice, the caller, and the caller’s own id. A suspended user cannot call. */
function callersOf({ research, as }: Network, kind: Kind): [string, Caller, string][] {
  const names = NAMES.filter((name) => kind !== 'suspended' || name !== 'alice');
  return [
    ['app', research, ID.bob],
    ...names.map((name): [string, Caller, string] => [RELATION[name], as(name), ID[name]]),
  ];
}

describe.each(KINDS)('posts of an account that is %s', (kind) => {
  let network: Network;
  beforeAll(async () => {
    network = await networkOf(kind);
  });
  afterAll(() => network.close());

  test('are readable through every endpoint by permitted callers only', async () => {
    const words = Object.keys(SEEN_BY[kind]);
    const disclosing = new Set<string>();
    for (const [relation, caller, ownId] of callersOf(network, kind)) {
      const seen = new Set<string>();
      const calls = readers
        .filter((endpoint) => mayCall(endpoint, relation))
        .flatMap((endpoint) =>
          urlsOf(endpoint, worldSeenBy(ownId), waysOf(endpoint, ownId)).map(
            (url) => [endpoint.operationId, url] as const,
          ),
        );
      const answers = calls.map(
        async ([operation, url]) => [operation, url, await textAt(caller, url, relation)] as const,
      );
      for (const [operation, url, text] of await Promise.all(answers)) {
        if (ALICE_MARKERS.some((id) => text.includes(id))) disclosing.add(operation);
        for (const word of words.filter((each) => text.includes(each))) {
          expect(SEEN_BY[kind][word], `${word} at ${url}`).toContain(relation);
          seen.add(word);
        }
      }
      // Each permitted caller must see each word somewhere, or the walk would prove nothing.
      expect([...seen].sort(), relation).toEqual(
        words.filter((word) => SEEN_BY[kind][word]?.includes(relation)).sort(),
      );
    }
    const operations = readers.map(({ operationId }) => operationId);
    if (kind === 'open') expect(operations.filter((name) => !disclosing.has(name))).toEqual([]);
  });

  test('are counted if an app can read them, and nothing else', async () => {
    const counters = endpoints.filter(({ path }) => path.startsWith('/2/tweets/counts/'));
    expect(counters).toHaveLength(2);
    for (const { path } of counters) {
      for (const word of ['Targetword', 'Innerword']) {
        const { status, body } = await network.research.get(`${path}?query=${word}`);
        const isSeen = SEEN_BY[kind][word]?.includes('app');
        // The post and grace’s repost of it.
        expect([status, body.meta.total_tweet_count], `${path} ${word}`).toEqual([200, isSeen ? 2 : 0]);
      }
    }
  });
});

async function textAt(caller: Caller, url: string, relation: string): Promise<string> {
  const { status, body } = await caller.get(url);
  const text = JSON.stringify(body);
  expect(status, `${relation} ${url} ${text}`).toBe(200);
  return text;
}

function waysOf({ operationId }: AnyEndpoint, ownId: string): readonly CallValues[] | undefined {
  const ways = WAYS[operationId];
  return typeof ways === 'function' ? ways(ownId) : ways;
}

function mayCall({ access }: AnyEndpoint, relation: string): boolean {
  return access !== 'public' && access.contexts.includes(relation === 'app' ? 'app' : 'oauth2');
}

test('the walk includes the endpoints that read posts and users', () => {
  const operations = readers.map(({ operationId }) => operationId);
  expect(operations).toEqual(expect.arrayContaining(['findTweetById', 'findUserById', 'usersIdFollowers']));
});

test('an endpoint with undetermined parameters must declare its calls', () => {
  const [lookup] = readers.filter(({ operationId }) => operationId === 'findTweetById');
  const stranger = { ...lookup, operationId: 'findWidgetById', path: '/2/widgets/{id}' } as AnyEndpoint;
  const world = worldSeenBy(ID.bob);
  expect(() => urlsOf(stranger, world)).toThrow('say how to call findWidgetById');
  expect(urlsOf(stranger, world, [{ id: '7' }])[0]).toMatch(/^\/2\/widgets\/7\?/);
});
