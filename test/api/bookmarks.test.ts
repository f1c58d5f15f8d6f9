import { describe, expect, test } from 'vitest';
import { missingTarget, refusal } from './support/errors.js';
import { ID, MINUTE_MS, postId, startNetwork, type Name, type Network } from './support/network.js';
import { pageAt, walkPages } from './support/pages.js';

const POST = postId(1);

const path = (name: Name) => `/2/users/${ID[name]}/bookmarks`;
const bookmark = (network: Network, name: Name, id: string) =>
  network.as(name).post(path(name), { tweet_id: id });
const remove = (network: Network, name: Name, id: string) => network.as(name).delete(`${path(name)}/${id}`);
const bookmarks = async (network: Network, name: Name) => (await pageAt(network.as(name), path(name))).ids;

describe('bookmarks', () => {
  test('can be added and removed repeatedly, and keep their first position', async () => {
    const network = await startNetwork({
      posts: [1, 2].map((n) => ({ id: postId(n), author: 'alice', text: `post ${n}` })),
    });
    for (const n of [2, 1, 2]) {
      await network.advance(MINUTE_MS);
      const answer = await bookmark(network, 'bob', postId(n));
      expect([answer.status, answer.body]).toEqual([200, { data: { bookmarked: true } }]);
    }
    expect(await bookmarks(network, 'bob')).toEqual([postId(1), postId(2)]);
    for (const id of [POST, POST, postId(99)]) {
      expect((await remove(network, 'bob', id)).body).toEqual({ data: { bookmarked: false } });
    }
    expect(await bookmarks(network, 'bob')).toEqual([postId(2)]);
    await bookmark(network, 'bob', POST);
    expect(await bookmarks(network, 'bob')).toEqual([POST, postId(2)]);
  });

  test('are readable by their owner only (docs/api/authentication.md#credentials)', async () => {
    const network = await startNetwork({
      posts: [{ id: POST, author: 'alice', text: 'one' }],
      bookmarks: [{ user: 'bob', post: POST }],
    });
    for (const viewer of ['alice', 'carol'] as const) {
      const { status, body } = await network.as(viewer).get(path('bob'));
      expect(status).toBe(400);
      expect(body.errors[0].message).toContain('must be the same as the authenticating user');
    }
    expect((await network.app.get(path('bob'))).status).toBe(403);
  });

  test('of a repost apply to the original', async () => {
    const network = await startNetwork({
      posts: [
        { id: POST, author: 'alice', text: 'one' },
        { id: postId(2), author: 'carol', repost_of: POST },
      ],
    });
    await bookmark(network, 'bob', postId(2));
    expect(await bookmarks(network, 'bob')).toEqual([POST]);
    await remove(network, 'bob', postId(2));
    expect(await bookmarks(network, 'bob')).toEqual([]);
  });

  test('are refused for posts that are hidden or missing, and allowed for authors that the user blocks', async () => {
    const network = await startNetwork({
      users: [{ username: 'carol', protected: true }],
      blocks: [
        { from: 'alice', to: 'bob' },
        { from: 'dave', to: 'alice' },
      ],
      posts: [
        { id: POST, author: 'alice', text: 'one' },
        { id: postId(2), author: 'carol', text: 'two' },
      ],
    });
    for (const id of [POST, postId(2)]) {
      const answer = await bookmark(network, 'bob', id);
      expect([answer.status, answer.body]).toEqual([
        403,
        refusal('You are not permitted to perform this action.'),
      ]);
    }
    const unknown = await bookmark(network, 'bob', postId(99));
    expect([unknown.status, unknown.body]).toEqual([404, missingTarget('tweet', 'tweet_id', postId(99))]);
    expect((await bookmark(network, 'dave', POST)).status).toBe(200);
  });

  test('are hidden while the post is hidden, and removed with a deleted post', async () => {
    const network = await startNetwork({
      posts: [1, 2].map((n) => ({ id: postId(n), author: n === 1 ? 'alice' : 'carol', text: `post ${n}` })),
    });
    for (const n of [1, 2]) await bookmark(network, 'bob', postId(n));
    const block = { target_user_id: ID.bob };
    await network.as('alice').post(`/2/users/${ID.alice}/blocking`, block);
    expect(await bookmarks(network, 'bob')).toEqual([postId(2)]);
    await network.as('alice').delete(`/2/users/${ID.alice}/blocking/${ID.bob}`);
    expect(await bookmarks(network, 'bob')).toEqual([postId(2), POST]);
    await network.as('carol').delete(`/2/tweets/${postId(2)}`);
    expect(await bookmarks(network, 'bob')).toEqual([POST]);
    expect((await remove(network, 'bob', postId(2))).status).toBe(200);
  });

  test('page through the newest 800 existing posts, also when more are added meanwhile', async () => {
    const posts = Array.from({ length: 805 }, (_, at) => ({ id: postId(at + 1), author: 'alice' as const }));
    const network = await startNetwork();
    await network.addMany(posts);
    await network.add({
      bookmarks: posts.slice(0, 803).map(({ id }, at) => ({
        user: 'bob',
        post: id,
        at: new Date(Date.parse('2022-10-01T00:00:00Z') + at * 1000).toISOString().replace('.000Z', 'Z'),
      })),
    });
    let added = 803;
    const pages = await walkPages(network.as('bob'), path('bob'), 100, async () => {
      const next = posts[added];
      added += 1;
      if (next) await bookmark(network, 'bob', next.id);
    });
    const seen = pages.flatMap((page) => page.ids);
    expect(pages).toHaveLength(8);
    expect(seen).toEqual(
      posts
        .slice(3, 803)
        .map(({ id }) => id)
        .reverse(),
    );
    const reread = await walkPages(network.as('bob'), path('bob'), 100);
    expect(reread.flatMap((page) => page.ids)).toHaveLength(800);
    expect(reread.flatMap((page) => page.ids).at(-1)).toBe(postId(6));
    for (const n of [805, 400]) await network.as('alice').delete(`/2/tweets/${postId(n)}`);
    const rest = (await walkPages(network.as('bob'), path('bob'), 100)).flatMap((page) => page.ids);
    expect([rest.length, rest.at(-1)]).toEqual([800, postId(4)]);
  });

  test('added concurrently are stored once', async () => {
    const network = await startNetwork({ posts: [{ id: POST, author: 'alice', text: 'one' }] });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        at % 3 < 2 ? bookmark(network, 'bob', POST) : remove(network, 'bob', POST),
      ),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await bookmark(network, 'bob', POST);
    expect(await bookmarks(network, 'bob')).toEqual([POST]);
  });
});
