import { describe, expect, test } from 'vitest';
import { refusal } from './support/errors.js';
import { ID, postId, startNetwork, type Name, type World } from './support/network.js';

/**
 * Replies: references, conversation, handles, reply settings (docs/api/posts.md#replies-quotes-and-reposts,
 * docs/api/posts.md#reply-settings).
 */

const NOT_VISIBLE = refusal('You attempted to reply to a Tweet that is deleted or not visible to you.');
const RESTRICTED = refusal(
  'Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.',
);
const NOT_PERMITTED = refusal('You are not permitted to perform this action.');

const ROOT = postId(1);
const root = (entry: object): World => ({ posts: [{ id: ROOT, author: 'alice', text: 'Root', ...entry }] });
const replyTo = (id: string, text = 'Yes'): object => ({ text, reply: { in_reply_to_tweet_id: id } });

describe('a reply', () => {
  test('references its parent and the parent’s author, and has the conversation of its parent', async () => {
    const { as, posted } = await startNetwork(root({}));
    const id = await posted('bob', replyTo(ROOT));
    const fields = 'conversation_id,in_reply_to_user_id,referenced_tweets';
    const { body } = await as('carol').get(`/2/tweets/${id}?tweet.fields=${fields}`);
    expect(body.data).toEqual({
      id,
      text: '@alice Yes',
      edit_history_tweet_ids: [id],
      conversation_id: ROOT,
      in_reply_to_user_id: ID.alice,
      referenced_tweets: [{ type: 'replied_to', id: ROOT }],
    });
  });

  test('in a chain has the conversation of the root and its direct parent', async () => {
    const { as, posted } = await startNetwork(root({}));
    const first = await posted('bob', replyTo(ROOT, 'one'));
    const second = await posted('carol', replyTo(first, 'two'));
    const third = await posted('alice', replyTo(second, 'three'));
    const { body } = await as('dave').get(
      `/2/tweets?ids=${first},${second},${third}&tweet.fields=conversation_id,in_reply_to_user_id,referenced_tweets`,
    );
    expect(body.data).toMatchObject([
      { conversation_id: ROOT, in_reply_to_user_id: ID.alice, referenced_tweets: [{ id: ROOT }] },
      { conversation_id: ROOT, in_reply_to_user_id: ID.bob, referenced_tweets: [{ id: first }] },
      { conversation_id: ROOT, in_reply_to_user_id: ID.carol, referenced_tweets: [{ id: second }] },
    ]);
  });

  test('increases the reply count of its parent only', async () => {
    const { as, posted } = await startNetwork(root({}));
    const first = await posted('bob', replyTo(ROOT, 'one'));
    await posted('carol', replyTo(first, 'two'));
    const { body } = await as('dave').get(`/2/tweets?ids=${ROOT},${first}&tweet.fields=public_metrics`);
    expect(body.data.map((post: { public_metrics: object }) => post.public_metrics)).toMatchObject([
      { reply_count: 1 },
      { reply_count: 1 },
    ]);
  });

  test('can quote another post', async () => {
    const { as, posted } = await startNetwork({
      posts: [...(root({}).posts ?? []), { id: postId(2), author: 'carol', text: 'Other' }],
    });
    const id = await posted('bob', { ...replyTo(ROOT), quote_tweet_id: postId(2) });
    const { body } = await as('dave').get(`/2/tweets/${id}?tweet.fields=referenced_tweets,conversation_id`);
    expect(body.data.conversation_id).toBe(ROOT);
    expect(body.data.referenced_tweets).toEqual([
      { type: 'quoted', id: postId(2) },
      { type: 'replied_to', id: ROOT },
    ]);
  });

  test('to a repost replies to the original', async () => {
    const { as, posted } = await startNetwork({
      posts: [...(root({}).posts ?? []), { id: postId(2), author: 'carol', repost_of: ROOT }],
    });
    const id = await posted('bob', replyTo(postId(2)));
    const { body } = await as('dave').get(`/2/tweets/${id}?tweet.fields=referenced_tweets`);
    expect(body.data.referenced_tweets).toEqual([{ type: 'replied_to', id: ROOT }]);
  });

  test('to an unknown post returns 403', async () => {
    const { as } = await startNetwork();
    const { status, body } = await as('bob').post('/2/tweets', replyTo('404'));
    expect(status).toBe(403);
    expect(body).toEqual(NOT_VISIBLE);
  });

  test('to a deleted post returns 403', async () => {
    const { as, posted } = await startNetwork();
    const id = await posted('alice', 'Soon gone');
    await as('alice').delete(`/2/tweets/${id}`);
    const { status, body } = await as('bob').post('/2/tweets', replyTo(id));
    expect(status).toBe(403);
    expect(body).toEqual(NOT_VISIBLE);
  });
});

describe('the handles of a reply', () => {
  test('are the parent’s author and the users mentioned by the parent, once each', async () => {
    const { posted, as } = await startNetwork(root({ text: 'Hi @carol and @dave, @alice says @carol' }));
    const id = await posted('bob', replyTo(ROOT));
    const { body } = await as('erin').get(`/2/tweets/${id}?tweet.fields=entities`);
    expect(body.data.text).toBe('@alice @carol @dave Yes');
    expect(body.data.entities.mentions).toEqual([
      { start: 0, end: 6, username: 'alice', id: ID.alice },
      { start: 7, end: 13, username: 'carol', id: ID.carol },
      { start: 14, end: 19, username: 'dave', id: ID.dave },
    ]);
  });

  test('collect the participants of a chain', async () => {
    const { posted, as } = await startNetwork(root({}));
    const first = await posted('bob', replyTo(ROOT));
    const second = await posted('carol', replyTo(first));
    const { body } = await as('erin').get(`/2/tweets/${second}`);
    expect(body.data.text).toBe('@bob @alice Yes');
  });

  test('omit the replying user', async () => {
    const { posted, as } = await startNetwork(root({ text: 'Hi @bob and @carol' }));
    const id = await posted('bob', replyTo(ROOT));
    expect((await as('erin').get(`/2/tweets/${id}`)).body.data.text).toBe('@alice @carol Yes');
  });

  test('are absent in a reply to oneself', async () => {
    const { posted, as } = await startNetwork(root({}));
    const id = await posted('alice', replyTo(ROOT, 'More'));
    expect((await as('erin').get(`/2/tweets/${id}`)).body.data.text).toBe('More');
  });

  test('omit excluded users, except the parent’s author', async () => {
    const { posted, as } = await startNetwork(root({ text: 'Hi @carol and @dave' }));
    const id = await posted('bob', {
      text: 'Yes',
      reply: { in_reply_to_tweet_id: ROOT, exclude_reply_user_ids: [ID.carol, ID.alice] },
    });
    const { body } = await as('erin').get(`/2/tweets/${id}?tweet.fields=entities`);
    expect(body.data.text).toBe('@alice @dave Yes');
    expect(body.data.entities.mentions.map((mention: { username: string }) => mention.username)).toEqual([
      'alice',
      'dave',
    ]);
  });

  test('are not added when the text starts with the parent’s handle, in any case', async () => {
    const { posted, as } = await startNetwork(root({}));
    const id = await posted('bob', replyTo(ROOT, '@Alice yes'));
    const { body } = await as('erin').get(`/2/tweets/${id}?tweet.fields=entities`);
    expect(body.data.text).toBe('@Alice yes');
    expect(body.data.entities.mentions).toEqual([{ start: 0, end: 6, username: 'alice', id: ID.alice }]);
  });

  test('are added when the text starts with a longer handle', async () => {
    const { posted, as } = await startNetwork(root({}));
    const id = await posted('bob', replyTo(ROOT, '@alicex yes'));
    expect((await as('erin').get(`/2/tweets/${id}`)).body.data.text).toBe('@alice @alicex yes');
  });

  test('do not count toward the length unless typed', async () => {
    const { as } = await startNetwork(root({ text: 'Hi @carol' }));
    const full = await as('bob').post('/2/tweets', replyTo(ROOT, 'a'.repeat(280)));
    expect(full.status).toBe(201);
    expect(full.body.data.text).toBe(`@alice @carol ${'a'.repeat(280)}`);
    const typed = await as('bob').post('/2/tweets', replyTo(ROOT, `@alice ${'b'.repeat(274)}`));
    expect(typed.status).toBe(400);
  });

  test('are limited to 50', async () => {
    const crowd = Array.from({ length: 100 }, (_, index) => ({
      id: String(1000 + index),
      username: `u${index}`,
      name: 'One of many',
    }));
    const { posted, as } = await startNetwork({ ...root({}), users: crowd });
    const namesFrom = (start: number) =>
      Array.from({ length: 52 }, (_, index) => `@u${start + index}`).join(' ');
    const first = await posted('alice', replyTo(ROOT, namesFrom(0)));
    const second = await posted('alice', replyTo(first, namesFrom(48)));
    const third = await posted('bob', replyTo(second, 'Yes'));
    const { body } = await as('erin').get(`/2/tweets?ids=${second},${third}&tweet.fields=entities`);
    const [long, last] = body.data as { text: string; entities: { mentions: { username: string }[] } }[];
    expect(long?.entities.mentions).toHaveLength(50 + 52);
    const handles = Array.from({ length: 49 }, (_, index) => `@u${index}`).join(' ');
    expect(last?.text).toBe(`@alice ${handles} Yes`);
    expect(last?.entities.mentions.map(({ username }) => username)).toHaveLength(50);
  });

  test('shift the offsets of typed entities', async () => {
    const { posted, as } = await startNetwork(root({}));
    const id = await posted('bob', replyTo(ROOT, '🐦 #one'));
    const { body } = await as('erin').get(`/2/tweets/${id}?tweet.fields=entities`);
    expect(body.data.entities.hashtags).toEqual([{ start: 9, end: 13, tag: 'one' }]);
  });
});

describe('reply settings', () => {
  const names: readonly Name[] = ['alice', 'bob', 'carol', 'dave', 'erin'];

  /**
   * Returns the users who can reply. alice follows bob; carol follows alice; the post mentions dave; erin is
   * verified.
   */
  async function repliers(settings: object, target = ROOT): Promise<string[]> {
    const { as } = await startNetwork({
      users: [{ username: 'erin', verified: true }],
      follows: [
        { from: 'alice', to: 'bob' },
        { from: 'carol', to: 'alice' },
      ],
      posts: [
        { id: ROOT, author: 'alice', text: 'What do you say, @dave?', ...settings },
        { id: postId(2), author: 'dave', text: 'I say yes', in_reply_to: ROOT },
      ],
    });
    const allowed: string[] = [];
    for (const name of names) {
      const { status, body } = await as(name).post('/2/tweets', replyTo(target, `From ${name}`));
      if (status === 201) allowed.push(name);
      else expect(body).toEqual(RESTRICTED);
    }
    return allowed;
  }

  test('allow everyone when absent', async () => {
    expect(await repliers({})).toEqual(names);
  });

  test('mentionedUsers allows the author and mentioned users', async () => {
    expect(await repliers({ reply_settings: 'mentionedUsers' })).toEqual(['alice', 'dave']);
  });

  test('following allows the author, users that the author follows, and mentioned users', async () => {
    expect(await repliers({ reply_settings: 'following' })).toEqual(['alice', 'bob', 'dave']);
  });

  test('subscribers allows the author, followers and mentioned users', async () => {
    expect(await repliers({ reply_settings: 'subscribers' })).toEqual(['alice', 'carol', 'dave']);
  });

  test('verified allows the author, verified users and mentioned users', async () => {
    expect(await repliers({ reply_settings: 'verified' }, postId(2))).toEqual(['alice', 'dave', 'erin']);
  });

  test('of a reply apply to every reply below it', async () => {
    const { as, posted } = await startNetwork(root({}));
    const limited = await posted('bob', { ...replyTo(ROOT), reply_settings: 'mentionedUsers' });
    const below = await posted('alice', replyTo(limited, 'Really'));
    expect((await as('dave').post('/2/tweets', replyTo(below, 'Me too'))).body).toEqual(RESTRICTED);
    expect((await as('dave').post('/2/tweets', replyTo(ROOT, 'Me too'))).status).toBe(201);
  });

  test('apply to the whole conversation below the post', async () => {
    expect(await repliers({ reply_settings: 'mentionedUsers' }, postId(2))).toEqual(['alice', 'dave']);
    expect(await repliers({ reply_settings: 'following' }, postId(2))).toEqual(['alice', 'bob', 'dave']);
  });

  test('of a reply apply below it only', async () => {
    const { as, posted } = await startNetwork(root({}));
    const middle = await posted('bob', { ...replyTo(ROOT, 'Middle'), reply_settings: 'mentionedUsers' });
    const below = await posted('alice', replyTo(middle, 'Below'));
    const further = await posted('bob', replyTo(below, 'Further'));
    for (const target of [middle, below, further]) {
      const { status, body } = await as('carol').post('/2/tweets', replyTo(target));
      expect([status, body]).toEqual([403, RESTRICTED]);
      expect((await as('alice').post('/2/tweets', replyTo(target, `To ${target}`))).status).toBe(201);
    }
    expect((await as('carol').post('/2/tweets', replyTo(ROOT))).status).toBe(201);
  });

  test('apply to posts created through the API', async () => {
    const { as, posted } = await startNetwork();
    const id = await posted('alice', { text: 'Only @bob', reply_settings: 'mentionedUsers' });
    expect((await as('bob').post('/2/tweets', replyTo(id))).status).toBe(201);
    const refused = await as('carol').post('/2/tweets', replyTo(id));
    expect(refused.status).toBe(403);
    expect(refused.body).toEqual(RESTRICTED);
  });

  test('are refused for a reply below 50 posts with reply settings', async () => {
    const { as, posted } = await startNetwork();
    const limits = { reply_settings: 'following' };
    let last = await posted('alice', { text: 'Root', ...limits });
    for (let count = 1; count < 50; count += 1) {
      last = await posted('alice', { ...replyTo(last, `Number ${count}`), ...limits });
    }
    const refused = await as('alice').post('/2/tweets', { ...replyTo(last, 'One more'), ...limits });
    expect(refused.body).toEqual(refusal('At most 50 posts above a reply can limit replies.'));
    expect((await as('alice').post('/2/tweets', replyTo(last, 'Open'))).status).toBe(201);
  });

  test('do not restrict quotes', async () => {
    const { as } = await startNetwork(root({ reply_settings: 'mentionedUsers' }));
    const { status } = await as('carol').post('/2/tweets', { text: 'Look', quote_tweet_id: ROOT });
    expect(status).toBe(201);
  });
});

describe('blocks', () => {
  test('by the author of the parent hide the post from the replying user', async () => {
    const { as } = await startNetwork({ ...root({}), blocks: [{ from: 'alice', to: 'bob' }] });
    const { status, body } = await as('bob').post('/2/tweets', replyTo(ROOT));
    expect(status).toBe(403);
    expect(body).toEqual(NOT_VISIBLE);
  });

  test('by the replying user prevent replies', async () => {
    const { as } = await startNetwork({ ...root({}), blocks: [{ from: 'bob', to: 'alice' }] });
    const { status, body } = await as('bob').post('/2/tweets', replyTo(ROOT));
    expect(status).toBe(403);
    expect(body).toEqual(NOT_PERMITTED);
  });

  test('between the replying user and other participants have no effect', async () => {
    const { as } = await startNetwork({
      posts: [
        { id: ROOT, author: 'alice', text: 'Root' },
        { id: postId(2), author: 'carol', text: 'Answer', in_reply_to: ROOT },
      ],
      mutes: [{ from: 'bob', to: 'carol' }],
    });
    expect((await as('bob').post('/2/tweets', replyTo(postId(2)))).status).toBe(201);
  });
});

describe('concurrent replies', () => {
  test('are all counted', async () => {
    const { as } = await startNetwork(root({}));
    const names: readonly Name[] = ['bob', 'carol', 'dave', 'erin'];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        as(names[index % 4] ?? 'bob').post('/2/tweets', replyTo(ROOT, `Number ${index}`)),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 24 }, () => 201));
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(24);
    const { body } = await as('alice').get(`/2/tweets/${ROOT}?tweet.fields=public_metrics`);
    expect(body.data.public_metrics.reply_count).toBe(24);
    const { body: bob } = await as('bob').get('/2/users/me?user.fields=public_metrics');
    expect(bob.data.public_metrics.tweet_count).toBe(6);
  });
});
