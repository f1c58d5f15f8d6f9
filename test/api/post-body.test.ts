import { describe, expect, test } from 'vitest';
import { INVALID_REQUEST, invalidRequest } from './support/errors.js';
import { postId, startNetwork } from './support/network.js';

/** The body of POST /2/tweets in its nested and its flat form (docs/api/posts.md). */

describe('both forms of the body', () => {
  const world = {
    places: [
      {
        id: '01a9a39529b27f36',
        full_name: 'Manhattan, NY',
        name: 'Manhattan',
        country: 'United States',
        country_code: 'US',
        place_type: 'city',
        bbox: [-74.026675, 40.683935, -73.910408, 40.877483],
      },
    ],
    posts: [{ id: postId(1), author: 'bob', text: 'Hi there' }],
  };

  test('flat and nested names are equivalent', async () => {
    const { as } = await startNetwork(world);
    const place = '01a9a39529b27f36';
    const flat = await as('alice').post('/2/tweets', {
      text: 'flat',
      place_id: place,
      in_reply_to_tweet_id: postId(1),
    });
    const nested = await as('alice').post('/2/tweets', {
      text: 'nested',
      geo: { place_id: place },
      reply: { in_reply_to_tweet_id: postId(1) },
    });
    expect([flat.status, nested.status]).toEqual([201, 201]);
    const ids = `${flat.body.data.id},${nested.body.data.id}`;
    const { body } = await as('alice').get(`/2/tweets?ids=${ids}&tweet.fields=geo,referenced_tweets`);
    for (const post of body.data) {
      expect(post.geo).toEqual({ place_id: place });
      expect(post.referenced_tweets).toEqual([{ type: 'replied_to', id: postId(1) }]);
    }
  });

  test('a field in both forms with the same value is accepted', async () => {
    const { as } = await startNetwork(world);
    const { status } = await as('alice').post('/2/tweets', {
      text: 'both',
      in_reply_to_tweet_id: postId(1),
      reply: { in_reply_to_tweet_id: postId(1) },
    });
    expect(status).toBe(201);
  });

  test('a field in both forms with different values returns 400', async () => {
    const { as } = await startNetwork(world);
    const { status, body } = await as('alice').post('/2/tweets', {
      text: 'both',
      in_reply_to_tweet_id: postId(1),
      reply: { in_reply_to_tweet_id: '2' },
    });
    expect(status).toBe(400);
    expect(body).toMatchObject(INVALID_REQUEST);
    expect(body.errors).toHaveLength(1);
  });

  test('ids can be JSON integers, exact above 2^53', async () => {
    const { as } = await startNetwork({
      posts: [{ id: '1578522345678901234', author: 'bob', text: 'A long id' }],
    });
    const raw = '{"text":"x","reply":{"in_reply_to_tweet_id":1578522345678901234}}';
    const { status, body } = await as('alice').post('/2/tweets', raw);
    expect(status).toBe(201);
    const read = await as('alice').get(`/2/tweets/${body.data.id}?tweet.fields=referenced_tweets`);
    expect(read.body.data.referenced_tweets).toEqual([{ type: 'replied_to', id: '1578522345678901234' }]);
  });

  test.each([
    [
      { text: 'x', foo: 1 },
      '$.foo',
      '$.foo: is not defined in the schema and the schema does not allow additional properties',
    ],
    [{ text: 7 }, '$.text', '$.text: integer found, string expected'],
    [{ text: null }, '$.text', '$.text: null found, string expected'],
    [
      { text: 'x', for_super_followers_only: 'yes' },
      '$.for_super_followers_only',
      '$.for_super_followers_only: string found, boolean expected',
    ],
    [
      { text: 'x', reply_settings: 'everyone' },
      '$.reply_settings',
      '$.reply_settings: does not have a value in the enumeration [following, mentionedUsers, subscribers, verified]',
    ],
    [
      { text: 'x', quote_tweet_id: 'abc' },
      '$.quote_tweet_id',
      '$.quote_tweet_id: does not match the regex pattern ^[0-9]{1,19}$',
    ],
    [
      { text: 'x', reply: { exclude_reply_user_ids: ['12'] } },
      '$.reply.in_reply_to_tweet_id',
      '$.reply.in_reply_to_tweet_id: is missing but it is required',
    ],
    [
      { text: 'x', exclude_reply_user_ids: ['12'] },
      '$.in_reply_to_tweet_id',
      '$.in_reply_to_tweet_id: is missing but it is required',
    ],
    [
      { text: 'x', media: { tagged_user_ids: ['12'] } },
      '$.media.media_ids',
      '$.media.media_ids: is missing but it is required',
    ],
    [
      { text: 'x', media_tagged_user_ids: ['12'] },
      '$.media_ids',
      '$.media_ids: is missing but it is required',
    ],
    [
      { text: 'x', poll: { options: ['a', 'b'] } },
      '$.poll.duration_minutes',
      '$.poll.duration_minutes: is missing but it is required',
    ],
    [
      { text: 'x', poll_options: ['a', 'b'] },
      '$.poll_duration_minutes',
      '$.poll_duration_minutes: is missing but it is required',
    ],
    [
      { text: 'x', poll_duration_minutes: 5 },
      '$.poll_options',
      '$.poll_options: is missing but it is required',
    ],
  ])('%j returns 400 for %s', async (sent, path, message) => {
    const { as } = await startNetwork();
    const { status, body } = await as('alice').post('/2/tweets', sent);
    expect(status).toBe(400);
    expect(body).toMatchObject(INVALID_REQUEST);
    expect(body.errors).toHaveLength(1);
    expect(Object.keys(body.errors[0].parameters)).toEqual([path]);
    expect(body.errors[0].message).toBe(message);
  });

  test('every violation is reported at once', async () => {
    const { as } = await startNetwork();
    const { status, body } = await as('alice').post('/2/tweets', {
      text: 1,
      reply_settings: 'nobody',
      quote_tweet_id: '-1',
    });
    expect(status).toBe(400);
    const paths = (body.errors as { parameters: object }[]).flatMap((error) => Object.keys(error.parameters));
    expect(paths.sort()).toEqual(['$.quote_tweet_id', '$.reply_settings', '$.text']);
  });

  test('a body that is not JSON returns 400', async () => {
    const { as } = await startNetwork();
    const { status, body } = await as('alice').post('/2/tweets', '{"text":');
    expect(status).toBe(400);
    expect(body).toEqual(invalidRequest([{ $: [] }, 'Could not parse the request body as JSON.']));
  });
});
