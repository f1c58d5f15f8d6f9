import { describe, expect, test } from 'vitest';
import { ID, postId, startNetwork, type Caller } from '../support/network.js';

/** Timelines, search and lists of ids of v1.1 (docs/api/v1.md). */

const NUMBERS = Array.from({ length: 25 }, (_, n) => n + 1);

const ids = async (caller: Caller, url: string): Promise<string[]> => {
  const { status, body } = await caller.get(url);
  expect(status, url).toBe(200);
  return (body.statuses ?? body).map(({ id_str }: { id_str: string }) => id_str);
};

describe('timelines', () => {
  const world = {
    follows: [{ from: 'alice', to: 'bob' }],
    posts: [
      ...NUMBERS.map((n) => ({ id: postId(n), author: 'bob', text: `Post ${n}` })),
      { id: postId(30), author: 'carol', text: 'Of carol' },
      { id: postId(31), author: 'bob', repost_of: postId(30) },
      { id: postId(32), author: 'bob', text: 'A reply', in_reply_to: postId(30) },
    ],
  };

  test('user_timeline pages by max_id, which is inclusive, and since_id', async () => {
    const { app } = await startNetwork(world);
    const url = '/1.1/statuses/user_timeline.json?screen_name=bob';
    expect(await ids(app, url)).toHaveLength(20);
    const all = await ids(app, `${url}&count=200`);
    expect(all).toHaveLength(27);
    expect(await ids(app, `${url}&count=5&max_id=${all[5]}`)).toEqual(all.slice(5, 10));
    expect(await ids(app, `${url}&count=200&since_id=${all[3]}`)).toEqual(all.slice(0, 3));
    expect(await ids(app, `${url}&count=99999`)).toEqual(all);
    expect(await ids(app, `${url}&count=200&include_rts=false&exclude_replies=true`)).toEqual(all.slice(2));
  });

  test('home_timeline shows followed users and oneself', async () => {
    const { signed, app } = await startNetwork(world);
    const home = await ids(signed('alice'), '/1.1/statuses/home_timeline.json?count=3');
    expect(home).toEqual([postId(32), postId(31), postId(25)]);
    expect((await app.get('/1.1/statuses/home_timeline.json')).body.errors[0].code).toBe(220);
  });

  test('user_timeline without a name is that of the caller', async () => {
    const { signed, app } = await startNetwork(world);
    expect(await ids(signed('carol'), '/1.1/statuses/user_timeline.json')).toEqual([postId(30)]);
    const { status, body } = await app.get('/1.1/statuses/user_timeline.json');
    expect([status, body.errors[0].code]).toEqual([400, 25]);
  });

  test('user_timeline of a protected user is 401 for strangers', async () => {
    const { signed } = await startNetwork({ ...world, users: [{ username: 'bob', protected: true }] });
    const url = `/1.1/statuses/user_timeline.json?user_id=${ID.bob}`;
    expect((await signed('alice').get(url)).status).toBe(200);
    expect((await signed('carol').get(url)).status).toBe(401);
    expect((await signed('carol').get('/1.1/statuses/user_timeline.json?user_id=5')).status).toBe(404);
  });
});

describe('search/tweets', () => {
  const world = {
    media: [{ media_key: '3_77', type: 'photo', owner: 'bob' }],
    posts: [
      { id: postId(1), author: 'bob', text: 'A pond', lang: 'en' },
      { id: postId(2), author: 'bob', text: 'A pond with a picture', lang: 'en', media: ['3_77'] },
      { id: postId(3), author: 'alice', text: 'Ein pond', lang: 'de' },
      { id: postId(4), author: 'alice', repost_of: postId(1) },
    ],
  };
  const search = '/1.1/search/tweets.json';

  test.each([
    ['pond', [4, 3, 2, 1]],
    ['pond -filter:retweets', [3, 2, 1]],
    ['pond exclude:retweets', [3, 2, 1]],
    ['pond filter:media', [2]],
    ['pond filter:safe from:alice -filter:retweets', [3]],
    ['pond since:2022-10-05 -is:retweet', [3, 2, 1]],
    ['pond until:2022-10-05', []],
    ['pond until:2010-01-01', []],
  ])('finds %s', async (q, found) => {
    const { app } = await startNetwork(world);
    expect(await ids(app, `${search}?q=${encodeURIComponent(q)}`)).toEqual(found.map(postId));
  });

  test('lang applies to every alternative', async () => {
    const { app } = await startNetwork(world);
    const q = encodeURIComponent('picture OR ein');
    expect(await ids(app, `${search}?q=${q}&lang=de`)).toEqual([postId(3)]);
  });

  test('next_results leads to the end', async () => {
    const { app } = await startNetwork(world);
    const read: string[] = [];
    let query: string | undefined = '?q=pond&count=2';
    while (query !== undefined) {
      const { body } = await app.get(search + query);
      read.push(...body.statuses.map(({ id_str }: { id_str: string }) => id_str));
      query = body.search_metadata.next_results;
    }
    expect(read).toEqual([4, 3, 2, 1].map(postId));
  });

  test('a bad query is 195, none is 25', async () => {
    const { app } = await startNetwork();
    for (const [query, code] of [
      ['?q=(', 195],
      [`?q=${'a'.repeat(5_000)}`, 195],
      ['', 25],
      ['?q=nonsense:1', 195],
    ] as const) {
      const { status, body } = await app.get(search + query);
      expect([query, status, body.errors[0].code]).toEqual([query, 400, code]);
    }
  });
});

describe('followers/ids and friends/ids', () => {
  const users = NUMBERS.map((n) => ({ id: String(100 + n), username: `user${n}`, name: `User ${n}` }));
  const world = {
    users,
    follows: users.flatMap(({ username }) => [
      { from: username, to: 'alice' },
      { from: 'alice', to: username },
    ]),
  };
  const newestFirst = users.map(({ id }) => id).reverse();

  test.each(['followers', 'friends'])('%s/ids pages forward and back by cursors', async (name) => {
    const { app } = await startNetwork(world);
    const url = `/1.1/${name}/ids.json?screen_name=alice&stringify_ids=true&count=10`;
    const pages: string[][] = [];
    let cursor = '-1';
    let previous = '0';
    for (; cursor !== '0';) {
      const { body } = await app.get(`${url}&cursor=${cursor}`);
      pages.push(body.ids);
      [cursor, previous] = [body.next_cursor_str, body.previous_cursor_str];
    }
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(pages.flat()).toEqual(newestFirst);
    const { body } = await app.get(`${url}&cursor=${previous}`);
    expect(body.ids).toEqual(pages[1]);
  });

  test('ids are numbers unless stringified, and suspended users are left out', async () => {
    const network = await startNetwork({
      follows: [
        { from: 'bob', to: 'alice' },
        { from: 'carol', to: 'alice' },
      ],
    });
    const url = '/1.1/followers/ids.json?user_id=11';
    expect((await network.app.get(url)).body.ids).toEqual([13, 12]);
    await network.suspend('bob');
    expect((await network.app.get(url)).body.ids).toEqual([13]);
  });

  test.each(['x', '99999999999999999999', '-1', '0', ''])(
    'the cursor [%s] is the first page',
    async (cursor) => {
      const { app } = await startNetwork(world);
      const { status, body } = await app.get(`/1.1/friends/ids.json?screen_name=@Alice&cursor=${cursor}`);
      expect([status, body.ids.length, body.previous_cursor]).toEqual([200, 25, 0]);
    },
  );
});
