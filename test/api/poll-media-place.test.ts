import { describe, expect, test } from 'vitest';
import { INVALID_REQUEST, invalidRequest } from './support/errors.js';
import { ID, MINUTE_MS, NOW, postId, PUBLIC_URL, startNetwork, type World } from './support/network.js';

/** Attachments of a post: media with tagged users, polls, places (docs/api/posts.md#attachments). */

const photo = (id: number, owner = 'alice') => ({ media_key: `3_${id}`, type: 'photo', owner });
const unusable = (...ids: readonly string[]): unknown =>
  invalidRequest([{ 'media.media_ids': [`[${ids.join(', ')}]`] }, 'Your media IDs are invalid.']);

describe('media of a post', () => {
  const world: World = {
    media: [
      ...[101, 102, 103, 104, 105].map((id) => photo(id)),
      photo(201, 'bob'),
      { media_key: '16_301', type: 'animated_gif', owner: 'alice' },
      { media_key: '7_401', type: 'video', owner: 'alice' },
      { media_key: '5_501', type: 'photo', owner: 'alice' },
    ],
  };

  test('are given by media id, shown by media key, and linked after the text', async () => {
    const { as, posted } = await startNetwork(world);
    const id = await posted('alice', { text: 'Two birds', media: { media_ids: ['102', '101'] } });
    const link = `${PUBLIC_URL}/alice/status/${id}/photo/1`;
    const { body } = await as('bob').get(`/2/tweets/${id}?tweet.fields=attachments,entities`);
    const entity = { start: 10, end: 10 + link.length, url: link, expanded_url: link };
    expect(body.data).toMatchObject({
      text: `Two birds ${link}`,
      attachments: { media_keys: ['3_102', '3_101'] },
      entities: {
        urls: [
          { ...entity, media_key: '3_102' },
          { ...entity, media_key: '3_101' },
        ],
      },
    });
  });

  test('need no text, are accepted in the flat form, and have ids that may be integers', async () => {
    const { as, posted } = await startNetwork(world);
    const id = await posted('alice', { media_ids: [101] });
    const { body } = await as('bob').get(`/2/tweets/${id}?tweet.fields=attachments`);
    expect(body.data.text).toBe(`${PUBLIC_URL}/alice/status/${id}/photo/1`);
    expect(body.data.attachments).toEqual({ media_keys: ['3_101'] });
  });

  test('do not count toward the 280 of the text', async () => {
    const { as } = await startNetwork(world);
    const { status } = await as('alice').post('/2/tweets', { text: 'a'.repeat(280), media_ids: ['101'] });
    expect(status).toBe(201);
  });

  test('can be four photos, one video or one GIF', async () => {
    const { posted } = await startNetwork(world);
    await posted('alice', { media_ids: ['101', '102', '103', '104'] });
    await posted('alice', { media_ids: ['301'] });
    await posted('alice', { media_ids: ['401'] });
  });

  test.each([
    ['an unknown id', ['999']],
    ['media of another user', ['201']],
    ['one unusable id', ['101', '999']],
    ['the same id twice', ['101', '101']],
    ['a photo beside a video', ['101', '401']],
    ['a photo beside a GIF', ['101', '301']],
    ['one for messages', ['501']],
  ])('return 400 when they cannot be used: %s', async (_, ids) => {
    const { as } = await startNetwork(world);
    const { status, body } = await as('alice').post('/2/tweets', { text: 'x', media: { media_ids: ids } });
    expect(status).toBe(400);
    expect(body).toEqual(unusable(...ids));
    expect((await as('alice').post('/2/tweets', { text: 'x', media_ids: ['101'] })).status).toBe(201);
  });

  test('can be used in one post only', async () => {
    const { as, posted } = await startNetwork(world);
    await posted('alice', { text: 'one', media_ids: ['101'] });
    const { status, body } = await as('alice').post('/2/tweets', { text: 'two', media_ids: ['101'] });
    expect([status, body]).toEqual([400, unusable('101')]);
  });

  test('used by many concurrent posts are attached to one', async () => {
    const { as } = await startNetwork(world);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        as('alice').post('/2/tweets', { text: `Try ${n}`, media_ids: ['101'] }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9);
  });

  test('can be used again after the post is deleted or refused', async () => {
    const { as, posted } = await startNetwork(world);
    const id = await posted('alice', { text: 'one', media_ids: ['101'] });
    await as('alice').delete(`/2/tweets/${id}`);
    const refused = { text: 'two', media_ids: ['101'], place_id: 'nowhere' };
    expect((await as('alice').post('/2/tweets', refused)).status).toBe(400);
    await posted('alice', { text: 'three', media_ids: ['101'] });
  });

  test.each([
    [[], '$.media.media_ids: there must be a minimum of 1 item in the array'],
    [
      ['101', '102', '103', '104', '105'],
      '$.media.media_ids: there must be a maximum of 4 items in the array',
    ],
  ])('are limited to one to four: %j', async (ids, message) => {
    const { as } = await startNetwork(world);
    const { status, body } = await as('alice').post('/2/tweets', { text: 'x', media: { media_ids: ids } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ ...INVALID_REQUEST, errors: [{ message }] });
  });

  test('exclude a poll and a quote', async () => {
    const { as } = await startNetwork({ ...world, posts: [{ id: postId(1), author: 'bob', text: 'Hi' }] });
    for (const other of [
      { poll: { options: ['a', 'b'], duration_minutes: 5 } },
      { quote_tweet_id: postId(1) },
    ]) {
      const { status, body } = await as('alice').post('/2/tweets', {
        text: 'x',
        media_ids: ['101'],
        ...other,
      });
      expect(status).toBe(400);
      expect(body.errors[0].message).toBe('`media`, `poll` and `quote_tweet_id` are mutually exclusive');
      expect(body.errors[0].parameters).toMatchObject({ '$.media.media_ids': ['101'] });
      expect(Object.keys(body.errors[0].parameters)).toHaveLength(2);
    }
  });
});

describe('tagged users', () => {
  test('who disallow tagging, block the author or do not exist are skipped', async () => {
    const { as } = await startNetwork({
      users: [{ username: 'bob', allows_photo_tagging: false }],
      blocks: [{ from: 'carol', to: 'alice' }],
      media: [photo(101)],
    });
    const { status } = await as('alice').post('/2/tweets', {
      text: 'All of us',
      media: { media_ids: ['101'], tagged_user_ids: [ID.bob, ID.carol, ID.dave, '404'] },
    });
    expect(status).toBe(201);
  });

  test('are limited to ten', async () => {
    const { as } = await startNetwork({ media: [photo(101)] });
    const tagged = Array.from({ length: 11 }, (_, n) => String(n + 1));
    const sent = { text: 'x', media: { media_ids: ['101'], tagged_user_ids: tagged } };
    const { status, body } = await as('alice').post('/2/tweets', sent);
    expect(status).toBe(400);
    expect(body.errors[0].message).toBe(
      '$.media.tagged_user_ids: there must be a maximum of 10 items in the array',
    );
  });
});

describe('the poll of a post', () => {
  const poll = { options: ['tea', 'coffee'], duration_minutes: 60 };

  test('has options with positions from 1 and no votes, and ends after its duration', async () => {
    const { as, posted } = await startNetwork();
    const id = await posted('alice', { text: 'What?', poll });
    const { body } = await as('bob').get(
      `/2/tweets/${id}?expansions=attachments.poll_ids&poll.fields=duration_minutes,end_datetime,voting_status`,
    );
    const [pollId] = body.data.attachments.poll_ids as string[];
    expect(body.data.attachments).toEqual({ poll_ids: [pollId] });
    expect(body.includes).toEqual({
      polls: [
        {
          id: pollId,
          options: [
            { position: 1, label: 'tea', votes: 0 },
            { position: 2, label: 'coffee', votes: 0 },
          ],
          duration_minutes: 60,
          end_datetime: new Date(Date.parse(NOW) + 60 * MINUTE_MS).toISOString(),
          voting_status: 'open',
        },
      ],
    });
  });

  test('closes at its end', async () => {
    const { as, posted, advance } = await startNetwork();
    const id = await posted('alice', { text: 'What?', poll });
    const path = `/2/tweets/${id}?expansions=attachments.poll_ids&poll.fields=voting_status`;
    await advance(60 * MINUTE_MS - 1000);
    expect((await as('bob').get(path)).body.includes.polls[0].voting_status).toBe('open');
    await advance(2000);
    expect((await as('bob').get(path)).body.includes.polls[0].voting_status).toBe('closed');
  });

  test('shows id, options and requested fields, with votes from the world file', async () => {
    const { as } = await startNetwork({
      posts: [
        {
          id: postId(1),
          author: 'alice',
          text: 'What?',
          poll: { options: ['a', 'b', 'c'], duration_minutes: 5, votes: [3, 0, 5] },
        },
      ],
    });
    const { body } = await as('bob').get(`/2/tweets/${postId(1)}?expansions=attachments.poll_ids`);
    expect(body.includes.polls).toEqual([
      {
        id: body.data.attachments.poll_ids[0],
        options: [
          { position: 1, label: 'a', votes: 3 },
          { position: 2, label: 'b', votes: 0 },
          { position: 3, label: 'c', votes: 5 },
        ],
      },
    ]);
  });

  test.each([
    [
      'one option',
      { ...poll, options: ['a'] },
      '$.poll.options: there must be a minimum of 2 items in the array',
    ],
    [
      'five options',
      { ...poll, options: ['a', 'b', 'c', 'd', 'e'] },
      '$.poll.options: there must be a maximum of 4 items in the array',
    ],
    [
      'an option of 26 characters',
      { ...poll, options: ['a', '🐦'.repeat(26)] },
      '$.poll.options[1]: may only be 25 characters long',
    ],
    [
      'an empty option',
      { ...poll, options: ['a', ''] },
      '$.poll.options[1]: must be at least 1 characters long',
    ],
    ['a blank option', { ...poll, options: ['a', '  '] }, '$.poll.options: must not be blank'],
    ['a repeated option', { ...poll, options: ['a', 'a'] }, '$.poll.options: must not repeat an option'],
    [
      '4 minutes',
      { ...poll, duration_minutes: 4 },
      '$.poll.duration_minutes: must have a minimum value of 5',
    ],
    [
      '10081 minutes',
      { ...poll, duration_minutes: 10_081 },
      '$.poll.duration_minutes: must have a maximum value of 10080',
    ],
    [
      'half a minute',
      { ...poll, duration_minutes: 5.5 },
      '$.poll.duration_minutes: number found, integer expected',
    ],
  ])('returns 400 with %s', async (_, refused, message) => {
    const { as } = await startNetwork();
    const { status, body } = await as('alice').post('/2/tweets', { text: 'What?', poll: refused });
    expect(status).toBe(400);
    expect(body).toMatchObject(INVALID_REQUEST);
    expect(body.errors.map((error: { message: string }) => error.message)).toEqual([message]);
  });

  test.each([
    [{ options: ['🐦'.repeat(25), 'b', 'c', 'd'], duration_minutes: 10_080 }],
    [{ options: ['a', 'b'], duration_minutes: 5 }],
  ])('accepts limits such as %j', async (allowed) => {
    const { as } = await startNetwork();
    expect((await as('alice').post('/2/tweets', { text: 'What?', poll: allowed })).status).toBe(201);
  });
});

describe('the place of a post', () => {
  const place = {
    id: '01a9a39529b27f36',
    full_name: 'Manhattan, NY',
    name: 'Manhattan',
    country: 'United States',
    country_code: 'US',
    place_type: 'city',
    bbox: [-74.026675, 40.683935, -73.910408, 40.877483],
  };

  test('is shown by id', async () => {
    const { as, posted } = await startNetwork({ places: [place] });
    const id = await posted('alice', { text: 'Here', geo: { place_id: place.id } });
    const { body } = await as('bob').get(`/2/tweets/${id}?tweet.fields=geo`);
    expect(body.data.geo).toEqual({ place_id: place.id });
  });

  test('must exist', async () => {
    const { as } = await startNetwork({ places: [place] });
    for (const sent of [{ geo: { place_id: 'nowhere' } }, { place_id: 'nowhere' }]) {
      const { status, body } = await as('alice').post('/2/tweets', { text: 'Here', ...sent });
      expect(status).toBe(400);
      expect(body).toMatchObject(INVALID_REQUEST);
      expect(JSON.stringify(body.errors)).toContain('nowhere');
    }
  });

  test('needs an id when present', async () => {
    const { as } = await startNetwork();
    const { status, body } = await as('alice').post('/2/tweets', { text: 'Here', geo: {} });
    expect(status).toBe(400);
    expect(body.errors[0].message).toBe('$.geo.place_id: is missing but it is required');
  });
});
