import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { APP_NAME, ID, openNetwork, postId, postTime, type Network } from './support/network.js';

/** Every field of a post, media, poll and place: present on request, absent without a value (docs/api/objects.md). */

const PLAIN = postId(1);
const REPLY = postId(2);
const RICH = postId(3);
const POLL = postId(4);
const WITHHELD = postId(5);
const REPOST = postId(6);
const QUOTE = postId(7);
const RESTRICTED = postId(8);
const PLACE = '01a9a39529b27f36';

let network: Network;

beforeAll(async () => {
  network = await openNetwork({
    follows: [{ from: 'bob', to: 'alice' }],
    places: [
      {
        id: PLACE,
        full_name: 'Manhattan, NY',
        name: 'Manhattan',
        country: 'United States',
        country_code: 'US',
        place_type: 'city',
        bbox: [-74.026675, 40.683935, -73.910408, 40.877483],
      },
    ],
    media: [
      {
        media_key: '3_101',
        type: 'photo',
        owner: 'alice',
        url: 'https://media.example/101.jpg',
        width: 640,
        height: 480,
        alt_text: 'A bird',
        preview_image_url: 'https://media.example/101-small.jpg',
      },
      {
        media_key: '7_102',
        type: 'video',
        owner: 'alice',
        url: 'https://media.example/102.mp4',
        width: 1280,
        height: 720,
        duration_ms: 12_500,
        preview_image_url: 'https://media.example/102.jpg',
      },
      { media_key: '3_103', type: 'photo', owner: 'alice' },
    ],
    posts: [
      { id: PLAIN, author: 'alice', text: 'Plain' },
      { id: REPLY, author: 'bob', text: 'Reply', in_reply_to: PLAIN, source: 'Feather' },
      {
        id: RICH,
        author: 'alice',
        text: '#birds & @bob',
        media: ['3_101'],
        place: PLACE,
        possibly_sensitive: true,
        lang: 'pt-BR',
      },
      { id: POLL, author: 'alice', text: 'What?', poll: { options: ['a', 'b'], duration_minutes: 5 } },
      {
        id: WITHHELD,
        author: 'alice',
        text: 'Not everywhere',
        withheld: { country_codes: ['DE', 'FR'], copyright: true },
      },
      { id: REPOST, author: 'carol', repost_of: RICH },
      { id: QUOTE, author: 'carol', text: 'Look', quote_of: PLAIN, in_reply_to: REPLY },
      {
        id: RESTRICTED,
        author: 'alice',
        text: 'Just us',
        super_followers_only: true,
        reply_settings: 'following',
      },
      { id: postId(9), author: 'alice', text: 'Video', media: ['7_102'] },
      { id: postId(10), author: 'alice', text: 'Bare', media: ['3_103'] },
      { id: postId(11), author: 'alice', text: `${'&'.repeat(250)} #end` },
      { id: postId(12), author: 'carol', repost_of: postId(11) },
    ],
    likes: [
      { user: 'bob', post: RICH },
      { user: 'carol', post: RICH },
    ],
    bookmarks: [{ user: 'bob', post: RICH }],
  });
});

afterAll(() => network.close());

/** Requests one field of a post as a follower of alice; undefined when absent. */
async function field(id: string, name: string): Promise<unknown> {
  const { status, body } = await network.as('bob').get(`/2/tweets/${id}?tweet.fields=${name}`);
  expect(status).toBe(200);
  const shown = Object.keys(body.data as object).filter(
    (key) => !['id', 'text', 'edit_history_tweet_ids'].includes(key),
  );
  expect(shown).toEqual(name in body.data ? [name] : []);
  return body.data[name];
}

describe('a requested field of a post is returned alone, and absent without a value', () => {
  test('attachments', async () => {
    expect(await field(RICH, 'attachments')).toEqual({ media_keys: ['3_101'] });
    expect(await field(POLL, 'attachments')).toEqual({
      poll_ids: [expect.stringMatching(/^[0-9]+$/)],
    });
    expect(await field(PLAIN, 'attachments')).toBeUndefined();
  });

  test('author_id', async () => {
    expect(await field(REPLY, 'author_id')).toBe(ID.bob);
  });

  test('conversation_id', async () => {
    expect(await field(PLAIN, 'conversation_id')).toBe(PLAIN);
    expect(await field(REPLY, 'conversation_id')).toBe(PLAIN);
    expect(await field(QUOTE, 'conversation_id')).toBe(PLAIN);
    expect(await field(REPOST, 'conversation_id')).toBe(REPOST);
  });

  test('created_at is the time in the id', async () => {
    expect(await field(PLAIN, 'created_at')).toBe(postTime(1));
  });

  test('edit_controls: editing ends half an hour after creation', async () => {
    expect(await field(PLAIN, 'edit_controls')).toEqual({
      edits_remaining: 5,
      is_edit_eligible: false,
      editable_until: postTime(31),
    });
  });

  test('entities', async () => {
    expect(await field(RICH, 'entities')).toMatchObject({
      hashtags: [{ start: 0, end: 6, tag: 'birds' }],
      mentions: [{ start: 13, end: 17, username: 'bob', id: ID.bob }],
    });
    expect(await field(PLAIN, 'entities')).toBeUndefined();
  });

  test('geo', async () => {
    expect(await field(RICH, 'geo')).toEqual({ place_id: PLACE });
    expect(await field(PLAIN, 'geo')).toBeUndefined();
  });

  test('in_reply_to_user_id', async () => {
    expect(await field(REPLY, 'in_reply_to_user_id')).toBe(ID.alice);
    expect(await field(PLAIN, 'in_reply_to_user_id')).toBeUndefined();
  });

  test('lang is declared or detected', async () => {
    expect(await field(RICH, 'lang')).toBe('pt-BR');
    expect(await field(WITHHELD, 'lang')).toBe('en');
  });

  test('possibly_sensitive', async () => {
    expect(await field(RICH, 'possibly_sensitive')).toBe(true);
    expect(await field(PLAIN, 'possibly_sensitive')).toBe(false);
  });

  test('public_metrics are zero without activity', async () => {
    expect(await field(RICH, 'public_metrics')).toMatchObject({
      retweet_count: 1,
      reply_count: 0,
      like_count: 2,
      quote_count: 0,
    });
    expect(await field(PLAIN, 'public_metrics')).toMatchObject({
      retweet_count: 0,
      reply_count: 1,
      like_count: 0,
      quote_count: 1,
    });
  });

  test('public_metrics of a repost have the reposts of the original, zero otherwise', async () => {
    expect(await field(REPOST, 'public_metrics')).toMatchObject({
      retweet_count: 1,
      reply_count: 0,
      like_count: 0,
      quote_count: 0,
    });
  });

  test('referenced_tweets', async () => {
    expect(await field(REPOST, 'referenced_tweets')).toEqual([{ type: 'retweeted', id: RICH }]);
    expect(await field(REPLY, 'referenced_tweets')).toEqual([{ type: 'replied_to', id: PLAIN }]);
    expect(await field(QUOTE, 'referenced_tweets')).toEqual([
      { type: 'quoted', id: PLAIN },
      { type: 'replied_to', id: REPLY },
    ]);
    expect(await field(PLAIN, 'referenced_tweets')).toBeUndefined();
  });

  test('reply_settings', async () => {
    expect(await field(PLAIN, 'reply_settings')).toBe('everyone');
    expect(await field(RESTRICTED, 'reply_settings')).toBe('following');
  });

  test('scopes', async () => {
    expect(await field(RESTRICTED, 'scopes')).toEqual({ followers: true });
    expect(await field(PLAIN, 'scopes')).toBeUndefined();
  });

  test('source', async () => {
    expect(await field(REPLY, 'source')).toBe('Feather');
    expect(await field(PLAIN, 'source')).toBeUndefined();
  });

  test('withheld', async () => {
    expect(await field(WITHHELD, 'withheld')).toMatchObject({ copyright: true, country_codes: ['DE', 'FR'] });
    expect(await field(PLAIN, 'withheld')).toBeUndefined();
  });

  test.each(['id', 'text', 'edit_history_tweet_ids'])('%s is always present', async (name) => {
    const { body } = await network.app.get(`/2/tweets/${PLAIN}?tweet.fields=${name}`);
    expect(body.data).toEqual({ id: PLAIN, text: 'Plain', edit_history_tweet_ids: [PLAIN] });
  });

  test.each([
    'context_annotations',
    'article',
    'card_uri',
    'display_text_range',
    'media_metadata',
    'note_tweet',
  ])('%s is accepted and has no value', async (name) => {
    const value = await field(PLAIN, name);
    expect(value === undefined || name === 'display_text_range').toBe(true);
  });

  test('several fields can be requested together', async () => {
    const { body } = await network.app.get(
      `/2/tweets/${REPLY}?tweet.fields=author_id,created_at,conversation_id,in_reply_to_user_id,lang,source`,
    );
    expect(Object.keys(body.data as object).sort()).toEqual([
      'author_id',
      'conversation_id',
      'created_at',
      'edit_history_tweet_ids',
      'id',
      'in_reply_to_user_id',
      'lang',
      'source',
      'text',
    ]);
  });

  test('source of a post created through the API is the app', async () => {
    const id = await network.posted('dave', 'Made by an app');
    expect(await field(id, 'source')).toBe(APP_NAME);
    expect(await field(id, 'edit_controls')).toMatchObject({ edits_remaining: 5, is_edit_eligible: true });
  });
});

describe('the text of a repost', () => {
  test('is RT @author: and the escaped original, with shifted mentions', async () => {
    const { body } = await network.app.get(`/2/tweets/${REPOST}?tweet.fields=entities`);
    expect(body.data.text).toMatch(/^RT @alice: #birds &amp; @bob/);
    expect(body.data.entities.mentions).toEqual([
      { start: 3, end: 9, username: 'alice', id: ID.alice },
      { start: 24, end: 28, username: 'bob', id: ID.bob },
    ]);
    expect(body.data.entities.hashtags).toEqual([{ start: 11, end: 17, tag: 'birds' }]);
  });
});

describe('the text of a long repost', () => {
  test('is cut to 140 characters before escaping, without the entities that were cut', async () => {
    const { body } = await network.app.get(`/2/tweets/${postId(12)}?tweet.fields=entities`);
    const prefix = 'RT @alice: ';
    expect(body.data.text).toBe(`${prefix}${'&amp;'.repeat(139 - prefix.length)}…`);
    expect(body.data.entities).toEqual({
      mentions: [{ start: 3, end: 9, username: 'alice', id: ID.alice }],
    });
  });
});

describe('a field of media', () => {
  async function media(id: string, fields?: string): Promise<unknown> {
    const query = fields === undefined ? '' : `&media.fields=${fields}`;
    const { status, body } = await network.app.get(
      `/2/tweets/${id}?expansions=attachments.media_keys${query}`,
    );
    expect(status).toBe(200);
    return body.includes.media[0];
  }
  const all =
    'alt_text,duration_ms,height,media_key,preview_image_url,public_metrics,type,url,variants,width';

  test('is present by default only for key and type', async () => {
    expect(await media(RICH)).toEqual({ media_key: '3_101', type: 'photo' });
    expect(await media(postId(9))).toEqual({ media_key: '7_102', type: 'video' });
  });

  test.each([
    ['url', 'https://media.example/101.jpg'],
    ['alt_text', 'A bird'],
    ['width', 640],
    ['height', 480],
  ])('%s of a photo is present on request', async (name, value) => {
    expect(await media(RICH, name)).toEqual({ media_key: '3_101', type: 'photo', [name]: value });
  });

  test.each([
    ['duration_ms', 12_500],
    ['preview_image_url', 'https://media.example/102.jpg'],
    ['width', 1280],
  ])('%s of a video is present on request', async (name, value) => {
    expect(await media(postId(9), name)).toEqual({ media_key: '7_102', type: 'video', [name]: value });
  });

  test('of another media type is absent', async () => {
    expect(await media(RICH, 'preview_image_url,duration_ms,variants')).toEqual({
      media_key: '3_101',
      type: 'photo',
    });
    expect(await media(postId(9), 'url,alt_text')).toEqual({ media_key: '7_102', type: 'video' });
  });

  test('without a value is absent', async () => {
    expect(await media(postId(10), all)).toEqual({ media_key: '3_103', type: 'photo' });
  });
});

describe('a field of a poll', () => {
  async function poll(fields: string): Promise<Record<string, unknown>> {
    const { body } = await network.app.get(
      `/2/tweets/${POLL}?expansions=attachments.poll_ids&poll.fields=${fields}`,
    );
    return body.includes.polls[0] as Record<string, unknown>;
  }

  test.each([
    ['duration_minutes', 5],
    ['end_datetime', postTime(9)],
    ['voting_status', 'closed'],
  ])('%s is present on request', async (name, value) => {
    const shown = await poll(name);
    expect(Object.keys(shown).sort()).toEqual(['id', 'options', name].sort());
    expect(shown[name]).toBe(value);
  });

  test('id and options are always present', async () => {
    expect(Object.keys(await poll('id,options')).sort()).toEqual(['id', 'options']);
  });
});

describe('a field of a place', () => {
  async function place(fields?: string): Promise<unknown> {
    const query = fields === undefined ? '' : `&place.fields=${fields}`;
    const { body } = await network.app.get(`/2/tweets/${RICH}?expansions=geo.place_id${query}`);
    expect(body.data.geo).toEqual({ place_id: PLACE });
    return body.includes.places[0];
  }
  const base = { id: PLACE, full_name: 'Manhattan, NY' };

  test('is present by default only for id and full name', async () => {
    expect(await place()).toEqual(base);
    expect(await place('id,full_name')).toEqual(base);
  });

  test.each([
    ['name', 'Manhattan'],
    ['country', 'United States'],
    ['country_code', 'US'],
    ['place_type', 'city'],
    ['geo', { type: 'Feature', bbox: [-74.026675, 40.683935, -73.910408, 40.877483], properties: {} }],
  ])('%s is present on request', async (name, value) => {
    expect(await place(name)).toEqual({ ...base, [name]: value });
  });

  test('contained_within is absent without a value', async () => {
    expect(await place('contained_within')).toEqual(base);
  });
});
