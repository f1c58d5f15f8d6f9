import { writeFile } from 'node:fs/promises';
import { TwitterApi } from 'twitter-api-v2';
import type { ServeFlags } from '../../../src/server/config.js';
import { createSharedDatabase } from '../../support/test-database.js';
import { LocalAgent } from './local-agent.js';
import { startServer, type ServerProcess } from './server-process.js';
import { serveWorld, type WireServer } from './wire-server.js';

/** The data that the clients read. Ids from 2022 are snowflakes. */
export const ALICE = { id: '2244994945', username: 'alice' } as const;
export const BOB = { id: '6253282', username: 'bob' } as const;
export const CAROL = { id: '783214', username: 'carol' } as const;

/** The credentials of the app, and of alice and bob, who authorized it. */
export const APP = {
  apiKey: 'wire-api-key',
  apiSecret: 'wire-api-secret',
  bearerToken: 'AAAAAAAAAAAAAAAAAAAAAwire%2Fbearer%3D',
  clientId: 'wire-client-id',
} as const;
export const ALICE_KEYS = {
  accessToken: `${ALICE.id}-wire-access`,
  accessSecret: 'alice-access-secret',
} as const;
export const BOB_KEYS = { accessToken: `${BOB.id}-wire-access`, accessSecret: 'bob-access-secret' } as const;
export const ALICE_OAUTH2 = 'alice-oauth2-token';
export const READ_ONLY_OAUTH2 = 'alice-oauth2-token-that-only-reads';

/** One thread of alice and bob with every kind of attachment. */
export const POSTS = {
  root: '1530000000000000001',
  reply: '1530000000000000002',
  quote: '1530000000000000003',
  poll: '1530000000000000004',
  pictures: '1530000000000000005',
  guarded: '1530000000000000006',
} as const;
export const UNKNOWN_POST = '1530000000000000999';
export const PICTURE_KEY = '3_1530000000000000101';
export const COMMUNITY_ID = '1530000000000000301';
export const PLACE_ID = '01a9a39529b27f36';

/** Unused media of alice; a media id can be used in one post only. */
export const FREE_MEDIA_IDS = ['1530000000000000201', '1530000000000000202', '1530000000000000203'] as const;

const WORLD = {
  users: [
    {
      ...ALICE,
      name: 'Alice Ärmel',
      subscription_type: 'Premium',
      description: 'Reads #birds',
      url: 'https://alice.example',
    },
    { ...BOB, name: 'Bob', pinned_post: POSTS.reply, location: 'By the sea' },
    { ...CAROL, name: 'Carol', protected: true },
  ],
  follows: [
    { from: BOB.username, to: ALICE.username },
    { from: ALICE.username, to: BOB.username },
  ],
  places: [
    {
      id: PLACE_ID,
      full_name: 'Harbour, Island',
      name: 'Harbour',
      country: 'Island',
      country_code: 'IS',
      place_type: 'city',
      bbox: [-1, 50, 1, 51],
    },
  ],
  media: [
    {
      media_key: PICTURE_KEY,
      type: 'photo',
      url: 'https://pictures.example/1.jpg',
      width: 640,
      height: 480,
      alt_text: 'A bird',
      owner: ALICE.username,
    },
    ...FREE_MEDIA_IDS.map((id) => ({
      media_key: `3_${id}`,
      type: 'photo',
      url: `https://pictures.example/${id}.jpg`,
      width: 320,
      height: 200,
      owner: ALICE.username,
    })),
  ],
  posts: [
    {
      id: POSTS.root,
      author: ALICE.username,
      text: 'Salt & pepper, 1 < 2 #birds $PIP @bob 🐦 https://birds.example/one',
      place: PLACE_ID,
    },
    { id: POSTS.reply, author: BOB.username, text: 'Yes, indeed', in_reply_to: POSTS.root },
    { id: POSTS.quote, author: BOB.username, text: 'Look at this', quote_of: POSTS.root },
    {
      id: POSTS.poll,
      author: ALICE.username,
      text: 'Which one?',
      poll: { options: ['Gull', 'Tern'], duration_minutes: 1440, votes: [3, 4] },
    },
    { id: POSTS.pictures, author: ALICE.username, text: 'A picture', media: [PICTURE_KEY] },
    { id: POSTS.guarded, author: CAROL.username, text: 'Only for followers' },
  ],
  likes: [{ user: BOB.username, post: POSTS.root }],
  communities: [
    { id: COMMUNITY_ID, name: 'Birds', description: 'All kinds of #birds', members: [ALICE.username] },
  ],
  apps: [
    {
      id: '27',
      name: 'Wire client',
      owner: ALICE.username,
      access_level: 'elevated',
      track: 'standard',
      permissions: 'read_write',
      api_key: APP.apiKey,
      api_secret: APP.apiSecret,
      bearer_token: APP.bearerToken,
      client_id: APP.clientId,
      redirect_uris: ['https://client.example/callback'],
    },
  ],
  tokens: [
    oauth1Token(ALICE.username, ALICE_KEYS),
    oauth1Token(BOB.username, BOB_KEYS),
    oauth2Token(ALICE_OAUTH2, [
      'tweet.read',
      'tweet.write',
      'tweet.moderate.write',
      'users.read',
      'list.read',
      'list.write',
      'offline.access',
    ]),
    oauth2Token(READ_ONLY_OAUTH2, ['tweet.read', 'users.read']),
  ],
};

/** OAuth 1.0a credentials of a user. */
export interface UserKeys {
  readonly accessToken: string;
  readonly accessSecret: string;
}

function oauth1Token(user: string, keys: UserKeys) {
  return {
    app: '27',
    user,
    kind: 'oauth1',
    access_token: keys.accessToken,
    access_token_secret: keys.accessSecret,
  };
}

function oauth2Token(accessToken: string, scopes: readonly string[]) {
  return { app: '27', user: ALICE.username, kind: 'oauth2', access_token: accessToken, scopes };
}

/** Creates an unmodified twitter-api-v2 client with the app’s OAuth 1.0a credentials and those of a user. */
export function signedClient({ port }: Pick<WireServer, 'port'>, keys: UserKeys): TwitterApi {
  const settings = { httpAgent: new LocalAgent(port) };
  return new TwitterApi({ appKey: APP.apiKey, appSecret: APP.apiSecret, ...keys }, settings);
}

/** A database with the world above, for processes that follow one another. */
export interface WireDatabase {
  /** Starts a server with additional arguments of `serve`; the first one loads the world. */
  serve(moreArgs?: readonly string[]): Promise<ServerProcess>;
  remove(): Promise<void>;
}

/** Creates the database. */
export async function createWireDatabase(): Promise<WireDatabase> {
  const database = await createSharedDatabase();
  const worldFile = database.file('world.json');
  await writeFile(worldFile, JSON.stringify(WORLD));
  const loading = ['--load', worldFile];
  return {
    serve: (moreArgs = []) => {
      const args = ['--database', database.url, ...loading.splice(0), ...moreArgs];
      return startServer({ args, folder: database.folder });
    },
    remove: database.remove,
  };
}

/** Starts a server in this process. */
export function startWireServer(flags?: ServeFlags): Promise<WireServer> {
  return serveWorld(WORLD, { flags });
}
