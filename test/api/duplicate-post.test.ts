import { describe, expect, test } from 'vitest';
import { refusal } from './support/errors.js';
import { DAY_MS, MINUTE_MS, postId, startNetwork } from './support/network.js';

/** Duplicate posts within a day (docs/api/posts.md#duplicates). */

const DUPLICATE = refusal('You are not allowed to create a Tweet with duplicate content.');

describe('a second post with the same text', () => {
  test('returns 403', async () => {
    const { as, posted } = await startNetwork();
    await posted('alice', 'Good morning');
    const { status, body } = await as('alice').post('/2/tweets', { text: 'Good morning' });
    expect(status).toBe(403);
    expect(body).toEqual(DUPLICATE);
  });

  test.each([
    ['with space around it', '  Good caf\u00e9\n'],
    ['in another normal form', 'Good cafe\u0301'],
  ])('returns 403 %s', async (_, text) => {
    const { as, posted } = await startNetwork();
    await posted('alice', 'Good caf\u00e9');
    expect((await as('alice').post('/2/tweets', { text })).status).toBe(403);
  });

  test('returns 403 after other posts in between', async () => {
    const { as, posted } = await startNetwork();
    await posted('alice', 'one');
    await posted('alice', 'two');
    expect((await as('alice').post('/2/tweets', { text: 'one' })).status).toBe(403);
  });

  test('returns 403 until 24 hours have passed', async () => {
    const { as, posted, advance } = await startNetwork();
    await posted('alice', 'Good morning');
    await advance(DAY_MS - MINUTE_MS);
    expect((await as('alice').post('/2/tweets', { text: 'Good morning' })).status).toBe(403);
    await advance(2 * MINUTE_MS);
    expect((await as('alice').post('/2/tweets', { text: 'Good morning' })).status).toBe(201);
    expect((await as('alice').post('/2/tweets', { text: 'Good morning' })).status).toBe(403);
  });

  test('is accepted from another user', async () => {
    const { as, posted } = await startNetwork();
    await posted('alice', 'Good morning');
    expect((await as('bob').post('/2/tweets', { text: 'Good morning' })).status).toBe(201);
  });

  test('is accepted after the first is deleted', async () => {
    const { as, posted } = await startNetwork();
    const id = await posted('alice', 'Good morning');
    await as('alice').delete(`/2/tweets/${id}`);
    expect((await as('alice').post('/2/tweets', { text: 'Good morning' })).status).toBe(201);
  });

  test('is accepted with other attachments', async () => {
    const { as, posted } = await startNetwork({
      media: [1, 2].map((n) => ({ media_key: `3_10${n}`, type: 'photo', owner: 'alice' })),
      posts: [
        { id: postId(1), author: 'bob', text: 'Original' },
        { id: postId(2), author: 'bob', text: 'Another' },
      ],
    });
    await posted('alice', { text: 'Look' });
    await posted('alice', { text: 'Look', media_ids: ['101'] });
    await posted('alice', { text: 'Look', media_ids: ['102'] });
    await posted('alice', { text: 'Look', poll_options: ['a', 'b'], poll_duration_minutes: 5 });
    await posted('alice', { text: 'Look', poll_options: ['a', 'c'], poll_duration_minutes: 5 });
    await posted('alice', { text: 'Look', quote_tweet_id: postId(1) });
    await posted('alice', { text: 'Look', quote_tweet_id: postId(2) });
    for (const again of [
      { text: 'Look' },
      { text: 'Look', poll_options: ['a', 'b'], poll_duration_minutes: 5 },
      { text: 'Look', quote_tweet_id: postId(1) },
    ]) {
      const { status, body } = await as('alice').post('/2/tweets', again);
      expect([status, body]).toEqual([403, DUPLICATE]);
    }
  });

  test('sent 20 times concurrently is created once', async () => {
    const { as } = await startNetwork();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => as('alice').post('/2/tweets', { text: 'All at once' })),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 403)]);
    const { body } = await as('alice').get('/2/users/me?user.fields=public_metrics');
    expect(body.data.public_metrics.tweet_count).toBe(1);
  });

  test('returns 403 and changes neither media nor counts', async () => {
    const { as, posted } = await startNetwork({ posts: [{ id: postId(1), author: 'bob', text: 'Hi' }] });
    const reply = { text: 'Yes', reply: { in_reply_to_tweet_id: postId(1) } };
    await posted('alice', reply);
    expect((await as('alice').post('/2/tweets', reply)).status).toBe(403);
    const { body } = await as('alice').get(`/2/tweets/${postId(1)}?tweet.fields=public_metrics`);
    expect(body.data.public_metrics.reply_count).toBe(1);
  });

  test('returns 403 when the first comes from a world file', async () => {
    const { as } = await startNetwork({
      posts: [{ id: postId(2 * 24 * 60 - 5), author: 'alice', text: 'Five minutes ago' }],
    });
    const { status } = await as('alice').post('/2/tweets', { text: 'Five minutes ago' });
    expect(status).toBe(403);
  });
});
