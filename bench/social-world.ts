import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { firstIdAt } from '../src/core/snowflake.js';
import type { Engine } from '../src/database/engine.js';
import { insertRows } from '../src/database/table.js';
import { sql } from '../src/database/sql.js';

/** Friendships of real people, each giving two follows; absent without the data. */
const GRAPH = join(import.meta.dirname, '..', '..', 'shared', 'data', 'graphs', 'socfb-Reed98.txt.gz');

const FIRST_USER_ID = 7001;
const APP_ID = '31';

/** Credentials of the app, and those of the first user. */
export const APP_BEARER = 'social-bearer';
export const OAUTH1_KEYS = {
  consumerKey: 'social-api-key',
  consumerSecret: 'social-api-secret',
  token: `${FIRST_USER_ID}-social-access-token`,
  tokenSecret: 'social-access-secret',
} as const;

const SCOPES = [
  'tweet.read',
  'tweet.write',
  'users.read',
  'follows.read',
  'follows.write',
  'like.read',
  'like.write',
  'block.read',
  'block.write',
];
const FIRST_POST_MS = Date.UTC(2022, 0, 1);
const SYNTHETIC = { people: 962, friends: 20 };

/** A user with an OAuth 2.0 token. */
export interface SocialUser {
  readonly id: string;
  readonly username: string;
  readonly token: string;
}

export interface SocialWorld {
  /** The origin of the graph. */
  readonly graph: string;
  readonly users: readonly SocialUser[];
  /** The pairs of follower and followed person. */
  readonly follows: readonly (readonly [SocialUser, SocialUser])[];
  /** The world file, without the follows. */
  readonly document: { readonly users: readonly object[]; readonly [section: string]: readonly object[] };
}

/** Returns users who follow each other according to the graph, with `postsEach` posts and a token per user. */
export function socialWorld(postsEach: number): SocialWorld {
  const { graph, edges } = readGraph();
  const people = Math.max(...edges.flat()) + 1;
  const users = Array.from({ length: people }, (_, index) => ({
    id: String(FIRST_USER_ID + index),
    username: `person_${index}`,
    token: `social-token-${index}`,
  }));
  const follows = edges.flatMap(([from, to]) => {
    const [one, other] = [users[from], users[to]];
    return one && other
      ? ([
          [one, other],
          [other, one],
        ] as const)
      : [];
  });
  return { graph, users, follows, document: documentOf(users, postsEach) };
}

const addFollows = insertRows('INSERT INTO follows (user_id, target_id, edge_id)', 3);
const addFollowers = insertRows('INSERT INTO followers (user_id, follower_id, edge_id)', 3);

/** Stores follows between users of a database, with their counts: by the world file, each would take five statements. */
export async function insertFollows(engine: Engine, follows: SocialWorld['follows']): Promise<void> {
  const firstId = firstIdAt(FIRST_POST_MS);
  const rows = follows.map(
    ([one, other], n) => [BigInt(one.id), BigInt(other.id), firstId + BigInt(n)] as const,
  );
  await engine.tx('follows', async (tx) => {
    await addFollows(tx, rows);
    await addFollowers(
      tx,
      rows.map(([one, other, edge]) => [other, one, edge]),
    );
    await tx.run(sql`
      UPDATE user_counts SET
        following = (SELECT COUNT(*) FROM follows WHERE follows.user_id = user_counts.user_id),
        followers = (SELECT COUNT(*) FROM followers WHERE followers.user_id = user_counts.user_id)`);
  });
}

function documentOf(users: readonly SocialUser[], postsEach: number): SocialWorld['document'] {
  return {
    users: users.map(profileOf),
    posts: users.flatMap(({ username }, person) =>
      Array.from({ length: postsEach }, (_, n) => {
        const number = n * users.length + person;
        const id = firstIdAt(FIRST_POST_MS + number * 1_000);
        return { id: String(id), author: username, text: `Post no. ${number} of the day, by ${username}` };
      }),
    ),
    apps: [
      {
        id: APP_ID,
        name: 'Social bench',
        owner: users[0]?.username,
        access_level: 'elevated',
        track: 'academic_research',
        permissions: 'read_write',
        api_key: OAUTH1_KEYS.consumerKey,
        api_secret: OAUTH1_KEYS.consumerSecret,
        bearer_token: APP_BEARER,
        client_id: 'social-client',
        redirect_uris: [],
      },
    ],
    tokens: [
      ...users.map(({ username, token }) => ({
        app: APP_ID,
        user: username,
        kind: 'oauth2',
        access_token: token,
        scopes: SCOPES,
      })),
      {
        app: APP_ID,
        user: users[0]?.username,
        kind: 'oauth1',
        access_token: OAUTH1_KEYS.token,
        access_token_secret: OAUTH1_KEYS.tokenSecret,
      },
    ],
  };
}

function profileOf({ id, username }: SocialUser, index: number): object {
  return {
    id,
    username,
    name: `The ${username}`,
    description: `Number ${index} of the graph. Writes about the weather and #music: https://example.com/${username}`,
    location: index % 3 === 0 ? '' : 'Portland, Oregon',
    profile_image_url: `https://pictures.example.com/profiles/${id}/${username}_normal.jpg`,
    verified: index % 50 === 0,
  };
}

function readGraph(): { graph: string; edges: (readonly [number, number])[] } {
  try {
    const text = gunzipSync(readFileSync(GRAPH)).toString();
    const edges = text
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number));
    return { graph: 'socfb-Reed98', edges: edges.map(([one = 0, other = 0]) => [one, other] as const) };
  } catch {
    return { graph: 'made up, as the real one is not here', edges: syntheticGraph() };
  }
}

/** Generates a graph of the same size: each user is friends with neighbours in a ring and some distant users. */
function syntheticGraph(): (readonly [number, number])[] {
  const { people, friends } = SYNTHETIC;
  return Array.from({ length: people }, (_, one) =>
    Array.from(
      { length: friends },
      (_unused, n) => [one, (one + 1 + n * (n % 2 === 0 ? 1 : 37)) % people] as const,
    ),
  ).flat();
}
