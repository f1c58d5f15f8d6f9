import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/core/access.js';
import type { AnyEndpoint } from '../../src/api/endpoint.js';
import { endpoints } from '../../src/api/route-table.js';
import { urlsOf } from './support/endpoint-urls.js';
import { ID, type Caller, type Name, type Network } from './support/network.js';
import {
  callsOf,
  KINDS,
  MEDIA_KEY,
  NAMES,
  networkOf,
  readers,
  takes,
  TARGET,
  worldSeenBy,
  type Kind,
} from './support/walk-world.js';

/**
 * No endpoint that reads posts or users discloses hidden content, for any caller and any expansion
 * (docs/api/objects.md#visibility, docs/api/people.md#follows-blocks-and-mutes). The endpoints come from the route
 * table: a new one is called automatically, or fails here until WAYS has its calls (support/walk-world.ts).
 */

/** The relation of each user to alice, the author of the tested posts. */
const RELATION: Readonly<Record<Name, string>> = {
  alice: 'self',
  bob: 'stranger',
  carol: 'follower',
  dave: 'blocked',
  erin: 'blocker',
  frank: 'muted and muter',
};

/** Strings that appear in a response only with something of alice. */
const ALICE_MARKERS = [`"${ID.alice}"`, `"${TARGET}"`, MEDIA_KEY];

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
    // The followers of a protected account are private, and so are their ids.
    Quietname: ['self', 'follower'],
    '"18"': ['self', 'follower'],
  },
  suspended: {
    Targetword: [],
    Altword: [],
    Innerword: [],
    Quietname: [],
    '"18"': [],
    Nestname: [],
    Spaceword: [],
  },
};

/** Who calls: the relation to alice, the credentials in the order in which they are tried, and the caller’s own id. */
interface Walker {
  readonly relation: string;
  readonly by: Readonly<Partial<Record<Context, Caller>>>;
  readonly ownId: string;
}

/** Returns everybody who calls; a suspended user cannot. */
function callersOf({ research, as, signed }: Network, kind: Kind): Walker[] {
  const names = NAMES.filter((name) => kind !== 'suspended' || name !== 'alice');
  return [
    { relation: 'app', by: { app: research }, ownId: ID.bob },
    ...names.map((name) => ({
      relation: RELATION[name],
      by: { oauth2: as(name), oauth1: signed(name) },
      ownId: ID[name],
    })),
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
    for (const { relation, by, ownId } of callersOf(network, kind)) {
      const seen = new Set<string>();
      const calls = readers.flatMap((endpoint) => {
        const [, caller] = Object.entries(by).find(([context]) => takes(endpoint, context as Context)) ?? [];
        if (!caller) return [];
        return callsOf(endpoint, ownId).map((url) => [endpoint.operationId, url, caller] as const);
      });
      const answers = calls.map(
        async ([operation, url, caller]) => [operation, url, await textAt(caller, url, relation)] as const,
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
  // The original repeats the query beside the posts.
  const text = JSON.stringify(body, (name, value: unknown) => (name === 'search_metadata' ? null : value));
  // A hidden object is a refusal in v1.1.
  const expected = url.startsWith('/1.1/') ? [200, 401, 403, 404] : [200];
  expect(expected, `${relation} ${url} ${status} ${text}`).toContain(status);
  return text;
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
