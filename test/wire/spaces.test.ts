import { afterAll, beforeAll, expect, test } from 'vitest';
import { TwitterApi } from 'twitter-api-v2';
import { POSTS, standardWorld, USERS } from '../support/world.js';
import { LocalAgent } from './support/local-agent.js';
import { serveWorld, type WireServer } from './support/wire-server.js';

/** Spaces with unmodified twitter-api-v2: each of its calls for Spaces. */

const ID = '1DXxyRYNejbKM';
const ALICE_TOKEN = 'alice-oauth2-token';

let server: WireServer;
let app: TwitterApi;
let alice: TwitterApi;

beforeAll(async () => {
  const world = {
    ...standardWorld(),
    spaces: [
      {
        id: ID,
        creator: 'alice',
        title: 'All about #birds',
        state: 'live',
        started_at: '2022-10-02T00:00:00Z',
        speakers: ['carol'],
        topics: [{ id: '7', name: 'Ornithology', description: 'Who looks at birds' }],
        buyers: ['bob'],
        posts: [POSTS.hello],
      },
    ],
    tokens: [
      {
        app: '2001',
        user: 'alice',
        kind: 'oauth2',
        access_token: ALICE_TOKEN,
        scopes: ['tweet.read', 'users.read', 'space.read'],
      },
    ],
  };
  server = await serveWorld(world);
  const settings = { httpAgent: new LocalAgent(server.port) };
  app = new TwitterApi('testbearer', settings);
  alice = new TwitterApi(ALICE_TOKEN, settings);
});

afterAll(() => server.close());

test('space and spaces read Spaces by id', async () => {
  const one = await app.v2.space(ID, {
    'space.fields': ['title', 'started_at', 'participant_count', 'is_ticketed', 'topic_ids'],
    expansions: ['creator_id', 'speaker_ids'],
  });
  expect(one.data).toMatchObject({
    id: ID,
    state: 'live',
    title: 'All about #birds',
    started_at: '2022-10-02T00:00:00.000Z',
    participant_count: 2,
    is_ticketed: true,
    creator_id: USERS.alice,
    speaker_ids: [USERS.carol],
  });
  expect(one.includes?.users?.map(({ username }) => username)).toEqual(['alice', 'carol']);
  const several = await alice.v2.spaces([ID, 'nothing']);
  expect([several.data.map(({ id }) => id), several.errors?.length]).toEqual([[ID], 1]);
});

test('spacesByCreators and searchSpaces find Spaces', async () => {
  const byCreators = await app.v2.spacesByCreators([USERS.alice, USERS.bob]);
  expect([byCreators.data, byCreators.meta]).toEqual([[{ id: ID, state: 'live' }], { result_count: 1 }]);
  const found = await alice.v2.searchSpaces({ query: 'birds', state: 'live' });
  expect([found.data, found.meta]).toEqual([[{ id: ID, state: 'live' }], { result_count: 1 }]);
});

test('spaceBuyers and spaceTweets list the buyers and posts of a Space', async () => {
  const buyers = await alice.v2.spaceBuyers(ID, { 'user.fields': ['protected'] });
  expect(buyers.data).toEqual([{ id: USERS.bob, username: 'bob', name: 'Bob', protected: false }]);
  const shared = await app.v2.spaceTweets(ID, { 'tweet.fields': ['author_id'] });
  expect(shared.data).toMatchObject([{ id: POSTS.hello, author_id: USERS.alice }]);
});
