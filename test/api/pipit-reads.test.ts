import { describe, expect, test } from 'vitest';
import { ID, postId, startNetwork } from './support/network.js';

/** States of posts and conversations (docs/api/pipit.md#states-of-posts, docs/api/pipit.md#conversation). */

const at = (n: number) => postId(n);
const statesPath = (...ids: string[]) => `/_pipit/posts/states?ids=${ids.join()}`;
const around = (id: string, query = '') => `/_pipit/posts/${id}/conversation${query}`;

describe('states of posts', () => {
  test('tell what the user did, also with the original of a repost and the first version of an edited post', async () => {
    const network = await startNetwork({
      posts: [
        {
          id: at(1),
          author: 'alice',
          text: 'one',
          poll: { options: ['Heron', 'Grebe'], duration_minutes: 7000 },
        },
        { id: at(2), author: 'carol', repost_of: at(1) },
        { id: at(3), author: 'alice', text: 'three' },
      ],
      likes: [{ user: 'carol', post: at(3) }],
    });
    const bob = network.as('bob');
    const read = async (...ids: string[]) => (await bob.get(statesPath(...ids))).body.data as unknown;
    const nothing = { liked: false, reposted: false, bookmarked: false };
    expect(await read(at(3), at(1), at(3))).toEqual([
      { id: at(3), ...nothing },
      { id: at(1), ...nothing },
    ]);
    const folderOf = async (name: string) => {
      const { body } = await bob.post(`/2/users/${ID.bob}/bookmarks/folders`, { name });
      const folder_id = String(body.data.id);
      await bob.post(`/2/users/${ID.bob}/bookmarks`, { tweet_id: at(1), folder_id });
      return folder_id;
    };
    await bob.post(`/2/users/${ID.bob}/likes`, { tweet_id: at(1) });
    await bob.post(`/2/users/${ID.bob}/retweets`, { tweet_id: at(1) });
    await bob.post(`/_pipit/polls/${at(1)}/votes`, { option: 2 });
    await folderOf('Herons');
    const last = await folderOf('Grebes');
    const done = {
      liked: true,
      reposted: true,
      bookmarked: true,
      bookmark_folder_id: last,
      chosen_option: 2,
    };
    expect(await read(at(1), at(2))).toEqual([
      { id: at(1), ...done },
      { id: at(2), ...done },
    ]);
    await bob.delete(`/2/users/${ID.bob}/likes/${at(1)}`);
    await bob.delete(`/2/users/${ID.bob}/bookmarks/${at(1)}`);
    expect(await read(at(1))).toEqual([{ id: at(1), ...nothing, reposted: true, chosen_option: 2 }]);

    const first = await network.posted('alice', 'first');
    await bob.post(`/2/users/${ID.bob}/likes`, { tweet_id: first });
    const second = await network.posted('alice', {
      text: 'second',
      edit_options: { previous_post_id: first },
    });
    expect(await read(first, second)).toEqual([
      { id: first, ...nothing, liked: true },
      { id: second, ...nothing, liked: true },
    ]);
  });

  test('disclose nothing of hidden posts, and refuse other parameters and credentials', async () => {
    const network = await startNetwork({
      users: [{ username: 'carol', protected: true }],
      posts: [
        { id: at(1), author: 'alice', text: 'one' },
        { id: at(2), author: 'carol', text: 'two' },
      ],
    });
    const { status, body } = await network.as('bob').get(statesPath(at(2), at(1), '0099'));
    expect(status).toBe(200);
    expect(body.data).toMatchObject([{ id: at(1), liked: false }]);
    expect(
      (body.errors as { title: string; value: string }[]).map(({ title, value }) => [title, value]),
    ).toEqual([
      ['Authorization Error', at(2)],
      ['Not Found Error', '0099'],
    ]);
    expect((await network.app.get(statesPath(at(1)))).status).toBe(403);
    for (const query of [
      '',
      '?ids=',
      '?ids=x',
      `?ids=${Array(101).fill('1').join()}`,
      '?ids=1&max_results=3',
    ])
      expect((await network.as('bob').get(`/_pipit/posts/states${query}`)).status).toBe(400);
  });
});

interface Branch {
  readonly id: string;
  readonly replies: readonly Branch[];
  readonly has_more: boolean;
}

describe('a conversation', () => {
  const reply = (n: number, to: number, author = 'bob') => ({
    id: at(n),
    author,
    text: `reply ${n}`,
    in_reply_to: at(to),
  });

  test('has the posts above and below, for apps and users', async () => {
    const network = await startNetwork({
      posts: [
        { id: at(1), author: 'alice', text: 'root' },
        reply(2, 1),
        reply(3, 2, 'carol'),
        reply(4, 3, 'alice'),
        reply(5, 4),
        reply(6, 3, 'dave'),
      ],
    });
    const { body } = await network.app.get(around(at(3), '?expansions=author_id&tweet.fields=created_at'));
    expect(body.data).toEqual({
      above: [at(1), at(2)],
      below: [
        { id: at(4), replies: [{ id: at(5), replies: [], has_more: false }], has_more: false },
        { id: at(6), replies: [], has_more: false },
      ],
      has_more_above: false,
      is_hidden: false,
      has_hidden: false,
    });
    const { tweets, users } = body.includes as {
      tweets: { id: string; created_at: string }[];
      users: object[];
    };
    expect(tweets.map(({ id }) => id)).toEqual(
      [3, 1, 2, 4, 6, 5].map(at).toSorted((one, other) => orderOf(one) - orderOf(other)),
    );
    expect(tweets.every(({ created_at }) => created_at.endsWith('Z'))).toBe(true);
    expect(users).toHaveLength(4);
    const own = await network.as('alice').get(around(at(3), '?tweet.fields=non_public_metrics'));
    expect([own.status, own.body.data]).toEqual([200, body.data]);

    function orderOf(id: string): number {
      return [3, 1, 2, 4, 5, 6].map(at).indexOf(id);
    }
  });

  test('pages through the direct replies: joined pages have each once, while new ones arrive', async () => {
    const network = await startNetwork({
      posts: [
        { id: at(1), author: 'alice', text: 'root' },
        ...Array.from({ length: 45 }, (_, n) => reply(n + 2, 1)),
      ],
    });
    const seen: string[] = [];
    let query = '';
    for (let page = 0; page < 3; page += 1) {
      const { data } = (await network.as('bob').get(around(at(1), query))).body as {
        data: { below: Branch[]; next_token?: string };
      };
      seen.push(...data.below.map(({ id }) => id));
      query = `?after=${data.next_token}`;
      if (page === 0) await network.posted('carol', { text: 'late', reply: { in_reply_to_tweet_id: at(1) } });
      if (page === 2) expect(data.next_token).toBeUndefined();
    }
    expect(seen.slice(0, 45)).toEqual(Array.from({ length: 45 }, (_, n) => at(n + 2)));
    expect([seen.length, new Set(seen).size]).toEqual([46, 46]);
  });

  test('leaves out replies that are hidden or not visible, and says what is missing above', async () => {
    const network = await startNetwork({
      users: [{ username: 'carol', protected: true }],
      follows: [{ from: 'dave', to: 'carol' }],
      posts: [
        { id: at(1), author: 'alice', text: 'root' },
        reply(2, 1),
        reply(3, 1, 'carol'),
        reply(4, 3),
        reply(5, 1, 'erin'),
      ],
    });
    await network.as('alice').put(`/2/tweets/${at(2)}/hidden`, { hidden: true });
    const read = async (name: 'bob' | 'dave', id: string) => (await network.as(name).get(around(id))).body;
    const ids = (branches: Branch[]) => branches.map(({ id }) => id);
    const seen = await read('bob', at(1));
    expect([ids(seen.data.below as Branch[]), seen.data.has_hidden]).toEqual([[at(5)], true]);
    expect(ids((await read('dave', at(1))).data.below as Branch[])).toEqual([at(3), at(5)]);
    expect((await read('dave', at(2))).data).toMatchObject({ is_hidden: true, above: [at(1)] });
    const below = await read('bob', at(4));
    expect(below.data.above).toEqual([at(1), at(3)]);
    expect((below.includes.tweets as { id: string }[]).map(({ id }) => id)).toEqual([at(4), at(1)]);
    expect(await read('bob', at(3))).toMatchObject({
      errors: [{ title: 'Authorization Error', value: at(3) }],
    });
    expect((await read('bob', '99')).data).toBeUndefined();
    for (const query of ['?after=x', '?after=', '?max_results=5', '?after=99999999999999999999'])
      expect((await network.as('bob').get(around(at(1), query))).status).toBe(400);
  });

  test('has the newest version of an edited post above, and the asked one in the path', async () => {
    const network = await startNetwork();
    const first = await network.posted('alice', 'first');
    const reply = await network.posted('bob', { text: 'reply', reply: { in_reply_to_tweet_id: first } });
    const second = await network.posted('alice', {
      text: 'second',
      edit_options: { previous_post_id: first },
    });
    const { body } = await network.app.get(around(reply));
    expect(body.data.above).toEqual([second]);
    expect(body.includes.tweets[1]).toMatchObject({ id: second, text: 'second' });
    const old = (await network.app.get(around(first))).body;
    expect(old.includes.tweets[0]).toMatchObject({ id: first, text: 'first' });
    expect(old.data.below).toEqual([{ id: reply, replies: [], has_more: false }]);
  });
});
