import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LooseJson } from '../support/loose-json.js';
import { POSTS, USERS } from '../support/world.js';
import { startActivityApp, type ActivityApp } from './support/activity-app.js';

/** Events of posts and likes (docs/api/activity.md). */

let server: ActivityApp;
beforeEach(async () => {
  server = await startActivityApp();
});
afterEach(() => server.close());

const typesOf = (seen: readonly LooseJson[]): string[] => seen.map(({ event_type }) => event_type as string);

describe('post.create', () => {
  test('has the post, and its author in includes', async () => {
    await server.subscribe('post.create', 'bob', { tag: 'birds' });
    const id = await server.post('bob', 'A heron & a #pond');
    await server.post('alice', 'not subscribed');
    const [event, ...others] = await server.events();
    expect(others).toEqual([]);
    expect(Object.keys(event ?? {})).toEqual([
      'event_uuid',
      'filter',
      'event_type',
      'tag',
      'payload',
      'includes',
    ]);
    expect(event).toMatchObject({
      event_uuid: expect.stringMatching(/^-?[0-9]{1,19}$/),
      filter: { user_id: USERS.bob },
      event_type: 'post.create',
      tag: 'birds',
      payload: {
        id,
        text: 'A heron &amp; a #pond',
        author_id: USERS.bob,
        conversation_id: id,
        edit_history_tweet_ids: [id],
        entities: { hashtags: [{ tag: 'pond' }] },
        public_metrics: { like_count: 0 },
      },
      includes: { users: [{ id: USERS.bob, username: 'bob', public_metrics: { followers_count: 0 } }] },
    });
    expect(event?.payload).not.toHaveProperty('in_reply_to_tweet_id');
  });

  test('comes for replies, quotes, reposts and edits too, with the posts that they refer to', async () => {
    await server.subscribe('post.create', 'bob');
    const first = await server.post('carol', 'one');
    const reply = await server.post('bob', 'two', { reply: { in_reply_to_tweet_id: first } });
    const quote = await server.post('bob', 'three', { quote_tweet_id: first });
    await server.repost('bob', first);
    const edited = await server.post('bob', 'four', { edit_options: { previous_post_id: quote } });
    const seen = await server.events();
    expect(seen.map(({ payload }) => payload.referenced_tweets as unknown)).toEqual([
      [{ type: 'replied_to', id: first }],
      [{ type: 'quoted', id: first }],
      [{ type: 'retweeted', id: first }],
      [{ type: 'quoted', id: first }],
    ]);
    expect(seen[0]?.payload).toMatchObject({ id: reply, in_reply_to_tweet_id: first });
    expect(seen[3]?.payload).toMatchObject({ id: edited, edit_history_tweet_ids: [quote, edited] });
    for (const { includes } of seen) expect(includes.tweets).toMatchObject([{ id: first }]);
  });

  test('does not come for protected accounts, not even to those who follow them', async () => {
    await server.subscribe('post.create', 'dave');
    await server.subscribe('post.delete', 'dave', { by: 'bob' });
    await server.subscribe('post.create', 'bob');
    await server.subscribe('post.reply.create', 'bob', { isOwn: true });
    const first = await server.post('bob', 'open');
    const secret = await server.post('dave', 'secret', { reply: { in_reply_to_tweet_id: first } });
    const quote = await server.post('dave', 'secret');
    await server.act('dave', 'DELETE', `/2/tweets/${secret}`);
    await server.post('bob', 'an answer', { reply: { in_reply_to_tweet_id: quote } });
    const seen = await server.events();
    expect(typesOf(seen)).toEqual(['post.create', 'post.create']);
    expect(JSON.stringify(seen)).not.toContain('secret');
  });

  test('does not come to a user that the author blocks, but to the app', async () => {
    await server.subscribe('post.create', 'alice', { by: 'mallory', direction: undefined });
    await server.post('alice', 'not for mallory');
    expect(await server.events()).toEqual([]);
    await server.subscribe('post.delete', 'alice');
    const id = await server.post('alice', 'for everybody else');
    await server.act('alice', 'DELETE', `/2/tweets/${id}`);
    expect(typesOf(await server.events())).toEqual(['post.delete']);
  });
});

test('post.delete comes for posts, and for reposts that are undone', async () => {
  await server.subscribe('post.delete', 'bob');
  const id = await server.post('bob', 'a heron');
  await server.repost('bob', POSTS.quote);
  await server.act('bob', 'DELETE', `/2/users/${USERS.bob}/retweets/${POSTS.quote}`);
  await server.act('bob', 'DELETE', `/2/tweets/${id}`);
  const seen = await server.events();
  expect(typesOf(seen)).toEqual(['post.delete', 'post.delete']);
  expect(seen[1]).toMatchObject({
    payload: { id, author_id: USERS.bob },
    includes: { users: [{ id: USERS.bob }] },
  });
});

describe('posts of others', () => {
  test('that mention the user come as post.mention.create, unless the mention is inherited', async () => {
    await server.subscribe('post.mention.create', 'alice', { isOwn: true });
    const id = await server.post('carol', 'look, @alice');
    const reply = await server.post('bob', 'yes', { reply: { in_reply_to_tweet_id: id } });
    await server.post('bob', '@carol and you, @alice?', { reply: { in_reply_to_tweet_id: reply } });
    await server.repost('bob', id);
    await server.post('alice', 'I, @alice');
    const seen = await server.events();
    expect(seen.map(({ payload }) => payload.text as string)).toEqual([
      'look, @alice',
      '@carol @alice @carol and you, @alice?',
    ]);
  });

  test('that reply to, quote or repost a post of the user come as such', async () => {
    const types = ['post.reply.create', 'post.quote.create', 'post.repost.create'];
    for (const type of types) await server.subscribe(type, 'alice', { isOwn: true });
    const first = await server.post('alice', 'one');
    const reply = await server.post('bob', 'two', { reply: { in_reply_to_tweet_id: first } });
    await server.post('carol', 'a reply to a reply', { reply: { in_reply_to_tweet_id: reply } });
    const quote = await server.post('bob', 'three', { quote_tweet_id: first });
    await server.repost('bob', first);
    await server.post('alice', 'my own', { reply: { in_reply_to_tweet_id: first } });
    await server.repost('alice', first);
    const seen = await server.events();
    expect(typesOf(seen)).toEqual(types);
    expect(seen[0]?.payload).toMatchObject({ id: reply, in_reply_to_tweet_id: first });
    expect(seen[1]?.payload).toMatchObject({ id: quote, referenced_tweets: [{ type: 'quoted', id: first }] });
    expect(seen[2]?.payload.referenced_tweets).toEqual([{ type: 'retweeted', id: first }]);
  });

  test('do not come from authors who block the user', async () => {
    await server.subscribe('post.mention.create', 'mallory', { isOwn: true });
    await server.post('alice', 'nothing for @mallory');
    await server.post('carol', 'something for @mallory');
    expect((await server.events()).map(({ payload }) => payload.author_id as string)).toEqual([USERS.carol]);
  });
});

describe('like.create', () => {
  test('comes for likes by the user and of the posts of the user', async () => {
    await server.subscribe('like.create', 'bob', { isOwn: true });
    const own = await server.post('bob', 'mine');
    await server.like('bob', POSTS.hello);
    await server.like('carol', own);
    await server.like('carol', POSTS.quote);
    await server.like('bob', own);
    const seen = await server.events();
    expect(seen.map(({ payload }) => payload.liked_tweet_id as string)).toEqual([POSTS.hello, own, own]);
    expect(seen[0]).toMatchObject({
      filter: { user_id: USERS.bob },
      payload: {
        id: expect.any(String),
        created_at: expect.stringMatching(/Z$/),
        timestamp_ms: expect.stringMatching(/^[0-9]{13}$/),
        tweet_author_id: USERS.alice,
        liked_tweet_author_id: USERS.alice,
      },
      includes: { users: [{ id: USERS.bob }, { id: USERS.alice }], tweets: [{ id: POSTS.hello }] },
    });
  });

  test('comes in the direction of the filter', async () => {
    await server.subscribe('like.create', 'bob', { isOwn: true, direction: 'inbound' });
    await server.subscribe('like.create', 'carol', { isOwn: true, direction: 'outbound' });
    const own = await server.post('bob', 'mine');
    await server.like('bob', POSTS.quote);
    await server.like('carol', own);
    const seen = await server.events();
    expect(seen.map(({ filter }) => filter as object)).toEqual([
      { user_id: USERS.bob, direction: 'inbound' },
      { user_id: USERS.carol, direction: 'outbound' },
    ]);
    expect(new Set(seen.map(({ event_uuid }) => event_uuid as string)).size).toBe(1);
  });

  test('does not show who likes under a protected account', async () => {
    await server.subscribe('like.create', 'alice', { isOwn: true });
    await server.like('dave', POSTS.hello);
    expect(await server.events()).toEqual([]);
  });
});
