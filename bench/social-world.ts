import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { SNOWFLAKE_EPOCH_MS } from '../src/core/snowflake.js';

/** Friendships of real people, each giving two follows; absent without the data. */
const GRAPH = join(import.meta.dirname, '..', '..', 'shared', 'data', 'graphs', 'socfb-Reed98.txt.gz');

const FIRST_USER_ID = 7001;
const APP_ID = '31';
const POSTS_EACH = 20;
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
  readonly follows: number;
  readonly users: readonly SocialUser[];
  /** The world file. */
  readonly document: object;
}

/** Returns users who follow each other according to the graph, with `postsEach` posts and a token per user. */
export function socialWorld(postsEach = POSTS_EACH): SocialWorld {
  const { graph, edges } = readGraph();
  const people = Math.max(...edges.flat()) + 1;
  const users = Array.from({ length: people }, (_, index) => ({
    id: String(FIRST_USER_ID + index),
    username: `person_${index}`,
    token: `social-token-${index}`,
  }));
  const name = (index: number): string => users[index]?.username ?? '';
  const follows = edges.flatMap(([one, other]) => [
    { from: name(one), to: name(other) },
    { from: name(other), to: name(one) },
  ]);
  return { graph, follows: follows.length, users, document: documentOf(users, follows, postsEach) };
}

function documentOf(users: readonly SocialUser[], follows: readonly object[], postsEach: number): object {
  return {
    users: users.map(profileOf),
    follows,
    posts: users.flatMap(({ username }, person) =>
      Array.from({ length: postsEach }, (_, n) => {
        const number = n * users.length + person;
        const id = BigInt(FIRST_POST_MS + number * 1_000 - SNOWFLAKE_EPOCH_MS) << 22n;
        return { id: String(id), author: username, text: `Post no. ${number} of the day, by ${username}` };
      }),
    ),
    apps: [
      {
        id: APP_ID,
        name: 'Social bench',
        owner: users[0]?.username,
        access_level: 'elevated',
        track: 'standard',
        permissions: 'read_write',
        api_key: 'social-api-key',
        api_secret: 'social-api-secret',
        bearer_token: 'social-bearer',
        client_id: 'social-client',
        redirect_uris: [],
      },
    ],
    tokens: users.map(({ username, token }) => ({
      app: APP_ID,
      user: username,
      kind: 'oauth2',
      access_token: token,
      scopes: SCOPES,
    })),
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
