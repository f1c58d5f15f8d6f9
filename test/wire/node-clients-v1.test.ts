import https from 'node:https';
import { ApiResponseError, TwitterApi } from 'twitter-api-v2';
import twitterLite from 'twitter-lite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { png } from '../api/support/media-files.js';
import { LocalAgent } from './support/local-agent.js';
import type { WireServer } from './support/wire-server.js';
import { ALICE_KEYS, APP, BOB, POSTS, startWireServer } from './support/wire-world.js';

/** Version 1.1 with unmodified clients of npm. */

// Its types declare a default export that its module does not have.
const Twitter = twitterLite as unknown as typeof twitterLite.default;

const nodeAgent = https.globalAgent;
let server: WireServer;

beforeAll(async () => {
  server = await startWireServer();
  // twitter-lite has no option for address or agent: its fetch uses node’s global agent.
  https.globalAgent = new LocalAgent(server.port);
});
afterAll(async () => {
  https.globalAgent = nodeAgent;
  await server.close();
});

test('twitter-lite posts, replies, reads, likes and deletes', async () => {
  const user = new Twitter({
    consumer_key: APP.apiKey,
    consumer_secret: APP.apiSecret,
    access_token_key: ALICE_KEYS.accessToken,
    access_token_secret: ALICE_KEYS.accessSecret,
  });
  const created = await user.post('statuses/update', { status: "Lite: it's 100% & more (really)!" });
  expect(created.text).toBe("Lite: it's 100% &amp; more (really)!");
  const reply = await user.post('statuses/update', {
    status: 'Indeed',
    in_reply_to_status_id: POSTS.reply,
    auto_populate_reply_metadata: true,
  });
  expect(reply).toMatchObject({ text: '@bob Indeed', in_reply_to_status_id_str: POSTS.reply });
  const home = await user.get('statuses/home_timeline', { count: 2, tweet_mode: 'extended' });
  expect([...home]).toMatchObject([{ full_text: '@bob Indeed' }, { id_str: created.id_str }]);
  expect(await user.post('favorites/create', { id: POSTS.reply })).toMatchObject({ favorited: true });
  expect(await user.get('users/show', { screen_name: 'bob' })).toMatchObject({ id_str: BOB.id });
  expect(await user.get('followers/ids', { screen_name: 'alice' })).toMatchObject({ ids: [Number(BOB.id)] });
  expect(await user.post(`statuses/destroy/${created.id_str}`, {})).toMatchObject({ id_str: created.id_str });
  await expect(user.get('statuses/show', { id: created.id_str })).rejects.toMatchObject({
    errors: [{ code: 144 }],
  });
});

describe('the client of version 1.1 of twitter-api-v2', () => {
  const v1 = () =>
    new TwitterApi(
      { appKey: APP.apiKey, appSecret: APP.apiSecret, ...ALICE_KEYS },
      { httpAgent: new LocalAgent(server.port) },
    ).v1;

  test('posts threads, quotes and deletes', async () => {
    const [first, second] = await v1().tweetThread(['One of two', 'Two of two']);
    expect(second).toMatchObject({ in_reply_to_status_id_str: first?.id_str, full_text: 'Two of two' });
    const quote = await v1().quote('See', POSTS.reply);
    expect(quote).toMatchObject({ is_quote_status: true });
    expect((await v1().deleteTweet(quote.id_str)).id_str).toBe(quote.id_str);
  });

  test('pages through timelines, and reads one post, users and friends', async () => {
    const timeline = await v1().userTimelineByUsername('alice', { count: 2 });
    await timeline.fetchLast(10);
    expect(timeline.tweets.map(({ id_str }) => id_str)).toContain(POSTS.root);
    expect((await v1().singleTweet(POSTS.root)).full_text).toContain('Salt &amp; pepper');
    expect((await v1().user({ screen_name: 'bob' })).id_str).toBe(BOB.id);
    expect(await v1().users({ screen_name: ['bob'] })).toMatchObject([{ id_str: BOB.id }]);
    expect((await v1().userFollowingIds({ screen_name: 'alice' })).ids).toEqual([BOB.id]);
  });

  test('changes the profile, its picture and its banner', async () => {
    const image = await png(60, 20);
    const { location } = await v1().updateAccountProfile({ location: 'The pond' });
    expect(location).toBe('The pond');
    const user = await v1().updateAccountProfileImage(image);
    expect(user.profile_image_url_https).toMatch(/_normal\.jpg$/);
    await v1().updateAccountProfileBanner(image, { width: 30, height: 10, offset_left: 5, offset_top: 0 });
    const { sizes } = await v1().userProfileBannerSizes({ screen_name: 'alice' });
    expect(sizes['300x100']).toMatchObject({ w: 300, h: 100 });
    await v1().removeAccountProfileBanner();
    await expect(v1().userProfileBannerSizes({ screen_name: 'alice' })).rejects.toMatchObject({ code: 404 });
  });

  test('reports the numbers of refusals', async () => {
    const refusal: unknown = await v1()
      .singleTweet('7')
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiResponseError);
    expect(refusal).toMatchObject({ code: 404, errors: [{ code: 144 }] });
  });
});
