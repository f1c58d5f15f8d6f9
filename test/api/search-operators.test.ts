import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstIdAt } from '../../src/core/snowflake.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { BOULDER, standardWorld, USERS } from '../support/world.js';

/**
 * Search operators over posts created through the API (docs/api/search.md#operators, docs/api/search.md#matching).
 */

const NOW_MS = Date.parse('2022-10-07T22:42:12.000Z');
const id = (n: number): string => String(firstIdAt(NOW_MS - 3_600_000 + n * 1_000));

const POSTS = [
  { author: 'alice', text: 'a grumpy cat #Caturday $TWTR @bob @nobody_here https://github.com/x/y-z?q=Cats' },
  { author: 'bob', text: 'Ｆｕｌｌｗｉｄｔｈ ＃東京 naïve café', lang: 'fr' },
  { author: 'bob', text: '東京都に住んでいます', lang: 'ja' },
  { author: 'bob', text: 'look', media: ['3_51'] },
  { author: 'bob', text: 'watch', media: ['7_52'] },
  { author: 'bob', text: 'loop', media: ['16_53'] },
  { author: 'bob', text: 'in Boulder', place: '01a9' },
  { author: 'carol', text: 'quoting it', quote_of: id(1) },
  { author: 'carol', text: 'answering it', in_reply_to: id(1) },
  { author: 'carol', repost_of: id(7) },
  { author: 'carol', text: '👍🏽 👩‍👩‍👧 🇩🇪 1️⃣' },
  { author: 'carol', text: "don't e-mail foo_bar 3.14 C++" },
  { author: 'alice', text: 'answering myself', in_reply_to: id(1) },
  { author: 'alice', text: 'ümlaut straße İstanbul العَرَبِيَّة ภาษาไทย 한국어입니다' },
  { author: 'bob', text: 'from:dave OR "is:retweet" (not) and #' },
].map((post, index) => ({ id: id(index + 1), ...post }));

let app: TestApp;

beforeAll(async () => {
  const world = {
    ...standardWorld(),
    posts: POSTS,
    likes: [],
    bookmarks: [],
    places: [BOULDER],
    media: [
      { media_key: '3_51', type: 'photo', url: 'https://media.example/1.jpg' },
      { media_key: '7_52', type: 'video', url: 'https://media.example/1.mp4' },
      { media_key: '16_53', type: 'animated_gif', url: 'https://media.example/2.mp4' },
    ],
  };
  app = await startTestApp({ world, clock: () => NOW_MS });
});
afterAll(() => app.close());

async function found(query: string): Promise<number[]> {
  const path = `/2/tweets/search/recent?max_results=100&query=${encodeURIComponent(query)}`;
  const { status, body } = await app.get(path, app.bearer);
  expect(status, JSON.stringify(body)).toBe(200);
  const numbers = new Map(POSTS.map((post, index) => [post.id, index + 1]));
  return (body.data ?? []).map((post: { id: string }) => numbers.get(post.id) ?? 0).reverse();
}

describe('entities match exactly', () => {
  it.each([
    ['#caturday', [1]],
    ['#CATURDAY', [1]],
    ['#cat', []],
    ['caturday', [1]],
    ['#東京', [2]],
    ['$twtr', [1]],
    ['@bob', [1, 9, 13]],
    // No user has that name: it matches as text.
    ['@nobody_here', []],
    ['nobody_here', [1]],
    ['cat has:hashtags has:cashtags has:mentions has:links', [1]],
    ['from:carol -has:links -is:retweet', [9, 11, 12]],
  ])('%s', async (query, numbers) => expect(await found(query)).toEqual(numbers));
});

describe('links match by words', () => {
  it.each([
    ['url:github', [1]],
    ['url:"https://github.com/x/y-z"', [1]],
    ['url:cats', [1]],
    ['url:cat', []],
    ['url:"com github"', []],
    [`url:"status/${id(1)}"`, [8]],
  ])('%s', async (query, numbers) => expect(await found(query)).toEqual(numbers));
});

describe('words and punctuation', () => {
  it.each([
    ['naive', [2]],
    ['naïve CAFÉ', [2]],
    ['fullwidth', [2]],
    ['東京', [2, 3]],
    ['"東京都"', [3]],
    ['京都', [3]],
    ['住', [3]],
    ['👍', [11]],
    ['"👍🏽"', [11]],
    ['"👍🏿"', []],
    ['👩', [11]],
    ['"👩‍👩‍👧"', [11]],
    ['🇩🇪', [11]],
    ['1️⃣', [11]],
    ["don't", [12]],
    ['"e mail"', [12]],
    ['email', []],
    ['foo_bar', [12]],
    ['foo', []],
    ['"3.14"', [12]],
    ['"c++"', [12]],
    ['"from:dave"', [15]],
    ['"OR" "and" "is:retweet"', [15]],
    ['"dave or \\"is"', [15]],
    ['"dave * is"', []],
    ['dav*', []],
    ['umlaut strasse istanbul', [14]],
    ['العربية', [14]],
    ['ไทย', [14]],
    ['한국', [14]],
  ])('%s', async (query, numbers) => expect(await found(query)).toEqual(numbers));

  it.each(['status', 'photo', 'video', 'http', '1', 'alice'])(
    '%s matches no text, only links added after it',
    async (word) => expect((await found(word)).filter((n) => n !== 9)).toEqual([]),
  );
});

describe('properties of posts', () => {
  it.each([
    ['from:carol is:retweet', [10]],
    ['boulder', [7, 10]],
    ['boulder -is:retweet', [7]],
    ['from:carol is:quote', [8]],
    ['sample:100 is:reply', [9, 13]],
    ['to:alice', [9, 13]],
    [`to:${USERS.alice} -from:alice`, [9]],
    ['retweets_of:bob', [10]],
    [`retweets_of_tweet_id:${id(7)}`, [10]],
    [`quotes_of_tweet_id:${id(1)}`, [8]],
    [`in_reply_to_tweet_id:${id(1)}`, [9, 13]],
    [`conversation_id:${id(1)}`, [1, 9, 13]],
    ['from:bob has:media', [4, 5, 6]],
    ['from:bob has:images', [4]],
    ['from:bob has:videos', [5]],
    ['sample:100 has:links', [1, 4, 5, 6, 8]],
    ['from:bob lang:ja', [3]],
    ['from:bob lang:fr', [2]],
    // 10 reposts 7 and has the place of its original.
    ['sample:100 has:geo', [7, 10]],
    ['place:boulder', [7, 10]],
    ['place:01A9', [7, 10]],
    ['place_country:us', [7, 10]],
    ['point_radius:[-105.24 40.03 24mi]', [7, 10]],
    ['point_radius:[-105.24 40.03 1mi]', []],
    ['bounding_box:[-105.31 39.96 -105.17 40.1]', [7, 10]],
  ])('%s', async (query, numbers) => expect(await found(query)).toEqual(numbers));
});
