import { describe, expect, test } from 'vitest';
import { notAuthorized, notFound, suspended } from './support/errors.js';
import { ID, postId, startNetwork, type World } from './support/network.js';

/** Expansions of posts: their contents, buckets and errors (docs/api/objects.md#field-selection). */

const ROOT = postId(1);
const REPLY = postId(2);
const QUOTE = postId(3);
const REPOST = postId(4);
const BOTH = postId(5);

const world: World = {
  posts: [
    { id: ROOT, author: 'alice', text: 'Root' },
    { id: REPLY, author: 'bob', text: 'Reply', in_reply_to: ROOT },
    { id: QUOTE, author: 'carol', text: 'Quote', quote_of: REPLY },
    { id: REPOST, author: 'dave', repost_of: ROOT },
    { id: BOTH, author: 'erin', text: 'Both', quote_of: ROOT, in_reply_to: REPLY },
  ],
};

const user = (name: keyof typeof ID): object => ({ id: ID[name], name: `${name} the bird`, username: name });
const plain = (id: string, text: string): object => ({ id, text, edit_history_tweet_ids: [id] });
const root = plain(ROOT, 'Root');
const reply = plain(REPLY, '@alice Reply');

describe('author_id', () => {
  test('includes the author and the author_id field', async () => {
    const { app } = await startNetwork(world);
    const { body } = await app.get(`/2/tweets/${ROOT}?expansions=author_id`);
    expect(body).toEqual({ data: { ...root, author_id: ID.alice }, includes: { users: [user('alice')] } });
  });

  test('includes each author once, in order of first use', async () => {
    const { app, posted } = await startNetwork(world);
    const again = await posted('bob', 'Again');
    const { body } = await app.get(`/2/tweets?ids=${REPLY},${ROOT},${again}&expansions=author_id`);
    expect(body.includes).toEqual({ users: [user('bob'), user('alice')] });
  });

  test('includes nothing for a post of a suspended author, which is hidden', async () => {
    const { app, suspend } = await startNetwork(world);
    await suspend('alice');
    const { body } = await app.get(`/2/tweets/${ROOT}?expansions=author_id`);
    expect(body.data).toBeUndefined();
    expect(body.includes).toBeUndefined();
    expect(body.errors).toHaveLength(1);
  });
});

describe('in_reply_to_user_id', () => {
  test('includes the author of the parent', async () => {
    const { app } = await startNetwork(world);
    const { body } = await app.get(`/2/tweets/${REPLY}?expansions=in_reply_to_user_id`);
    expect(body).toEqual({
      data: { ...reply, in_reply_to_user_id: ID.alice },
      includes: { users: [user('alice')] },
    });
  });

  test('includes nothing for a post that is not a reply', async () => {
    const { app } = await startNetwork(world);
    const { body } = await app.get(`/2/tweets/${ROOT}?expansions=in_reply_to_user_id`);
    expect(body).toEqual({ data: root });
  });

  test('reports a suspended user', async () => {
    const { app, suspend } = await startNetwork(world);
    await suspend('alice');
    const { body } = await app.get(`/2/tweets/${REPLY}?expansions=in_reply_to_user_id`);
    expect(body).toEqual({
      data: { ...reply, in_reply_to_user_id: ID.alice },
      errors: [suspended('in_reply_to_user_id', ID.alice)],
    });
  });
});

describe('entities.mentions.username', () => {
  test('includes each mentioned user once, in text order', async () => {
    const { app, posted } = await startNetwork();
    const id = await posted('alice', '@carol @BOB and @carol');
    const { body } = await app.get(`/2/tweets/${id}?expansions=entities.mentions.username`);
    expect(body.includes).toEqual({ users: [user('carol'), user('bob')] });
    expect(body.data.entities.mentions).toHaveLength(3);
  });

  test('shares its bucket with other expansions', async () => {
    const { app } = await startNetwork(world);
    const { body } = await app.get(
      `/2/tweets/${REPLY}?expansions=entities.mentions.username,author_id,in_reply_to_user_id`,
    );
    const names = (body.includes.users as { username: string }[]).map(({ username }) => username);
    expect(names.sort()).toEqual(['alice', 'bob']);
  });

  test('reports a suspended user', async () => {
    const { app, suspend, posted } = await startNetwork();
    const id = await posted('alice', 'Dear @bob');
    await suspend('bob');
    const { body } = await app.get(`/2/tweets/${id}?expansions=entities.mentions.username`);
    expect(body.includes).toBeUndefined();
    expect(body.errors).toEqual([suspended('entities.mentions.username', 'bob')]);
  });
});

describe('referenced_tweets.id', () => {
  test.each([
    ['the parent of a reply', REPLY, 'replied_to', [root]],
    ['the quoted post', QUOTE, 'quoted', [reply]],
    ['the reposted post', REPOST, 'retweeted', [root]],
  ])('includes %s, with default fields', async (_, id, type, included) => {
    const { app } = await startNetwork(world);
    const { body } = await app.get(`/2/tweets/${id}?expansions=referenced_tweets.id`);
    expect(body.data.referenced_tweets).toMatchObject([{ type }]);
    expect(Object.keys(body.data as object).sort()).toEqual([
      'edit_history_tweet_ids',
      'id',
      'referenced_tweets',
      'text',
    ]);
    expect(body.includes).toEqual({ tweets: included });
    expect(body.errors).toBeUndefined();
  });

  test('includes both posts of a quoting reply, one level deep', async () => {
    const { app } = await startNetwork(world);
    const { body } = await app.get(`/2/tweets/${BOTH}?expansions=referenced_tweets.id`);
    expect(body.includes).toEqual({ tweets: [root, reply] });
    const { body: quote } = await app.get(`/2/tweets/${QUOTE}?expansions=referenced_tweets.id`);
    expect(quote.includes).toEqual({ tweets: [reply] });
  });

  test('returns the requested fields of included posts', async () => {
    const { app } = await startNetwork(world);
    const { body } = await app.get(
      `/2/tweets/${REPLY}?expansions=referenced_tweets.id&tweet.fields=author_id,public_metrics`,
    );
    expect(body.includes.tweets).toMatchObject([
      { ...root, author_id: ID.alice, public_metrics: { retweet_count: 1, reply_count: 1, quote_count: 1 } },
    ]);
  });

  test('includes a post once, also when it is in data', async () => {
    const { app } = await startNetwork(world);
    const { body } = await app.get(
      `/2/tweets?ids=${REPLY},${REPOST},${ROOT}&expansions=referenced_tweets.id`,
    );
    expect(body.data).toHaveLength(3);
    expect(body.includes).toEqual({ tweets: [root] });
  });

  test('reports protected posts with section includes', async () => {
    const { app, as } = await startNetwork({
      ...world,
      users: [{ username: 'alice', protected: true }],
      follows: [{ from: 'bob', to: 'alice' }],
    });
    const path = `/2/tweets/${REPLY}?expansions=referenced_tweets.id,referenced_tweets.id.author_id`;
    const { body } = await app.get(path);
    expect(body.data.id).toBe(REPLY);
    expect(body.includes).toBeUndefined();
    expect(body.errors).toEqual([notAuthorized('referenced_tweets.id', ROOT, 'includes')]);
    const follower = await as('bob').get(path);
    expect(follower.body.includes.tweets).toMatchObject([root]);
    expect(follower.body.errors).toBeUndefined();
  });

  test('reports posts of authors who block the viewer', async () => {
    const { as } = await startNetwork({ ...world, blocks: [{ from: 'alice', to: 'erin' }] });
    const { body } = await as('erin').get(`/2/tweets/${REPLY}?expansions=referenced_tweets.id`);
    expect(body.includes).toBeUndefined();
    expect(body.errors).toEqual([notAuthorized('referenced_tweets.id', ROOT, 'includes')]);
  });

  test('reports a missing post once', async () => {
    const { app, as, posted } = await startNetwork(world);
    const other = await posted('erin', { text: 'Me too', in_reply_to_tweet_id: ROOT });
    await as('alice').delete(`/2/tweets/${ROOT}`);
    const { body } = await app.get(`/2/tweets?ids=${REPLY},${other}&expansions=referenced_tweets.id`);
    expect(body.data).toHaveLength(2);
    expect(body.errors).toEqual([notFound('tweet', 'referenced_tweets.id', ROOT)]);
  });
});

describe('referenced_tweets.id.author_id', () => {
  test('includes referenced posts and their authors', async () => {
    const { app } = await startNetwork(world);
    const { body } = await app.get(`/2/tweets/${BOTH}?expansions=referenced_tweets.id.author_id`);
    expect(body.includes.users).toEqual([user('alice'), user('bob')]);
    expect(body.includes.tweets).toEqual([
      { ...root, author_id: ID.alice },
      { ...reply, author_id: ID.bob },
    ]);
    expect(Object.keys(body.includes as object).sort()).toEqual(['tweets', 'users']);
  });

  test('does not include the author of the post itself', async () => {
    const { app } = await startNetwork(world);
    const { body } = await app.get(`/2/tweets/${QUOTE}?expansions=referenced_tweets.id.author_id`);
    expect(body.includes.users).toEqual([user('bob')]);
  });
});

describe('attachments and place', () => {
  const rich: World = {
    media: ['3_102', '3_101'].map((media_key) => ({ media_key, type: 'photo', owner: 'alice' })),
    places: [
      {
        id: 'abc123',
        full_name: 'Here',
        name: 'Here',
        country: 'Nowhere',
        country_code: 'NW',
        place_type: 'poi',
        bbox: [0, 0, 1, 1],
      },
    ],
    posts: [
      { id: ROOT, author: 'alice', text: 'Photos', media: ['3_102', '3_101'], place: 'abc123' },
      { id: REPLY, author: 'alice', text: 'Poll', poll: { options: ['a', 'b'], duration_minutes: 5 } },
      { id: QUOTE, author: 'bob', text: 'Quote', quote_of: ROOT, place: 'abc123' },
    ],
  };

  test('return only buckets with contents', async () => {
    const { app } = await startNetwork(rich);
    const all = 'attachments.media_keys,attachments.poll_ids,geo.place_id,author_id';
    const photos = await app.get(`/2/tweets/${ROOT}?expansions=${all}`);
    expect(Object.keys(photos.body.includes as object).sort()).toEqual(['media', 'places', 'users']);
    expect(photos.body.includes.media).toEqual([
      { media_key: '3_102', type: 'photo' },
      { media_key: '3_101', type: 'photo' },
    ]);
    const poll = await app.get(`/2/tweets/${REPLY}?expansions=${all}`);
    expect(Object.keys(poll.body.includes as object).sort()).toEqual(['polls', 'users']);
  });

  test('include the media of the post itself, not of referenced posts', async () => {
    const { app } = await startNetwork(rich);
    const { body } = await app.get(
      `/2/tweets/${QUOTE}?expansions=attachments.media_keys,referenced_tweets.id&tweet.fields=attachments`,
    );
    expect(Object.keys(body.includes as object)).toEqual(['tweets']);
    expect(body.includes.tweets[0].attachments).toEqual({ media_keys: ['3_102', '3_101'] });
    expect(body.data.attachments).toBeUndefined();
  });

  test('include a place once', async () => {
    const { app } = await startNetwork(rich);
    const { body } = await app.get(`/2/tweets?ids=${ROOT},${QUOTE}&expansions=geo.place_id`);
    expect(body.includes).toEqual({ places: [{ id: 'abc123', full_name: 'Here' }] });
  });

  test('return no includes when nothing is included', async () => {
    const { app } = await startNetwork(world);
    const { body } = await app.get(
      `/2/tweets/${ROOT}?expansions=attachments.media_keys,attachments.poll_ids,geo.place_id,edit_history_tweet_ids`,
    );
    expect(body).toEqual({ data: root });
  });

  test('accept fields of objects that are not included', async () => {
    const { app } = await startNetwork(rich);
    const { body } = await app.get(
      `/2/tweets/${ROOT}?media.fields=url&poll.fields=voting_status&place.fields=country&user.fields=verified`,
    );
    expect(body.includes).toBeUndefined();
  });
});
