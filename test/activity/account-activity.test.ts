import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AppId } from '../../src/core/ids.js';
import { disconnectApp } from '../../src/services/accounts/connected-apps.js';
import type { LooseJson } from '../support/loose-json.js';
import { APP, POSTS, USERS, type Username } from '../support/world.js';
import { startActivityApp, type ActivityApp } from './support/activity-app.js';

/** Account activity in the format of v1.1 (docs/api/activity.md#account-activity). */

const MAX_SUBSCRIPTIONS = 3;
const DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [0-9]{2} [0-9:]{8} \+0000 [0-9]{4}$/;

let server: ActivityApp;
let path: string;
beforeEach(async () => {
  server = await startActivityApp({ flags: { activitySubscriptions: String(MAX_SUBSCRIPTIONS) } });
  path = `/2/account_activity/webhooks/${server.webhookId}/subscriptions`;
});
afterEach(() => server.close());

const subscribe = async (username: Username) =>
  server.app.post(`${path}/all`, await server.token(username), {});

async function subscribed(...usernames: readonly Username[]): Promise<void> {
  for (const username of usernames) {
    const { status, body } = await subscribe(username);
    expect([status, body]).toEqual([200, { data: { subscribed: true } }]);
  }
}

/** Returns the only member of a message beside the user. */
function eventsOf({ for_user_id: _id, user_has_blocked: _has, users: _users, ...body }: LooseJson) {
  const [[name, events] = ['', []]] = Object.entries(body);
  return [name, events] as [string, LooseJson[]];
}

describe('subscriptions', () => {
  test('are made by users, and listed, counted and deleted by the app', async () => {
    await subscribed('bob', 'alice');
    const count = await server.app.get('/2/account_activity/subscriptions/count', server.app.bearer);
    expect(count.body).toEqual({
      data: {
        account_name: 'test app',
        provisioned_count: String(MAX_SUBSCRIPTIONS),
        subscriptions_count_all: '2',
        subscriptions_count_direct_messages: '0',
      },
    });
    const list = () => server.app.get(`${path}/all/list`, server.app.bearer);
    expect((await list()).body).toEqual({
      data: {
        application_id: APP.id,
        webhook_id: server.webhookId,
        webhook_url: expect.stringContaining('http://127.0.0.1'),
        subscriptions: [{ user_id: USERS.alice }, { user_id: USERS.bob }],
      },
    });
    const isSubscribed = async () => (await server.app.get(`${path}/all`, await server.token('bob'))).body;
    expect(await isSubscribed()).toEqual({ data: { subscribed: true } });
    const deleted = await server.app.delete(`${path}/${USERS.bob}/all`, server.app.bearer);
    expect([deleted.status, deleted.body]).toEqual([200, { data: { subscribed: false } }]);
    expect(await isSubscribed()).toEqual({ data: { subscribed: false } });
    expect((await list()).body.data.subscriptions).toEqual([{ user_id: USERS.alice }]);
  });

  test('are refused twice, beyond the limit, and for webhooks of others, with their reasons', async () => {
    const reasonOf = ({ status, body }: Awaited<ReturnType<typeof subscribe>>) =>
      [status, body.errors?.[0]?.message?.split(':')[0]] as unknown;
    await subscribed('alice');
    expect(reasonOf(await subscribe('alice'))).toEqual([400, 'DuplicateSubscriptionFailed']);
    await subscribed('bob', 'carol');
    expect(reasonOf(await subscribe('dave'))).toEqual([400, 'SubscriptionLimitExceeded']);
    const other = '/2/account_activity/webhooks/12/subscriptions';
    const token = await server.token('alice');
    const { bearer } = server.app;
    expect([
      reasonOf(await server.app.post(`${other}/all`, token, {})),
      reasonOf(await server.app.get(`${other}/all`, token)),
      reasonOf(await server.app.get(`${other}/all/list`, bearer)),
      reasonOf(await server.app.delete(`${other}/${USERS.alice}/all`, bearer)),
    ]).toEqual(Array(4).fill([400, 'WebhookIdInvalid']));
    expect(reasonOf(await server.app.delete(`${path}/${USERS.dave}/all`, bearer))).toEqual([
      400,
      'SubscriptionNotFound',
    ]);
  });

  test('take a user’s token with the scopes for messages', async () => {
    const scopes = ['tweet.read', 'users.read', 'dm.read', 'dm.write'] as const;
    for (const missing of scopes) {
      const token = await server.app.as(
        'alice',
        scopes.filter((scope) => scope !== missing),
      );
      expect((await server.app.post(`${path}/all`, token, {})).status).toBe(403);
    }
    expect((await server.app.post(`${path}/all`, server.app.bearer, {})).status).toBe(403);
    expect((await server.app.post(`${path}/all`, await server.app.as('alice', scopes))).status).toBe(200);
  });

  test('end with the webhook', async () => {
    await subscribed('alice');
    await server.app.delete(`/2/webhooks/${server.webhookId}`, server.app.bearer);
    const { body } = await server.app.get('/2/account_activity/subscriptions/count', server.app.bearer);
    expect(body.data.subscriptions_count_all).toBe('0');
  });
});

describe('tweet_create_events', () => {
  test('have a post in the format of v1.1', async () => {
    await subscribed('bob');
    const id = await server.post('bob', 'A <heron> & a #pond, @carol https://example.com/a');
    const [message, ...others] = await server.received();
    expect(others).toEqual([]);
    expect(Object.keys(message ?? {})).toEqual(['for_user_id', 'tweet_create_events']);
    const [, [post]] = eventsOf(message ?? {});
    expect(message?.for_user_id).toBe(USERS.bob);
    expect(server.last().text).toContain(`"id":${id},"id_str":"${id}"`);
    expect(post).toMatchObject({
      created_at: expect.stringMatching(DATE),
      id_str: id,
      text: 'A &lt;heron&gt; &amp; a #pond, @carol https://example.com/a',
      truncated: false,
      in_reply_to_status_id: null,
      in_reply_to_screen_name: null,
      user: { id: Number(USERS.bob), id_str: USERS.bob, screen_name: 'bob', followers_count: 0 },
      place: null,
      is_quote_status: false,
      retweet_count: 0,
      favorite_count: 0,
      entities: {
        hashtags: [{ text: 'pond', indices: [24, 29] }],
        symbols: [],
        user_mentions: [
          { screen_name: 'carol', name: 'Carol', id: Number(USERS.carol), id_str: USERS.carol },
        ],
        urls: [{ url: 'https://example.com/a', indices: [38, 59] }],
      },
      favorited: false,
      retweeted: false,
      lang: expect.any(String),
      timestamp_ms: expect.stringMatching(/^[0-9]{13}$/),
    });
  });

  test('cut texts of more than 140 characters, and have the whole beside', async () => {
    await subscribed('bob');
    const text = `${'heron '.repeat(30)}#pond @carol`;
    const id = await server.post('bob', text);
    const [message] = await server.received();
    const post = eventsOf(message ?? {})[1][0] ?? {};
    const link = `http://pipit.test/bob/status/${id}`;
    expect(post.truncated).toBe(true);
    expect(post.text).toBe(`${text.slice(0, 115)}… ${link}`);
    expect(post.entities).toEqual({
      hashtags: [],
      symbols: [],
      user_mentions: [],
      urls: [{ url: link, expanded_url: link, display_url: link, indices: [117, 117 + link.length] }],
    });
    expect(post.extended_tweet).toMatchObject({
      full_text: text,
      display_text_range: [0, text.length],
      entities: { hashtags: [{ text: 'pond' }], user_mentions: [{ screen_name: 'carol' }] },
    });
  });

  test('come once for replies, mentions, quotes and reposts by others, with the posts that they contain', async () => {
    await subscribed('alice');
    const reply = await server.post('bob', 'yes, @alice', { reply: { in_reply_to_tweet_id: POSTS.hello } });
    const quote = await server.post('bob', 'look', { quote_tweet_id: POSTS.hello });
    await server.repost('carol', quote);
    await server.repost('carol', POSTS.hello).catch(() => undefined);
    const own = await server.post('alice', 'my own');
    const seen = (await server.received()).map((message) => ({
      message,
      post: eventsOf(message)[1][0] ?? {},
    }));
    expect(seen.map(({ post }) => post.id_str as string).slice(0, 2)).toEqual([reply, quote]);
    expect(seen.at(-1)?.post.id_str).toBe(own);
    expect(seen.map(({ message }) => message.user_has_blocked as unknown)).toEqual([
      false,
      false,
      false,
      undefined,
    ]);
    expect(seen[0]?.post).toMatchObject({
      in_reply_to_status_id_str: POSTS.hello,
      in_reply_to_user_id_str: USERS.alice,
      in_reply_to_screen_name: 'alice',
    });
    expect(seen[1]?.post).toMatchObject({
      is_quote_status: true,
      quoted_status_id_str: POSTS.hello,
      quoted_status: { id_str: POSTS.hello, user: { screen_name: 'alice' } },
    });
    expect(seen[2]?.post).toMatchObject({ retweeted_status: { id_str: POSTS.hello } });
  });

  test('say of posts by others whether the user blocks the author', async () => {
    await subscribed('alice');
    await server.post('mallory', 'for @alice');
    await server.post('bob', 'for @alice');
    expect((await server.received()).map(({ user_has_blocked }) => user_has_blocked as boolean)).toEqual([
      true,
      false,
    ]);
  });

  test('show posts of protected accounts to their followers only', async () => {
    await subscribed('bob', 'carol');
    await server.post('dave', 'a secret for @bob and @carol');
    expect((await server.received()).map(({ for_user_id }) => for_user_id as string)).toEqual([USERS.bob]);
  });
});

test('tweet_delete_events have the ids of the post and its author', async () => {
  await subscribed('bob');
  const id = await server.post('bob', 'one');
  await server.received();
  await server.act('bob', 'DELETE', `/2/tweets/${id}`);
  expect(await server.received()).toEqual([
    {
      for_user_id: USERS.bob,
      tweet_delete_events: [
        { status: { id, user_id: USERS.bob }, timestamp_ms: expect.stringMatching(/^[0-9]{13}$/) },
      ],
    },
  ]);
});

test('favorite_events come to both users, each once', async () => {
  await subscribed('alice', 'bob');
  await server.like('bob', POSTS.hello);
  const seen = await server.received();
  expect(seen.map(({ for_user_id }) => for_user_id as string)).toEqual([USERS.alice, USERS.bob]);
  for (const { favorite_events: events } of seen) {
    expect(events).toEqual([
      {
        id: expect.any(String),
        created_at: expect.stringMatching(DATE),
        timestamp_ms: expect.any(Number),
        favorited_status: expect.objectContaining({ id_str: POSTS.hello, favorite_count: 2 }),
        user: expect.objectContaining({ screen_name: 'bob', favourites_count: 1 }),
      },
    ]);
  }
});

test('follow_events come to both users, block_events and mute_events to the one who acts', async () => {
  await subscribed('alice', 'bob');
  await server.relate('alice', 'following', 'bob');
  await server.unrelate('alice', 'following', 'bob');
  await server.relate('alice', 'muting', 'bob');
  await server.unrelate('alice', 'muting', 'bob');
  await server.relate('carol', 'blocking', 'bob');
  await server.relate('bob', 'blocking', 'carol');
  await server.unrelate('bob', 'blocking', 'carol');
  const seen = (await server.received()).map((message) => {
    const [name, [event]] = eventsOf(message);
    return [
      message.for_user_id,
      name,
      event?.type,
      event?.source.screen_name,
      event?.target.screen_name,
    ] as unknown;
  });
  expect(seen).toEqual([
    [USERS.alice, 'follow_events', 'follow', 'alice', 'bob'],
    [USERS.bob, 'follow_events', 'follow', 'alice', 'bob'],
    [USERS.alice, 'follow_events', 'unfollow', 'alice', 'bob'],
    [USERS.bob, 'follow_events', 'unfollow', 'alice', 'bob'],
    [USERS.alice, 'mute_events', 'mute', 'alice', 'bob'],
    [USERS.alice, 'mute_events', 'unmute', 'alice', 'bob'],
    [USERS.bob, 'block_events', 'block', 'bob', 'carol'],
    [USERS.bob, 'block_events', 'unblock', 'bob', 'carol'],
  ]);
});

test('direct_message_events have the message and a map of the users', async () => {
  await subscribed('alice', 'bob');
  const text = 'a heron';
  const sent = await server.act('alice', 'POST', `/2/dm_conversations/with/${USERS.bob}/messages`, { text });
  const seen = await server.received();
  expect(seen.map(({ for_user_id }) => for_user_id as string)).toEqual([USERS.alice, USERS.bob]);
  expect(seen[1]).toMatchObject({
    direct_message_events: [
      {
        type: 'message_create',
        id: sent.dm_event_id,
        message_create: {
          target: { recipient_id: USERS.bob },
          sender_id: USERS.alice,
          message_data: { text, entities: { hashtags: [], symbols: [], user_mentions: [], urls: [] } },
        },
      },
    ],
    users: {
      [USERS.alice]: {
        id: USERS.alice,
        screen_name: 'alice',
        followers_count: 2,
        created_timestamp: '1577836800000',
      },
      [USERS.bob]: { id: USERS.bob, name: 'Bob', protected: false },
    },
  });
});

test('a user who disconnects the app ends the subscription, which the last message says', async () => {
  await subscribed('alice');
  await disconnectApp(server.app.pipit.backend, server.idOf('alice'), BigInt(APP.id) as AppId);
  expect(await server.received()).toEqual([
    {
      user_event: {
        revoke: {
          date_time: expect.stringMatching(/^[0-9-]{10}T[0-9:]{8}\+00:00$/),
          target: { app_id: APP.id },
          source: { user_id: USERS.alice },
        },
      },
    },
  ]);
  const { body } = await server.app.get(`${path}/all/list`, server.app.bearer);
  expect(body.data.subscriptions).toEqual([]);
});
