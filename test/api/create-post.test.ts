import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { INVALID_REQUEST, invalidRequest, refusal } from './support/errors.js';
import {
  APP_NAME,
  ID,
  NOW,
  openNetwork,
  PUBLIC_URL,
  postId,
  startNetwork,
  type Network,
} from './support/network.js';

/**
 * Creating a post: text, its limits and the derived fields (docs/api/posts.md#length, docs/api/posts.md#entities).
 */

const TOO_LONG =
  'Your Tweet text is too long. For more information on how Twitter determines text length see https://github.com/twitter/twitter-text.';

describe('creating a post', () => {
  test('returns 201 with id, text and edit history only', async () => {
    const { as } = await startNetwork();
    const { status, body } = await as('alice').post('/2/tweets', { text: 'Hello' });
    expect(status).toBe(201);
    const { id } = body.data as { id: string };
    expect(id).toMatch(/^[0-9]{1,19}$/);
    expect(body).toEqual({ data: { id, text: 'Hello', edit_history_tweet_ids: [id] } });
  });

  test('stores the author, the time, the app, and its own id as conversation id', async () => {
    const { as, posted } = await startNetwork();
    const id = await posted('alice', 'Good morning to all the birds');
    const fields = 'author_id,created_at,source,conversation_id,lang,reply_settings,possibly_sensitive';
    const { body } = await as('bob').get(`/2/tweets/${id}?tweet.fields=${fields}`);
    expect(body.data).toEqual({
      id,
      text: 'Good morning to all the birds',
      edit_history_tweet_ids: [id],
      author_id: ID.alice,
      created_at: NOW,
      source: APP_NAME,
      conversation_id: id,
      lang: 'en',
      reply_settings: 'everyone',
      possibly_sensitive: false,
    });
  });

  test('assigns increasing ids, also within one millisecond', async () => {
    const { posted } = await startNetwork();
    const first = await posted('alice', 'one');
    const second = await posted('bob', 'two');
    expect(BigInt(second)).toBeGreaterThan(BigInt(first));
  });

  test('increases the post count of its author', async () => {
    const { as, posted } = await startNetwork();
    await posted('alice', 'one');
    await posted('alice', 'two');
    const { body } = await as('alice').get('/2/users/me?user.fields=public_metrics');
    expect(body.data.public_metrics.tweet_count).toBe(2);
  });

  test('returns 403 for app-only credentials', async () => {
    const { app } = await startNetwork();
    const { status, body } = await app.post('/2/tweets', { text: 'Hello' });
    expect(status).toBe(403);
    expect(body.title).toBe('Unsupported Authentication');
    expect(body.detail).toBe(
      'Authenticating with OAuth 2.0 Application-Only is forbidden for this endpoint.  Supported authentication types are [OAuth 1.0a User Context, OAuth 2.0 User Context].',
    );
  });
});

describe('the text of a post', () => {
  let network: Network;
  beforeAll(async () => {
    network = await openNetwork();
  });
  afterAll(() => network.close());

  test.each([
    ['an empty body', {}],
    ['only a place', { place_id: '01a9a39529b27f36' }],
    ['only reply settings', { reply_settings: 'following' }],
    ['only a poll', { poll_options: ['a', 'b'], poll_duration_minutes: 5 }],
  ])('is required without media: %s', async (_name, body) => {
    const answer = await network.as('alice').post('/2/tweets', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(invalidRequest([{ '$.text': [] }, '$.text: is missing but it is required']));
  });

  test.each([['   '], ['\n\t\u3000'], ['']])('must not be blank: %j', async (text) => {
    const { status, body } = await network.as('alice').post('/2/tweets', { text });
    expect(status).toBe(400);
    expect(body).toMatchObject(INVALID_REQUEST);
    expect(body.errors).toHaveLength(1);
    expect(Object.keys(body.errors[0].parameters)).toEqual(['$.text']);
  });

  test('is trimmed and normalised to NFC', async () => {
    const { body } = await network.as('alice').post('/2/tweets', { text: ' \n Cafe\u0301  au  lait\u3000' });
    expect(body.data.text).toBe('Caf\u00e9  au  lait');
  });

  test.each([
    ['280 letters', 'a'.repeat(280)],
    ['140 CJK characters, which weigh 2 each', '鳥'.repeat(140)],
    ['140 emoji, whole ZWJ sequences and flags', '👨‍👩‍👧‍👦🇩🇪👍🏽'.repeat(46) + '🐦🐦'],
    ['decomposed letters, counted as composed', 'e\u0301'.repeat(280)],
    ['a link of 100 characters, which weighs 23', `${'a'.repeat(256)} https://example.com/${'p'.repeat(80)}`],
    ['a short link, which weighs 23 too', `${'a'.repeat(256)} t.co`],
    ['surrounding space, which is trimmed', `  ${'b'.repeat(280)}  `],
    ['escaped characters, counted as written', '&'.repeat(280)],
  ])('may have a weight of 280: %s', async (_name, text) => {
    const answer = await network.as('alice').post('/2/tweets', { text });
    expect(answer.status).toBe(201);
  });

  test.each([
    ['281 letters', 'a'.repeat(281)],
    ['140 CJK characters and a letter', `${'鳥'.repeat(140)}a`],
    ['140 emoji and a letter', `${'👨‍👩‍👧‍👦'.repeat(140)}a`],
    ['a short link and one letter too many', `${'a'.repeat(257)} t.co`],
    ['a mention that is typed', `@bob ${'a'.repeat(276)}`],
  ])('must not have a weight of 281: %s', async (_name, text) => {
    const answer = await network.as('alice').post('/2/tweets', { text });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(invalidRequest([{ '$.text': [text.normalize('NFC')] }, TOO_LONG]));
  });

  test.each([['\uFFFE'], ['\uFEFF'], ['\uFFFF'], ['\u0000'], ['\uD800'], ['\uDC00']])(
    'must not contain %j',
    async (character) => {
      const { status, body } = await network.as('alice').post('/2/tweets', { text: `a${character}b` });
      expect(status).toBe(400);
      expect(body).toMatchObject(INVALID_REQUEST);
    },
  );

  test.each([25_001, 100_000])('of %i characters is too long whatever its weight', async (length) => {
    const { status, body } = await network.as('alice').post('/2/tweets', { text: 'a'.repeat(length) });
    expect(status).toBe(400);
    expect(Object.keys(body.errors[0].parameters)).toEqual(['$.text']);
  });

  test('is returned with & < > escaped once', async () => {
    const { body } = await network.as('alice').post('/2/tweets', { text: 'a < b && b > c &amp;' });
    const escaped = 'a &lt; b &amp;&amp; b &gt; c &amp;amp;';
    expect(body.data.text).toBe(escaped);
    const read = await network.as('bob').get(`/2/tweets/${body.data.id}`);
    expect(read.body.data.text).toBe(escaped);
  });

  test.each([
    ['Guten Morgen, liebe Vögel, heute scheint die Sonne', 'de'],
    ['おはようございます、今日はいい天気ですね', 'ja'],
    ['https://example.com #birds @bob', 'und'],
  ])('has its language detected: %s', async (text, lang) => {
    const id = await network.posted('alice', text);
    const { body } = await network.as('bob').get(`/2/tweets/${id}?tweet.fields=lang`);
    expect(body.data.lang).toBe(lang);
  });
});

describe('other fields', () => {
  test('direct_message_deep_link is accepted and not added to the text', async () => {
    const { as } = await startNetwork();
    const link = 'https://twitter.com/messages/compose?recipient_id=11';
    const { status, body } = await as('alice').post('/2/tweets', {
      text: 'Write to me',
      direct_message_deep_link: link,
    });
    expect(status).toBe(201);
    expect(body.data.text).toBe('Write to me');
  });

  test('direct_message_deep_link must be a link', async () => {
    const { as } = await startNetwork();
    const sent = { text: 'Write to me', direct_message_deep_link: 'not a link' };
    const { status, body } = await as('alice').post('/2/tweets', sent);
    expect(status).toBe(400);
    expect(Object.keys(body.errors[0].parameters)).toEqual(['$.direct_message_deep_link']);
  });

  test.each(['mentionedUsers', 'following'])('reply_settings %s is stored', async (settings) => {
    const { as, posted } = await startNetwork();
    const id = await posted('alice', { text: 'Restricted', reply_settings: settings });
    const { body } = await as('bob').get(`/2/tweets/${id}?tweet.fields=reply_settings`);
    expect(body.data.reply_settings).toBe(settings);
  });

  test('a post for super followers is visible to followers and its author only', async () => {
    const { as, posted } = await startNetwork({ follows: [{ from: 'bob', to: 'alice' }] });
    const id = await posted('alice', { text: 'Just us', for_super_followers_only: true });
    expect((await as('bob').get(`/2/tweets/${id}`)).body.data.text).toBe('Just us');
    expect((await as('alice').get(`/2/tweets/${id}`)).body.data.text).toBe('Just us');
    expect((await as('carol').get(`/2/tweets/${id}`)).body.data).toBeUndefined();
  });

  test('media, poll and quote are mutually exclusive', async () => {
    const { as } = await startNetwork({ posts: [{ id: postId(1), author: 'bob', text: 'Hi' }] });
    const { status, body } = await as('alice').post('/2/tweets', {
      text: 'x',
      poll: { options: ['a', 'b'], duration_minutes: 5 },
      quote_tweet_id: postId(1),
    });
    expect(status).toBe(400);
    expect(body).toEqual(
      invalidRequest([
        { '$.poll.options': ['a', 'b'], '$.quote_tweet_id': [postId(1)] },
        '`media`, `poll` and `quote_tweet_id` are mutually exclusive',
      ]),
    );
  });

  test.each([
    [{ poll: { options: ['a', 'b'], duration_minutes: 5 } }],
    [{ quote_tweet_id: postId(1) }],
    [{ direct_message_deep_link: 'https://twitter.com/messages/compose?recipient_id=11' }],
  ])('a card excludes %j', async (other) => {
    const { as } = await startNetwork({ posts: [{ id: postId(1), author: 'bob', text: 'Hi' }] });
    const alone = await as('alice').post('/2/tweets', { text: 'Card', card_uri: 'card://1' });
    expect(alone.status).toBe(201);
    const { status, body } = await as('alice').post('/2/tweets', {
      text: 'Card again',
      card_uri: 'card://1',
      ...other,
    });
    expect(status).toBe(400);
    expect(body).toMatchObject(INVALID_REQUEST);
  });

  test('reply_settings is accepted inside the poll', async () => {
    const { as, posted } = await startNetwork();
    const poll = { options: ['a', 'b'], duration_minutes: 5, reply_settings: 'following' };
    const id = await posted('alice', { text: 'What?', poll });
    const { body } = await as('bob').get(`/2/tweets/${id}?tweet.fields=reply_settings`);
    expect(body.data.reply_settings).toBe('following');
  });

  test('a refused post changes nothing', async () => {
    const { as } = await startNetwork();
    const sent = { text: 'x', quote_tweet_id: '5' };
    const refused = await as('alice').post('/2/tweets', sent);
    expect(refused.body).toEqual(
      refusal('You attempted to quote a Tweet that is deleted or not visible to you.'),
    );
    const { body } = await as('alice').get('/2/users/me?user.fields=public_metrics');
    expect(body.data.public_metrics.tweet_count).toBe(0);
    expect((await as('alice').post('/2/tweets', { text: 'x' })).status).toBe(201);
  });

  test('a link to another post in the middle of the text makes no quote', async () => {
    const { as, posted } = await startNetwork({ posts: [{ id: postId(1), author: 'bob', text: 'Hi' }] });
    const id = await posted('alice', `see ${PUBLIC_URL}/bob/status/${postId(1)} and laugh`);
    const { body } = await as('bob').get(`/2/tweets/${id}?tweet.fields=referenced_tweets`);
    expect(body.data.referenced_tweets).toBeUndefined();
  });
});
