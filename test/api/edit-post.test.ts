import { describe, expect, test } from 'vitest';
import { invalidRequest, missingTarget, refusal } from './support/errors.js';
import { DAY_MS, ID, MINUTE_MS, postId, startNetwork, type Name, type Network } from './support/network.js';

/** Editing posts: who may edit which posts, the versions and their history, and where each is shown (docs/api/posts.md#edits). */

const POLL = { options: ['a', 'b'], duration_minutes: 5 };
const PREVIOUS = 'edit_options.previous_post_id';
const NOT_ALLOWED = refusal('You are not allowed to edit this Tweet.');

const editOf = (id: string, text = 'Corrected'): object => ({ text, edit_options: { previous_post_id: id } });

/** Edits a post and returns the id of the new version. */
const edited = ({ posted }: Network, name: Name, id: string, text?: string): Promise<string> =>
  posted(name, editOf(id, text));

const idsOf = (body: { data?: readonly { id: string }[] }): string[] => (body.data ?? []).map(({ id }) => id);

describe('an edit', () => {
  test('returns 201 with the id of the new version and the ids of all', async () => {
    const { as, posted } = await startNetwork();
    const first = await posted('alice', 'Fisrt');
    const { status, body } = await as('alice').post('/2/tweets', editOf(first, 'First & last'));
    const { id } = body.data;
    expect(status).toBe(201);
    expect(body).toEqual({
      data: { id, text: 'First &amp; last', edit_history_tweet_ids: [first, id] },
    });
    expect(BigInt(id)).toBeGreaterThan(BigInt(first));
  });

  test('gives every version the history, its own text, and the conversation of the first', async () => {
    const network = await startNetwork();
    const first = await network.posted('alice', 'One');
    const second = await edited(network, 'alice', first, 'Two');
    const third = await edited(network, 'alice', second, 'Three');
    const ids = [first, second, third];
    const { body } = await network
      .as('bob')
      .get(`/2/tweets?ids=${ids.join()}&tweet.fields=conversation_id&expansions=edit_history_tweet_ids`);
    const shown = ['One', 'Two', 'Three'].map((text, n) => ({
      id: ids[n],
      text,
      edit_history_tweet_ids: ids,
      conversation_id: first,
    }));
    expect(body.data).toEqual(shown);
    expect(idsOf({ data: body.includes.tweets }).sort()).toEqual(ids);
  });

  test('counts down the edits and ends half an hour after the first version', async () => {
    const network = await startNetwork();
    const { as, posted, advance } = network;
    const first = await posted('alice', 'One');
    const controlsOf = async (id: string) =>
      (await as('bob').get(`/2/tweets/${id}?tweet.fields=edit_controls`)).body.data.edit_controls;
    const before = await controlsOf(first);
    await advance(29 * MINUTE_MS);
    const second = await edited(network, 'alice', first);
    const after = { ...before, edits_remaining: 4, is_edit_eligible: true };
    expect([before.edits_remaining, await controlsOf(first), await controlsOf(second)]).toEqual([
      5,
      after,
      after,
    ]);
    await advance(MINUTE_MS + 1000);
    expect(await controlsOf(second)).toEqual({ ...after, is_edit_eligible: false });
    const { status, body } = await as('alice').post('/2/tweets', editOf(second, 'Late'));
    expect([status, body]).toEqual([403, refusal('You can only edit a Tweet within 30 minutes.')]);
  });

  test('is possible five times', async () => {
    const network = await startNetwork();
    let id = await network.posted('alice', 'Version 0');
    for (let n = 1; n <= 5; n += 1) id = await edited(network, 'alice', id, `Version ${n}`);
    const { status, body } = await network.as('alice').post('/2/tweets', editOf(id, 'Version 6'));
    expect([status, body]).toEqual([403, refusal('You have reached the limit of edits of this Tweet.')]);
    const read = await network.as('bob').get(`/2/tweets/${id}?tweet.fields=edit_controls`);
    expect(read.body.data.edit_controls).toMatchObject({ edits_remaining: 0, is_edit_eligible: false });
    expect(read.body.data.edit_history_tweet_ids).toHaveLength(6);
  });

  test('may restore an earlier text, but not repeat the text of another post', async () => {
    const network = await startNetwork();
    const { as, posted } = network;
    await posted('alice', 'Other');
    const first = await posted('alice', 'One');
    const second = await edited(network, 'alice', first, 'Two');
    const third = await edited(network, 'alice', second, 'One');
    expect((await as('alice').post('/2/tweets', editOf(third, 'Other'))).status).toBe(403);
    expect((await as('alice').post('/2/tweets', { text: 'Two' })).status).toBe(403);
  });

  test('of a quote keeps the quoted post, and of a reply to oneself the parent', async () => {
    const network = await startNetwork({ posts: [{ id: postId(1), author: 'bob', text: 'Original' }] });
    const { as, posted } = network;
    const root = await posted('alice', 'Root');
    const quote = await posted('alice', { text: 'Qoute', quote_tweet_id: postId(1) });
    const reply = await posted('alice', { text: 'Repyl', reply: { in_reply_to_tweet_id: root } });
    const ids = [
      await edited(network, 'alice', quote, 'Quote'),
      await edited(network, 'alice', reply, 'Reply'),
    ];
    const fields = 'tweet.fields=referenced_tweets,conversation_id,public_metrics';
    const { body } = await as('bob').get(`/2/tweets?ids=${ids.join()},${root},${postId(1)}&${fields}`);
    const [newQuote, newReply, parent, original] = body.data;
    expect(newQuote).toMatchObject({ referenced_tweets: [{ type: 'quoted', id: postId(1) }] });
    expect(newQuote.text).toMatch(/^Quote http/);
    expect(newReply).toMatchObject({
      conversation_id: root,
      referenced_tweets: [{ type: 'replied_to', id: root }],
    });
    expect(parent.public_metrics.reply_count).toBe(1);
    expect(original.public_metrics.quote_count).toBe(1);
  });

  test('may show the media of the version before it, and other media', async () => {
    const media = [1, 2].map((n) => ({ media_key: `3_10${n}`, type: 'photo', owner: 'alice' }));
    const network = await startNetwork({ media });
    const { as, posted } = network;
    const id = await posted('alice', { text: 'Look', media: { media_ids: ['101'] } });
    const both = { ...editOf(id, 'Look'), media: { media_ids: ['101', '102'] } };
    const second = await posted('alice', both);
    const { body } = await as('bob').get(`/2/tweets/${second}?tweet.fields=attachments`);
    expect(body.data.attachments).toEqual({ media_keys: ['3_101', '3_102'] });
    const taken = await as('alice').post('/2/tweets', { text: 'Again', media: { media_ids: ['101'] } });
    expect(taken.status).toBe(400);
  });
});

describe('an edit is refused', () => {
  test('of a post that does not exist or is not visible', async () => {
    const { as } = await startNetwork({
      users: [{ username: 'bob', protected: true }],
      posts: [{ id: postId(1), author: 'bob', text: 'Hidden' }],
    });
    for (const id of ['1', postId(1)]) {
      const { status, body } = await as('alice').post('/2/tweets', editOf(id));
      expect([status, body]).toEqual([404, missingTarget('tweet', PREVIOUS, id)]);
    }
  });

  test('of a post of another user', async () => {
    const { as, posted } = await startNetwork();
    const { status, body } = await as('alice').post('/2/tweets', editOf(await posted('bob', 'Mine')));
    expect([status, body]).toEqual([403, refusal('You are not authorized to edit this Tweet.')]);
  });

  test('of an earlier version', async () => {
    const network = await startNetwork();
    const first = await network.posted('alice', 'One');
    await edited(network, 'alice', first, 'Two');
    const { status, body } = await network.as('alice').post('/2/tweets', editOf(first, 'Three'));
    expect([status, body]).toEqual([403, refusal('You can only edit the newest version of a Tweet.')]);
  });

  test('of a poll, a reply to another user, a repost and an imported post', async () => {
    const { as, posted, addMany } = await startNetwork();
    const root = await posted('bob', 'Root');
    const poll = await posted('alice', { text: 'Poll', poll: POLL });
    const reply = await posted('alice', { text: 'Reply', reply: { in_reply_to_tweet_id: root } });
    await as('alice').post(`/2/users/${ID.alice}/retweets`, { tweet_id: root });
    const imported = postId((2 * DAY_MS) / MINUTE_MS - 1);
    await addMany([{ id: imported, author: 'alice' }]);
    const { body } = await as('bob').get(`/2/users/${ID.alice}/tweets?tweet.fields=referenced_tweets`);
    const repost = body.data.find(
      (post: { referenced_tweets?: readonly { type: string }[] }) =>
        post.referenced_tweets?.[0]?.type === 'retweeted',
    );
    for (const id of [poll, reply, repost.id, imported]) {
      const answer = await as('alice').post('/2/tweets', editOf(id));
      expect([answer.status, answer.body]).toEqual([403, NOT_ALLOWED]);
    }
  });

  test.each([
    ['$.poll.options', { poll: POLL }, POLL.options],
    ['$.quote_tweet_id', { quote_tweet_id: '5' }, ['5']],
    ['$.reply.in_reply_to_tweet_id', { reply: { in_reply_to_tweet_id: '5' } }, ['5']],
    ['$.reply_settings', { reply_settings: 'following' }, ['following']],
    ['$.nullcast', { nullcast: true }, ['true']],
  ])('with %s', async (path, more, values) => {
    const { as, posted } = await startNetwork();
    const id = await posted('alice', 'One');
    const { status, body } = await as('alice').post('/2/tweets', { ...editOf(id), ...more });
    const message =
      '`edit_options` excludes `poll`, `quote_tweet_id`, `reply`, `reply_settings`, `for_super_followers_only`, `nullcast` and `community_id`';
    expect(status).toBe(400);
    expect(body).toEqual(invalidRequest([{ [`$.${PREVIOUS}`]: [id], [path]: values }, message]));
  });
});

describe('lists of posts show the newest version in the place of the first', () => {
  const world = { follows: [{ from: 'bob', to: 'alice' }] };

  test.each([false, true])('user posts, home, mentions; after jobs: %s', async (runsJobs) => {
    const network = await startNetwork(world);
    const { as, posted, runJobs } = network;
    const home = `/2/users/${ID.bob}/timelines/reverse_chronological`;
    const first = await posted('alice', 'Hi @carol');
    const later = await posted('alice', 'Later');
    expect(idsOf((await as('bob').get(home)).body)).toEqual([later, first]);
    if (runsJobs) await runJobs();
    const second = await edited(network, 'alice', first, 'Hello @carol and @dave');
    if (runsJobs) await runJobs();
    const posts = await as('bob').get(`/2/users/${ID.alice}/tweets?tweet.fields=public_metrics`);
    expect(posts.body.data.map(({ text }: { text: string }) => text)).toEqual([
      'Later',
      'Hello @carol and @dave',
    ]);
    expect(posts.body.meta).toMatchObject({ newest_id: second, oldest_id: later, result_count: 2 });
    expect(idsOf((await as('bob').get(home)).body)).toEqual([later, second]);
    for (const name of ['carol', 'dave'] as const) {
      expect(idsOf((await as('bob').get(`/2/users/${ID[name]}/mentions`)).body)).toEqual([second]);
    }
    await edited(network, 'alice', second, 'Hello');
    expect((await as('bob').get(`/2/users/${ID.carol}/mentions`)).body.data).toBeUndefined();
    const { body } = await as('bob').get(`/2/users/${ID.alice}?user.fields=public_metrics`);
    expect(body.data.public_metrics.tweet_count).toBe(2);
  });

  test('a List', async () => {
    const network = await startNetwork({
      lists: [{ id: '77', owner: 'bob', name: 'List', members: ['alice'] }],
    });
    const first = await network.posted('alice', 'One');
    const second = await edited(network, 'alice', first, 'Two');
    expect(idsOf((await network.as('bob').get('/2/lists/77/tweets')).body)).toEqual([second]);
  });

  test('search and counts find the newest version only, also by a repost', async () => {
    const network = await startNetwork();
    const { app, as, posted, advance } = network;
    const first = await posted('alice', 'A heron');
    await as('bob').post(`/2/users/${ID.bob}/retweets`, { tweet_id: first });
    await advance(MINUTE_MS);
    const find = async (query: string) =>
      idsOf((await app.get(`/2/tweets/search/recent?query=${encodeURIComponent(query)}`)).body);
    expect(await find('heron')).toHaveLength(2);
    const second = await edited(network, 'alice', first, 'A stork');
    await advance(MINUTE_MS);
    expect(await find('heron')).toEqual([]);
    expect(await find('stork -is:retweet')).toEqual([second]);
    expect(await find('stork is:retweet')).toHaveLength(1);
    const { body } = await app.get('/2/tweets/counts/recent?query=stork%20-is:retweet');
    expect(body.meta.total_tweet_count).toBe(1);
  });
});

describe('what others do with any version belongs to the post', () => {
  test('likes, reposts, replies, quotes and bookmarks of all versions are counted together', async () => {
    const network = await startNetwork();
    const { as, posted } = network;
    const first = await posted('alice', 'One');
    await as('bob').post(`/2/users/${ID.bob}/likes`, { tweet_id: first });
    const second = await edited(network, 'alice', first, 'Two');
    await as('bob').post(`/2/users/${ID.bob}/likes`, { tweet_id: second });
    await as('carol').post(`/2/users/${ID.carol}/likes`, { tweet_id: second });
    for (const id of [first, second]) await as('bob').post(`/2/users/${ID.bob}/retweets`, { tweet_id: id });
    await as('bob').post(`/2/users/${ID.bob}/bookmarks`, { tweet_id: second });
    const reply = await posted('bob', { text: 'Reply', reply: { in_reply_to_tweet_id: second } });
    const quote = await posted('bob', { text: 'Quote', quote_tweet_id: second });
    const both = await as('bob').get(`/2/tweets?ids=${first},${second}&tweet.fields=public_metrics`);
    for (const { public_metrics } of both.body.data) {
      expect(public_metrics).toMatchObject({
        like_count: 2,
        retweet_count: 1,
        reply_count: 1,
        quote_count: 1,
      });
    }
    for (const id of [first, second]) {
      expect(idsOf((await as('dave').get(`/2/tweets/${id}/liking_users`)).body)).toEqual([ID.carol, ID.bob]);
      expect(idsOf((await as('dave').get(`/2/tweets/${id}/retweeted_by`)).body)).toEqual([ID.bob]);
      expect(idsOf((await as('dave').get(`/2/tweets/${id}/quote_tweets`)).body)).toEqual([quote]);
    }
    expect(idsOf((await as('bob').get(`/2/users/${ID.bob}/liked_tweets`)).body)).toEqual([second]);
    expect(idsOf((await as('bob').get(`/2/users/${ID.bob}/bookmarks`)).body)).toEqual([second]);
    const { body } = await as('dave').get(
      `/2/tweets?ids=${reply},${quote}&tweet.fields=referenced_tweets,conversation_id&expansions=referenced_tweets.id`,
    );
    expect(body.data).toMatchObject([
      { conversation_id: first, referenced_tweets: [{ type: 'replied_to', id: first }] },
      { referenced_tweets: [{ type: 'quoted', id: first }] },
    ]);
    expect(idsOf({ data: body.includes.tweets })).toEqual([first, second]);
  });

  test('can be undone by any version', async () => {
    const network = await startNetwork();
    const { as, posted } = network;
    const first = await posted('alice', 'One');
    for (const kind of ['likes', 'retweets', 'bookmarks']) {
      await as('bob').post(`/2/users/${ID.bob}/${kind}`, { tweet_id: first });
    }
    const second = await edited(network, 'alice', first, 'Two');
    for (const kind of ['likes', 'retweets', 'bookmarks']) {
      expect((await as('bob').delete(`/2/users/${ID.bob}/${kind}/${second}`)).status).toBe(200);
    }
    const { body } = await as('bob').get(`/2/tweets/${second}?tweet.fields=public_metrics`);
    expect(body.data.public_metrics).toMatchObject({ like_count: 0, retweet_count: 0 });
    expect((await as('bob').get(`/2/users/${ID.bob}/bookmarks`)).body.data).toBeUndefined();
  });

  test('world files may name any version', async () => {
    const network = await startNetwork();
    const first = await network.posted('alice', 'One');
    const second = await edited(network, 'alice', first, 'Two');
    const [quote, reply] = [5, 6].map((n) => postId((2 * DAY_MS) / MINUTE_MS + n));
    await network.add({
      posts: [
        { id: quote, author: 'bob', text: 'Quote', quote_of: second },
        { id: reply, author: 'bob', text: 'Reply', in_reply_to: second },
      ],
      likes: [{ user: 'bob', post: second }],
    });
    const { body } = await network.as('bob').get(`/2/tweets/${second}?tweet.fields=public_metrics`);
    expect(body.data.public_metrics).toMatchObject({ like_count: 1, reply_count: 1, quote_count: 1 });
    expect(idsOf((await network.as('bob').get(`/2/tweets/${first}/quote_tweets`)).body)).toEqual([quote]);
  });

  test('the pin moves to the new version', async () => {
    const first = postId((2 * DAY_MS) / MINUTE_MS - 1);
    const network = await startNetwork({
      users: [{ username: 'alice', pinned_post: first }],
      posts: [{ id: first, author: 'alice', text: 'One' }],
    });
    const second = await edited(network, 'alice', first, 'Two');
    const { body } = await network.as('bob').get(`/2/users/${ID.alice}?user.fields=pinned_tweet_id`);
    expect(body.data.pinned_tweet_id).toBe(second);
  });
});

test.each([0, 1, 2])('deleting version %i deletes all versions and what belongs to them', async (chosen) => {
  const network = await startNetwork({ follows: [{ from: 'bob', to: 'alice' }] });
  const { as, posted, runJobs } = network;
  const root = await posted('alice', 'Root');
  const first = await posted('alice', { text: 'One', reply: { in_reply_to_tweet_id: root } });
  await runJobs();
  const second = await edited(network, 'alice', first, 'Two @carol');
  const ids = [first, second, await edited(network, 'alice', second, 'Three @carol')];
  await as('bob').post(`/2/users/${ID.bob}/retweets`, { tweet_id: second });
  await as('bob').post(`/2/users/${ID.bob}/likes`, { tweet_id: second });
  expect((await as('alice').delete(`/2/tweets/${ids[chosen]}`)).body).toEqual({ data: { deleted: true } });
  expect((await as('bob').get(`/2/tweets?ids=${ids.join()}`)).body.data).toBeUndefined();
  const lists = ['mentions', 'liked_tweets', 'tweets'].map((list) => `/2/users/${ID.bob}/${list}`);
  for (const path of [...lists, `/2/users/${ID.carol}/mentions`]) {
    expect((await as('bob').get(path)).body.data).toBeUndefined();
  }
  const home = await as('bob').get(`/2/users/${ID.bob}/timelines/reverse_chronological`);
  expect(idsOf(home.body)).toEqual([root]);
  const { body } = await as('bob').get(
    `/2/tweets/${root}?tweet.fields=public_metrics&expansions=author_id&user.fields=public_metrics`,
  );
  expect(body.data.public_metrics.reply_count).toBe(0);
  expect(body.includes.users[0].public_metrics.tweet_count).toBe(1);
  expect((await as('alice').post('/2/tweets', { text: 'Three @carol' })).status).toBe(201);
});

test('deleting the account deletes all versions', async () => {
  const network = await startNetwork();
  const first = await network.posted('alice', 'One');
  const second = await edited(network, 'alice', first, 'Two');
  await network.deleteAccount('alice');
  expect((await network.as('bob').get(`/2/tweets?ids=${first},${second}`)).body.data).toBeUndefined();
});
