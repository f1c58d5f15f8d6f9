import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { weightedLength } from '../../src/core/post-text/length.js';
import { INVALID_REQUEST } from './support/errors.js';
import {
  ID,
  MINUTE_MS,
  openNetwork,
  postId,
  PUBLIC_URL,
  startNetwork,
  type Network,
} from './support/network.js';

/** Posts of subscribers that weigh more than 280 (docs/api/posts.md#long-posts). */

const SUBSCRIBED = { users: [{ username: 'alice', subscription_type: 'Premium' }] };

/** Returns a text of so many words of four letters, each followed by a space, and an end. */
const long = (words: number, end = 'heron'): string => `${'pond '.repeat(words)}${end}`;

let network: Network;
beforeAll(async () => {
  network = await openNetwork(SUBSCRIBED);
});
afterAll(() => network.close());

async function lookUp(id: string, query: string) {
  const { status, body } = await network.app.get(`/2/tweets/${id}?${query}`);
  expect(status).toBe(200);
  return body;
}

describe('a text above 280', () => {
  test('is refused for an account without a subscription', async () => {
    const { status, body } = await network.as('bob').post('/2/tweets', { text: 'a'.repeat(281) });
    expect([status, body.title]).toEqual([400, INVALID_REQUEST.title]);
    expect(body.errors[0].message).toMatch(/^Your Tweet text is too long/);
  });

  test('is shortened in `text`, and whole in `note_tweet`', async () => {
    const text = long(60, '#heron & <more>');
    const { status, body } = await network.as('alice').post('/2/tweets', { text });
    expect(status).toBe(201);
    const short = `${'pond '.repeat(55)}pon…`;
    expect(body.data.text).toBe(short);
    expect(weightedLength(short)).toBe(280);
    const { data } = await lookUp(body.data.id, 'tweet.fields=note_tweet,entities');
    expect(data).toEqual({
      id: body.data.id,
      text: short,
      edit_history_tweet_ids: [body.data.id],
      note_tweet: {
        text: `${'pond '.repeat(60)}#heron &amp; &lt;more&gt;`,
        entities: { hashtags: [{ start: 300, end: 306, tag: 'heron' }] },
      },
    });
  });

  test('has other names in the newer vocabulary', async () => {
    const id = await network.posted('alice', long(61));
    const { data } = await lookUp(id, 'post.fields=note_post');
    expect(data).toMatchObject({ note_post: { text: long(61) }, edit_history_post_ids: [id] });
  });

  test('may weigh 25,000, and no more', async () => {
    const id = await network.posted('alice', `${'字'.repeat(12_499)}ab`);
    const { data } = await lookUp(id, 'tweet.fields=note_tweet,lang');
    expect(data.text).toBe(`${'字'.repeat(139)}…`);
    expect(Array.from(data.note_tweet.text as string)).toHaveLength(12_501);
    for (const text of [`${'字'.repeat(12_499)}abc`, 'a'.repeat(25_001)]) {
      expect((await network.as('alice').post('/2/tweets', { text })).status).toBe(400);
    }
  });

  test('of 280 has no `note_tweet`', async () => {
    const id = await network.posted('alice', 'b'.repeat(280));
    const { data } = await lookUp(id, 'tweet.fields=note_tweet');
    expect(data).toEqual({ id, text: 'b'.repeat(280), edit_history_tweet_ids: [id] });
  });

  test.each([
    ['a link', 'https://birds.example.com/a/heron'],
    ['a hashtag', '#herons'],
    ['a mention', '@carol'],
    ['a cashtag', '$HERON'],
    ['an emoji sequence', '👨‍👩‍👧‍👦'],
    ['a character and its marks', 'n\u0303\u0303\u0303'],
  ])('is not cut within %s', async (kind, entity) => {
    const before = `${kind} `.padEnd(276, 'x');
    const id = await network.posted('alice', `${before} ${entity} and so on`);
    const { data } = await lookUp(id, 'tweet.fields=entities');
    expect(data.text).toBe(`${before}…`);
    expect(data.entities).toBeUndefined();
  });
});

describe('the whole of a long text', () => {
  test('is found by search, also through its reposts, and counts as words, tags and links', async () => {
    const { as, posted, advance } = await startNetwork(SUBSCRIBED);
    const id = await posted('alice', long(60, 'kingfisher #rare https://rare.example.com/bird'));
    await as('bob').post(`/2/users/${ID.bob}/retweets`, { tweet_id: id });
    await advance(MINUTE_MS);
    for (const query of ['kingfisher', '#rare', 'url:"https://rare.example.com"', '"pond kingfisher"']) {
      const { body } = await as('bob').get(`/2/tweets/search/recent?query=${encodeURIComponent(query)}`);
      expect([query, body.meta.result_count]).toEqual([query, 2]);
    }
  });

  test('mentions users: they find it, may reply, and are addressed by replies', async () => {
    const { as, posted } = await startNetwork(SUBSCRIBED);
    const id = await posted('alice', { text: long(60, '@bob @carol'), reply_settings: 'mentionedUsers' });
    const { body: mentions } = await as('bob').get(`/2/users/${ID.bob}/mentions`);
    expect(mentions.data).toMatchObject([{ id }]);
    const reply = { text: 'Yes', reply: { in_reply_to_tweet_id: id } };
    expect((await as('dave').post('/2/tweets', reply)).status).toBe(403);
    expect((await as('bob').post('/2/tweets', reply)).body.data.text).toBe('@alice @carol Yes');
    const { body } = await as('dave').get(
      `/2/tweets/${id}?expansions=entities.note.mentions.username,entities.mentions.username&tweet.fields=note_tweet`,
    );
    expect(body.includes.users.map((user: { username: string }) => user.username)).toEqual(['bob', 'carol']);
    await as('alice').delete(`/2/tweets/${id}`);
    expect((await as('bob').get(`/2/users/${ID.bob}/mentions`)).body.meta.result_count).toBe(0);
  });

  test('decides whether it is a duplicate', async () => {
    const { as } = await startNetwork(SUBSCRIBED);
    const send = async (text: string) => (await as('alice').post('/2/tweets', { text })).status;
    expect(await send(long(60, 'one'))).toBe(201);
    expect(await send(long(60, 'two'))).toBe(201);
    expect(await send(long(60, 'one'))).toBe(403);
  });

  test('quotes the post whose link ends it', async () => {
    const { app, posted } = await startNetwork(SUBSCRIBED);
    const quoted = await posted('bob', 'Look at me');
    const link = `${PUBLIC_URL}/bob/status/${quoted}`;
    const id = await posted('alice', long(60, link));
    const { body } = await app.get(`/2/tweets/${id}?tweet.fields=referenced_tweets,note_tweet`);
    expect(body.data.referenced_tweets).toEqual([{ type: 'quoted', id: quoted }]);
    expect(body.data.note_tweet.text).toBe(long(60, link));
  });

  test('is followed by the links that the server adds, which `text` keeps', async () => {
    const { app, posted } = await startNetwork(SUBSCRIBED);
    const quoted = await posted('bob', 'Look at me');
    const id = await posted('alice', { text: long(60), quote_tweet_id: quoted });
    const { body } = await app.get(`/2/tweets/${id}?tweet.fields=entities,note_tweet`);
    const link = `${PUBLIC_URL}/bob/status/${quoted}`;
    expect(body.data.text).toBe(`${'pond '.repeat(55)}pon… ${link}`);
    expect(body.data.entities.urls).toMatchObject([{ start: 280, end: 280 + link.length, url: link }]);
    expect(body.data.note_tweet.text).toBe(`${long(60)} ${link}`);
    expect(body.data.note_tweet.entities.urls).toMatchObject([{ start: 306, url: link }]);
  });

  test('is edited', async () => {
    const { app, as, posted, advance } = await startNetwork(SUBSCRIBED);
    const first = await posted('alice', 'A short one');
    const longer = await posted('alice', { text: long(60), edit_options: { previous_post_id: first } });
    const found = async () => {
      await advance(MINUTE_MS);
      return (await app.get('/2/tweets/search/recent?query=heron')).body.data?.map(
        ({ id }: { id: string }) => id,
      );
    };
    expect(await found()).toEqual([longer]);
    const body = { text: 'Short again', edit_options: { previous_post_id: longer } };
    const { data } = (await as('alice').post('/2/tweets', body)).body;
    expect(await found()).toBeUndefined();
    const last = await app.get(`/2/tweets/${data.id}?tweet.fields=note_tweet`);
    expect([last.body.data.text, last.body.data.note_tweet]).toEqual(['Short again', undefined]);
  });

  test('decides the language', async () => {
    const { data } = await lookUp(
      await network.posted('alice', `${'12345 '.repeat(60)}Der Reiher steht am Ufer und wartet auf Fische`),
      'tweet.fields=lang',
    );
    expect(data.lang).toBe('de');
  });
});

describe('a subscription', () => {
  test('is shown to its user alone', async () => {
    const path = `/2/users/${ID.alice}?user.fields=subscription_type`;
    const seen = async (answer: Promise<{ body: { data?: object } }>) => (await answer).body.data;
    expect(await seen(network.as('alice').get(path))).toMatchObject({ subscription_type: 'Premium' });
    expect(await seen(network.as('bob').get(path))).toMatchObject({ subscription_type: 'None' });
    expect(await seen(network.app.get(path))).toMatchObject({ subscription_type: 'None' });
    const me = await network.as('bob').get('/2/users/me?user.fields=subscription_type,public_metrics');
    expect(me.body.data).toMatchObject({ subscription_type: 'None', public_metrics: { followers_count: 0 } });
  });

  test('lets posts of a world file be long, which stay when the file is loaded again', async () => {
    const { app, add } = await startNetwork(SUBSCRIBED);
    const world = { posts: [{ id: postId(1), author: 'alice', text: long(60) }] };
    await add(world);
    await add(world);
    const { body } = await app.get(`/2/tweets/${postId(1)}?tweet.fields=note_tweet`);
    expect(body.data.note_tweet.text).toBe(long(60));
    const refused = add({ posts: [{ id: postId(2), author: 'bob', text: long(60) }] });
    await expect(refused).rejects.toThrow(/posts\[0\]\.text: is too long: 305 of at most 280/);
  });
});
