import { describe, expect, test } from 'vitest';
import { INVALID_REQUEST, notAuthorized, notFound } from './support/errors.js';
import { postId, startNetwork, type World } from './support/network.js';

/**
 * Reading posts by id (docs/api/limits.md#sizes, docs/api/limits.md#rate-limits, docs/api/errors.md#partial-errors).
 */

const ONE = postId(1);
const TWO = postId(2);
const THREE = postId(3);
const SECRET = postId(4);

const world: World = {
  users: [{ username: 'dave', protected: true }],
  posts: [
    { id: ONE, author: 'alice', text: 'One' },
    { id: TWO, author: 'bob', text: 'Two' },
    { id: THREE, author: 'carol', text: 'Three' },
    { id: SECRET, author: 'dave', text: 'Secret' },
  ],
};
const wire = (id: string, text: string): object => ({ id, text, edit_history_tweet_ids: [id] });

describe('one post by id', () => {
  test('has the default fields only', async () => {
    const { app } = await startNetwork(world);
    const { status, body } = await app.get(`/2/tweets/${ONE}`);
    expect(status).toBe(200);
    expect(body).toEqual({ data: wire(ONE, 'One') });
  });

  test('is the same with each type of token', async () => {
    const { app, as } = await startNetwork(world);
    const answers = [await app.get(`/2/tweets/${ONE}`), await as('bob').get(`/2/tweets/${ONE}`)];
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toEqual({ data: wire(ONE, 'One') });
    }
  });

  test('that does not exist returns 200 with an error and no data', async () => {
    const { app } = await startNetwork(world);
    const { status, body } = await app.get('/2/tweets/404');
    expect(status).toBe(200);
    expect(body).toEqual({ errors: [notFound('tweet', 'id', '404')] });
  });

  test('that does not exist is reported as sent, including leading zeros', async () => {
    const { app } = await startNetwork(world);
    const missing = await app.get('/2/tweets/0404');
    expect(missing.body).toEqual({ errors: [notFound('tweet', 'id', '0404')] });
    const several = await app.get(`/2/tweets?ids=${ONE},0404%2C405`);
    expect(several.body.errors).toEqual([notFound('tweet', 'ids', '0404'), notFound('tweet', 'ids', '405')]);
    expect((await app.get('/2/users?ids=00404')).body.errors).toEqual([notFound('user', 'ids', '00404')]);
  });

  test('that is protected returns 200 with an error and no data', async () => {
    const { app } = await startNetwork(world);
    const { status, body } = await app.get(`/2/tweets/${SECRET}`);
    expect(status).toBe(200);
    expect(body).toEqual({ errors: [notAuthorized('id', SECRET, 'data')] });
  });

  test('can have the largest possible id', async () => {
    const { app } = await startNetwork({
      posts: [
        { id: '9223372036854775807', author: 'alice', text: 'Last', created_at: '2022-01-01T00:00:00Z' },
      ],
    });
    const { body } = await app.get('/2/tweets/9223372036854775807');
    expect(body.data.text).toBe('Last');
  });

  test('keeps a pre-2010 id and its own time', async () => {
    const { app } = await startNetwork({
      posts: [{ id: '20', author: 'alice', text: 'First', created_at: '2006-03-21T20:50:14Z' }],
    });
    const { body } = await app.get('/2/tweets/20?tweet.fields=created_at');
    expect(body.data).toEqual({ ...wire('20', 'First'), created_at: '2006-03-21T20:50:14.000Z' });
  });

  test.each(['abc', '-1', '1.5', '12345678901234567890', '9223372036854775808', '%20', '1%002'])(
    'returns 400 for the id %s',
    async (id) => {
      const { app } = await startNetwork(world);
      const { status, body } = await app.get(`/2/tweets/${id}`);
      expect(status).toBe(400);
      expect(body).toMatchObject(INVALID_REQUEST);
      const value = decodeURIComponent(id);
      expect(body.errors).toEqual([
        { parameters: { id: [value] }, message: `The \`id\` query parameter value [${value}] is not valid` },
      ]);
    },
  );
});

describe('posts by ids', () => {
  test('are returned in the requested order', async () => {
    const { app } = await startNetwork(world);
    const { status, body } = await app.get(`/2/tweets?ids=${TWO},${THREE},${ONE}`);
    expect(status).toBe(200);
    expect(body).toEqual({ data: [wire(TWO, 'Two'), wire(THREE, 'Three'), wire(ONE, 'One')] });
  });

  test('are returned once each, however often requested', async () => {
    const { app } = await startNetwork(world);
    const { body } = await app.get(`/2/tweets?ids=${TWO},${ONE},${TWO},404,404`);
    expect(body).toEqual({
      data: [wire(TWO, 'Two'), wire(ONE, 'One')],
      errors: [notFound('tweet', 'ids', '404')],
    });
  });

  test('that are hidden or missing are errors beside the others', async () => {
    const { app } = await startNetwork(world);
    const { status, body } = await app.get(`/2/tweets?ids=404,${ONE},${SECRET},405`);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [wire(ONE, 'One')],
      errors: [
        notFound('tweet', 'ids', '404'),
        notAuthorized('ids', SECRET, 'data'),
        notFound('tweet', 'ids', '405'),
      ],
    });
  });

  test('return errors only when none is visible', async () => {
    const { app } = await startNetwork(world);
    const { status, body } = await app.get('/2/tweets?ids=404');
    expect(status).toBe(200);
    expect(body).toEqual({ errors: [notFound('tweet', 'ids', '404')] });
  });

  test('are limited to 100', async () => {
    const { app } = await startNetwork(world);
    const ids = (count: number): string => Array.from({ length: count }, (_, n) => String(n + 1)).join(',');
    const hundred = await app.get(`/2/tweets?ids=${ids(100)}`);
    expect(hundred.status).toBe(200);
    expect(hundred.body.errors).toHaveLength(100);
    const more = await app.get(`/2/tweets?ids=${ids(101)}`);
    expect(more.status).toBe(400);
    expect(more.body).toEqual({
      ...INVALID_REQUEST,
      errors: [
        {
          parameters: { ids: [ids(101)] },
          message: 'The `ids` query parameter value length [101] is not between 1 and 100',
        },
      ],
    });
  });

  test.each([
    ['', [], 'The `ids` query parameter can not be empty'],
    ['?ids=', [''], 'The `ids` query parameter can not be empty'],
    ['?ids=1,abc', ['1,abc'], 'The `ids` query parameter value [abc] is not valid'],
    ['?ids=1,', ['1,'], 'The `ids` query parameter value [] is not valid'],
    ['?ids=1,%202', ['1, 2'], 'The `ids` query parameter value [ 2] is not valid'],
    ['?ids=1&ids=2', ['1', '2'], 'Duplicate parameters are not allowed: the `ids` query parameter'],
  ])('return 400 for %s', async (query, values, message) => {
    const { app } = await startNetwork(world);
    const { status, body } = await app.get(`/2/tweets${query}`);
    expect(status).toBe(400);
    expect(body).toEqual({ ...INVALID_REQUEST, errors: [{ parameters: { ids: values }, message }] });
  });

  test('report every invalid id at once', async () => {
    const { app } = await startNetwork(world);
    const { body } = await app.get('/2/tweets?ids=a,1,b');
    expect(body.errors.map((error: { message: string }) => error.message)).toEqual([
      'The `ids` query parameter value [a] is not valid',
      'The `ids` query parameter value [b] is not valid',
    ]);
  });
});

describe('the parameters of post lookup', () => {
  test('reject unknown names and list the known ones', async () => {
    const { app } = await startNetwork(world);
    const { status, body } = await app.get(`/2/tweets/${ONE}?foo=1`);
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      {
        parameters: { foo: ['1'] },
        message:
          'The query parameter [foo] is not one of [expansions,tweet.fields,media.fields,poll.fields,place.fields,user.fields]',
      },
    ]);
  });

  test('reject unknown fields and expansions and list the known ones', async () => {
    const { app } = await startNetwork(world);
    const { status, body } = await app.get(
      `/2/tweets/${ONE}?tweet.fields=lang,public_metrics.like_count&expansions=owner_id`,
    );
    expect(status).toBe(400);
    const messages = body.errors.map((error: { message: string }) => error.message) as string[];
    expect(messages).toHaveLength(2);
    expect(messages.join('\n')).toMatch(
      /The `tweet.fields` query parameter value \[public_metrics.like_count\] is not one of \[[a-z_]+(,[a-z_]+)+\]/,
    );
    expect(messages.join('\n')).toMatch(
      /The `expansions` query parameter value \[owner_id\] is not one of \[/,
    );
    const fieldsFault = (body.errors as { parameters: Record<string, unknown> }[]).find(
      (error) => 'tweet.fields' in error.parameters,
    );
    expect(fieldsFault?.parameters).toEqual({ 'tweet.fields': ['lang,public_metrics.like_count'] });
  });

  test('accept both spellings', async () => {
    const { app } = await startNetwork(world);
    const dotted = await app.get(
      `/2/tweets/${ONE}?tweet.fields=author_id&expansions=author_id&user.fields=verified`,
    );
    const underscored = await app.get(
      `/2/tweets/${ONE}?tweet_fields=author_id&expansions=author_id&user_fields=verified`,
    );
    expect(dotted.status).toBe(200);
    expect(dotted.body.includes.users[0].verified).toBe(false);
    expect(underscored.body).toEqual(dotted.body);
    for (const name of ['media', 'poll', 'place']) {
      const field = { media: 'url', poll: 'voting_status', place: 'country' }[name] ?? '';
      expect((await app.get(`/2/tweets/${ONE}?${name}_fields=${field}`)).status).toBe(200);
    }
  });

  test('reject both spellings at once as duplicates', async () => {
    const { app } = await startNetwork(world);
    const { status, body } = await app.get(`/2/tweets/${ONE}?tweet.fields=lang&tweet_fields=lang`);
    expect(status).toBe(400);
    expect(body.errors[0].message).toBe(
      'Duplicate parameters are not allowed: the `tweet.fields` query parameter',
    );
  });

  test('reject an empty value', async () => {
    const { app } = await startNetwork(world);
    const { status } = await app.get(`/2/tweets/${ONE}?expansions=`);
    expect(status).toBe(400);
  });
});
