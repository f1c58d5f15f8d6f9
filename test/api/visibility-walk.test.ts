import { describe, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../src/api/endpoint.js';
import { endpoints } from '../../src/api/route-table.js';
import { urlsOf, type CallValues, type UrlWorld } from './support/endpoint-urls.js';
import { ID, postId, startNetwork, type Caller, type Name, type Network } from './support/network.js';

/**
 * Nothing leaks through any endpoint that reads posts or users, whoever asks and whatever is expanded (specification
 * section 5; reference/objects.md 15, behaviours.md 5). The endpoints are those of the route table: a new one is walked
 * by itself, or fails here until WAYS says how to call it.
 */

/** How to call the endpoints whose parameters do not say what they are about; by operation. */
/** alice's, and one of another's. */
const SPACES = [{ id: 's1' }, { id: 's2' }];
const LISTS = [{ id: '501' }, { id: '502' }];

/** How to call the endpoints whose parameters do not say what they are about; by operation. */
const WAYS: Readonly<Record<string, readonly CallValues[]>> = {
  listIdGet: LISTS,
  listsIdTweets: LISTS,
  listGetMembers: LISTS,
  listGetFollowers: LISTS,
  searchSpaces: [{ query: 'Spaceword' }],
  findSpacesByIds: [{ ids: SPACES.map(({ id }) => id).join() }],
  findSpacesByCreatorIds: [{ user_ids: [ID.alice, '17'].join() }],
  findSpaceById: SPACES,
  spaceTweets: SPACES,
  // Refused to all but the creator: spaces.test.ts.
  spaceBuyers: [{ id: 'nothing' }],
  tweetsRecentSearch: ['Targetword', 'Innerword', 'from:alice', 'from:grace'].map((query) => ({ query })),
};

/** What the others are to alice, whose posts are at stake. */
const RELATION: Readonly<Record<Name, string>> = {
  alice: 'self',
  bob: 'stranger',
  carol: 'follower',
  dave: 'blocked',
  erin: 'blocker',
  frank: 'muter',
};
const NAMES = Object.keys(RELATION) as Name[];

const TARGET = postId(1);
const INNER = postId(2);
const POSTS = Array.from({ length: 8 }, (_, n) => postId(n + 1));

const KINDS = ['open', 'protected', 'suspended'] as const;
type Kind = (typeof KINDS)[number];

/** Words that stand in one place only, and who may read them. */
const SEEN_BY: Readonly<Record<Kind, Readonly<Record<string, readonly string[]>>>> = {
  open: {
    Targetword: ['app', 'self', 'stranger', 'follower', 'blocker', 'muter'],
    Innerword: ['self', 'follower'],
    Nestname: ['self'],
    Spaceword: ['app', 'self', 'stranger', 'follower', 'blocker', 'muter'],
  },
  protected: {
    Targetword: ['self', 'follower'],
    Innerword: ['self', 'follower'],
    Nestname: ['self'],
    Spaceword: ['self', 'follower'],
    // Who follows a protected account is nobody else's business.
    Quietname: ['self', 'follower'],
  },
  suspended: { Targetword: [], Innerword: [], Quietname: [], Nestname: [], Spaceword: [] },
};

/** Posts of alice's that everybody has answered, quoted, reposted, liked and kept, and that name everybody. */
async function networkOf(kind: Kind): Promise<Network> {
  const everybody = NAMES.map((name) => `@${name}`).join(' ');
  const others = [...NAMES, 'grace'];
  const targets = [TARGET, INNER];
  const network = await startNetwork({
    users: [
      { username: 'alice', protected: kind === 'protected', pinned_post: TARGET },
      { username: 'grace', id: '17', name: 'grace the bird' },
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
    mutes: [{ from: 'frank', to: 'alice' }],
    posts: [
      { id: TARGET, author: 'alice', text: `Targetword ${everybody} @grace` },
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
      { id: '502', owner: 'alice', name: 'Nestname', private: true, members: ['alice', 'grace'] },
    ],
    spaces: [
      { id: 's1', creator: 'alice', title: 'Spaceword', state: 'live' },
      { id: 's2', creator: 'grace', title: 'Open', state: 'live', hosts: ['grace', 'alice'], posts: targets },
    ],
  });
  if (kind === 'suspended') await network.suspend('alice');
  return network;
}

/** True for endpoints whose answers hold posts or users, as data or beside it. */
function readsPostsOrUsers({ method, access, response, path }: AnyEndpoint): boolean {
  // Compliance jobs and media say nothing of what others posted.
  const isRead = method === 'GET' && access !== 'public' && !/^\/2\/(compliance|media)\b/.test(path);
  return isRead && /schemas\/(Tweet|User|Includes)"/.test(JSON.stringify(response ?? {}));
}

const readers = endpoints.filter(readsPostsOrUsers);

function worldSeenBy(ownId: string): UrlWorld {
  return { postIds: POSTS, userIds: [ID.alice, '17', ownId], usernames: ['alice', 'grace'], ownId };
}

/** The relation of each caller to alice, the caller, and what it may name as its own. The suspended cannot call. */
function callersOf({ app, as }: Network, kind: Kind): [string, Caller, string][] {
  const names = NAMES.filter((name) => kind !== 'suspended' || name !== 'alice');
  return [
    ['app', app, ID.bob],
    ...names.map((name): [string, Caller, string] => [RELATION[name], as(name), ID[name]]),
  ];
}

describe.each(KINDS)('posts of an account that is %s', (kind) => {
  test('are read through every endpoint by those who may and by nobody else', async () => {
    const network = await networkOf(kind);
    const words = Object.keys(SEEN_BY[kind]);
    for (const [relation, caller, ownId] of callersOf(network, kind)) {
      const seen = new Set<string>();
      for (const endpoint of readers) {
        if (!mayCall(endpoint, relation)) continue;
        for (const url of urlsOf(endpoint, worldSeenBy(ownId), WAYS[endpoint.operationId])) {
          const { status, body } = await caller.get(url);
          expect(status, `${relation} ${url} ${JSON.stringify(body)}`).toBe(200);
          const text = JSON.stringify(body);
          for (const word of words.filter((each) => text.includes(each))) {
            expect(SEEN_BY[kind][word], `${word} at ${url}`).toContain(relation);
            seen.add(word);
          }
        }
      }
      // Who may see something does so somewhere: else the walk would prove nothing.
      expect([...seen].sort(), relation).toEqual(
        words.filter((word) => SEEN_BY[kind][word]?.includes(relation)).sort(),
      );
    }
  });
});

function mayCall({ access }: AnyEndpoint, relation: string): boolean {
  // The full archive is for research apps alone; it runs the same search as the recent one.
  if (access === 'public' || access.track !== undefined) return false;
  return access.contexts.includes(relation === 'app' ? 'app' : 'oauth2');
}

test('the walk knows the endpoints that read posts and users', () => {
  const operations = readers.map(({ operationId }) => operationId);
  expect(operations).toEqual(expect.arrayContaining(['findTweetById', 'findUserById', 'usersIdFollowers']));
});

test('an endpoint whose parameters say nothing must say how it is called', () => {
  const [lookup] = readers.filter(({ operationId }) => operationId === 'findTweetById');
  const stranger = { ...lookup, operationId: 'findWidgetById', path: '/2/widgets/{id}' } as AnyEndpoint;
  const world = worldSeenBy(ID.bob);
  expect(() => urlsOf(stranger, world)).toThrow('say how to call findWidgetById');
  expect(urlsOf(stranger, world, [{ id: '7' }])[0]).toMatch(/^\/2\/widgets\/7\?/);
});
