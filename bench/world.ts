import { SNOWFLAKE_EPOCH_MS } from '../src/core/snowflake.js';

/** The credentials of the benchmark. */
export const BEARER = 'bench-app-bearer-token';
const USER_TOKEN = 'bench-oauth2-user-token';
const OAUTH1 = {
  consumerKey: 'bench-api-key',
  consumerSecret: 'bench-api-secret',
  token: '5001-bench-access-token',
  tokenSecret: 'bench-access-secret',
} as const;

export const USERS = 200;
export const FIRST_USER_ID = 5001;
const APP_ID = '27';
export const FIRST_POST_MS = Date.UTC(2022, 0, 1);
export const MINUTE_MS = 60_000;
const PLACES = 20;

const WORDS = [
  'harbour gull tide lamp paper window bread orchard engine river copper button garden ladder morning signal',
  'marble kettle meadow anchor timber lantern pebble ribbon saddle thunder velvet whistle canvas basket candle',
]
  .join(' ')
  .split(' ');

/** Returns the id of the post with this number, from 0. */
export function postId(number: number): string {
  return String(BigInt(FIRST_POST_MS + number * MINUTE_MS - SNOWFLAKE_EPOCH_MS) << 22n);
}

/**
 * Returns a generated network as a world file: users who follow each other and `posts` posts, of which some are
 * replies, quotes or reposts, or have polls, media, places, mentions, hashtags and links. Deterministic.
 */
export function benchWorld(posts: number): object {
  return {
    users: Array.from({ length: USERS }, (_, index) => ({
      id: String(FIRST_USER_ID + index),
      username: username(index),
      name: `Bench user ${index}`,
      description: sentence(index, 12),
      location: word(index),
    })),
    follows: Array.from({ length: USERS - 1 }, (_, index) => ({
      from: username(index),
      to: username(index + 1),
    })),
    places: Array.from({ length: PLACES }, (_, index) => place(index)),
    media: Array.from({ length: Math.ceil(posts / 10) }, (_, index) => picture(index)),
    posts: Array.from({ length: posts }, (_, index) => post(index)),
    likes: Array.from({ length: posts }, (_, index) => ({ user: username(index * 7), post: postId(index) })),
    ...credentials(),
  };
}

function username(index: number): string {
  return `bench_${index % USERS}`;
}

function word(index: number): string {
  return WORDS[index % WORDS.length] ?? '';
}

function sentence(start: number, words: number): string {
  return Array.from({ length: words }, (_, index) => word(start * 7 + index * (1 + (start % 5)))).join(' ');
}

function mediaKey(index: number): string {
  return `3_${900_000 + index}`;
}

function picture(index: number): object {
  const url = `https://pictures.example/${index}.jpg`;
  return {
    media_key: mediaKey(index),
    type: 'photo',
    url,
    width: 800,
    height: 600,
    alt_text: sentence(index, 4),
  };
}

function place(index: number): object {
  const name = `${word(index)} ${index}`;
  return {
    id: `place${index}`,
    full_name: `${name}, Island`,
    name,
    country: 'Island',
    country_code: 'IS',
    place_type: 'city',
    bbox: [index, 10, index + 1, 11],
  };
}

/** Kinds repeat every ten posts. */
function post(index: number): object {
  const text = `${sentence(index, 14)} no. ${index}`;
  const base = { id: postId(index), author: username(index * 13), text, source: 'Bench' };
  switch (index % 10) {
    case 1:
      return { ...base, in_reply_to: postId(index - 1) };
    case 2:
      return { ...base, quote_of: postId(index - 2) };
    case 3:
      return {
        ...base,
        text: `@${username(index)} #${word(index)} https://${word(index)}.example/page ${text}`,
      };
    case 4:
      return { ...base, media: [mediaKey((index - 4) / 10)] };
    case 5:
      return {
        ...base,
        poll: { options: ['One', 'Two', 'Three'], duration_minutes: 60, votes: [index, 2, 1] },
      };
    case 6:
      return { ...base, place: `place${index % PLACES}` };
    case 7:
      return { id: base.id, author: base.author, repost_of: postId(index - 7) };
    default:
      return base;
  }
}

function credentials(): object {
  const owner = username(0);
  return {
    apps: [
      {
        id: APP_ID,
        name: 'Bench',
        owner,
        access_level: 'elevated',
        track: 'academic_research',
        permissions: 'read_write',
        api_key: OAUTH1.consumerKey,
        api_secret: OAUTH1.consumerSecret,
        bearer_token: BEARER,
        client_id: 'bench-client',
        redirect_uris: [],
      },
    ],
    tokens: [
      {
        app: APP_ID,
        user: owner,
        kind: 'oauth2',
        access_token: USER_TOKEN,
        scopes: ['tweet.read', 'tweet.write', 'users.read'],
      },
      {
        app: APP_ID,
        user: owner,
        kind: 'oauth1',
        access_token: OAUTH1.token,
        access_token_secret: OAUTH1.tokenSecret,
      },
    ],
  };
}
