import { describe, expect, test } from 'vitest';
import { ID, MINUTE_MS, postId, startNetwork, type Name, type Network } from './support/network.js';

/** Notifications (docs/api/pipit.md#notifications). */

const PATH = '/_pipit/notifications';

interface Shown {
  readonly id: string;
  readonly type: string;
  readonly is_read: boolean;
  readonly created_at: string;
  readonly post_id?: string;
  readonly user_ids: readonly string[];
  readonly user_count: number;
}

async function read(network: Network, name: Name = 'alice', query = ''): Promise<readonly Shown[]> {
  const { status, body } = await network.as(name).get(`${PATH}?max_results=100${query}`);
  expect(status).toBe(200);
  return (body.data ?? []) as Shown[];
}

/** Returns the type, post, users and state of each notification. */
async function summary(network: Network, name: Name = 'alice') {
  const found = await read(network, name);
  return found.map(({ type, post_id, user_ids, is_read }) => [type, post_id, user_ids.map(nameOf), is_read]);
}

const nameOf = (id: string) => (Object.keys(ID) as Name[]).find((name) => ID[name] === id);

async function unread(network: Network, name: Name = 'alice'): Promise<number> {
  const { body } = await network.as(name).get(`${PATH}/unread_count`);
  return body.data.unread_count as number;
}

async function markRead(network: Network, upToId?: string): Promise<number> {
  const up_to_id = upToId ?? (await read(network))[0]?.id ?? '0';
  const { status, body } = await network.as('alice').post(`${PATH}/read`, { up_to_id });
  expect(status).toBe(200);
  return body.data.unread_count as number;
}

const like = (network: Network, name: Name, post: string) =>
  network.as(name).post(`/2/users/${ID[name]}/likes`, { tweet_id: post });
const unlike = (network: Network, name: Name, post: string) =>
  network.as(name).delete(`/2/users/${ID[name]}/likes/${post}`);
const repost = (network: Network, name: Name, post: string) =>
  network.as(name).post(`/2/users/${ID[name]}/retweets`, { tweet_id: post });
const follow = (network: Network, name: Name, target: Name) =>
  network.as(name).post(`/2/users/${ID[name]}/following`, { target_user_id: ID[target] });
const unfollow = (network: Network, name: Name, target: Name) =>
  network.as(name).delete(`/2/users/${ID[name]}/following/${ID[target]}`);
const act = (network: Network, name: Name, kind: 'muting' | 'blocking', target: Name) =>
  network.as(name).post(`/2/users/${ID[name]}/${kind}`, { target_user_id: ID[target] });

const POSTS = [
  { id: postId(1), author: 'alice', text: 'one' },
  { id: postId(2), author: 'alice', text: 'two' },
];

describe('notifications', () => {
  test('are of each kind, once for a post, never of oneself, with posts and users', async () => {
    const network = await startNetwork({ posts: POSTS, users: [{ username: 'erin', protected: true }] });
    const both = await network.posted('bob', { text: '@alice see', quote_tweet_id: postId(1) });
    const answer = await network.posted('carol', {
      text: '@alice yes',
      reply: { in_reply_to_tweet_id: postId(1) },
    });
    const mention = await network.posted('dave', 'hello @alice @bob');
    await network.posted('alice', { text: 'mine @alice', reply: { in_reply_to_tweet_id: postId(1) } });
    await like(network, 'alice', postId(1));
    await repost(network, 'alice', postId(1));
    await like(network, 'bob', postId(1));
    await repost(network, 'carol', postId(2));
    await follow(network, 'dave', 'alice');
    await follow(network, 'alice', 'erin');
    expect(await summary(network)).toEqual([
      ['follow', undefined, ['dave'], false],
      ['repost', postId(2), ['carol'], false],
      ['like', postId(1), ['bob'], false],
      ['mention', mention, ['dave'], false],
      ['reply', answer, ['carol'], false],
      ['quote', both, ['bob'], false],
    ]);
    expect(await summary(network, 'bob')).toEqual([['mention', mention, ['dave'], false]]);
    expect(await summary(network, 'erin')).toEqual([['follow_request', undefined, ['alice'], false]]);
    expect([await unread(network), await unread(network, 'erin'), await unread(network, 'carol')]).toEqual([
      6, 1, 0,
    ]);
    const { body } = await network
      .signed('alice')
      .get(`${PATH}?tweet.fields=public_metrics&types=like,mention`);
    expect((body.data as Shown[]).map(({ type }) => type)).toEqual(['like', 'mention']);
    expect(body.includes.tweets).toMatchObject([
      { id: postId(1), public_metrics: { like_count: 2 } },
      { id: mention, text: 'hello @alice @bob' },
    ]);
    expect(body.includes.users).toMatchObject([{ username: 'bob' }, { username: 'dave' }]);
    expect(body.meta).toMatchObject({ result_count: 2, unread_count: 6 });
    // An accepted request is no news for the one who accepted it.
    await network.as('erin').post(`/_pipit/follow_requests/${ID.alice}/accept`, undefined);
    expect(await summary(network, 'erin')).toEqual([]);
  });

  test('group likes, reposts and follows until they are read', async () => {
    const network = await startNetwork({ posts: POSTS });
    for (const name of ['bob', 'carol'] as const) {
      await like(network, name, postId(1));
      await repost(network, name, postId(1));
      await follow(network, name, 'alice');
      await network.advance(MINUTE_MS);
    }
    await like(network, 'bob', postId(2));
    const groups = ['carol', 'bob'];
    expect(await summary(network)).toEqual([
      ['like', postId(2), ['bob'], false],
      ['follow', undefined, groups, false],
      ['repost', postId(1), groups, false],
      ['like', postId(1), groups, false],
    ]);
    const [newest, follows] = await read(network);
    expect(follows).toMatchObject({ user_count: 2, created_at: '2022-10-07T22:43:12.000Z' });
    expect(await markRead(network, follows?.id)).toBe(1);
    expect((await summary(network)).map((each) => each[3])).toEqual([false, true, true, true]);
    // The unread group grows; read ones do not.
    await like(network, 'dave', postId(2));
    await like(network, 'dave', postId(1));
    await follow(network, 'dave', 'alice');
    expect((await summary(network)).slice(0, 5)).toEqual([
      ['follow', undefined, ['dave'], false],
      ['like', postId(1), ['dave'], false],
      ['like', postId(2), ['dave', 'bob'], false],
      ['follow', undefined, groups, true],
      ['repost', postId(1), groups, true],
    ]);
    expect([await unread(network), await markRead(network, newest?.id), await unread(network)]).toEqual([
      3, 3, 3,
    ]);
    // Neither a later id nor an earlier one marks anything else.
    expect(await markRead(network, '9223372036854775807')).toBe(0);
    expect(await markRead(network, '1')).toBe(0);
    await like(network, 'erin', postId(2));
    expect([await unread(network), (await summary(network))[0]]).toEqual([
      1,
      ['like', postId(2), ['erin'], false],
    ]);
  });

  test('vanish with what was undone and deleted, and follow edits', async () => {
    const network = await startNetwork({ posts: POSTS, users: [{ username: 'erin', protected: true }] });
    const answer = await network.posted('bob', { text: 'yes', reply: { in_reply_to_tweet_id: postId(1) } });
    const quote = await network.posted('carol', { text: 'see', quote_tweet_id: postId(1) });
    await like(network, 'bob', postId(1));
    await like(network, 'carol', postId(1));
    await like(network, 'carol', postId(2));
    await repost(network, 'dave', postId(2));
    await follow(network, 'dave', 'alice');
    await follow(network, 'alice', 'erin');
    expect(await unread(network)).toBe(6);
    await unlike(network, 'carol', postId(1));
    expect((await summary(network))[2]).toEqual(['like', postId(2), ['carol'], false]);
    expect((await read(network))[3]).toMatchObject({ type: 'like', post_id: postId(1), user_count: 1 });
    await unlike(network, 'bob', postId(1));
    await network.as('dave').delete(`/2/users/${ID.dave}/retweets/${postId(2)}`);
    await unfollow(network, 'dave', 'alice');
    await unfollow(network, 'alice', 'erin');
    await network.as('bob').delete(`/2/tweets/${answer}`);
    expect(await summary(network)).toEqual([
      ['like', postId(2), ['carol'], false],
      ['quote', quote, ['carol'], false],
    ]);
    expect(await summary(network, 'erin')).toEqual([]);
    const first = await network.posted('dave', 'hello @alice');
    const edit = (text: string, previous_post_id: string) =>
      network.posted('dave', { text, edit_options: { previous_post_id } });
    const second = await edit('hello @bob', first);
    expect([await unread(network), await summary(network, 'bob')]).toEqual([
      2,
      [['mention', second, ['dave'], false]],
    ]);
    const third = await edit('hello @alice, @bob', second);
    expect((await summary(network))[0]).toEqual(['mention', third, ['dave'], false]);
    await network.as('dave').delete(`/2/tweets/${third}`);
    await network.as('alice').delete(`/2/tweets/${postId(2)}`);
    expect(await summary(network)).toEqual([['quote', quote, ['carol'], false]]);
    await network.deleteAccount('carol');
    expect([await summary(network), await unread(network), await summary(network, 'bob')]).toEqual([
      [],
      0,
      [],
    ]);
  });

  test('do not show people whom the user blocks or mutes, or who are suspended, protected or block the user', async () => {
    const network = await startNetwork({
      posts: POSTS,
      users: [{ username: 'frank', protected: true }],
    });
    for (const name of ['bob', 'carol', 'dave', 'erin', 'frank'] as const) {
      await like(network, name, postId(1));
      await follow(network, name, 'alice');
      await network.posted(name, `hello @alice from ${name}`);
    }
    const people = async () => (await read(network)).map(({ user_ids }) => user_ids.map(nameOf));
    // The likes and posts of a protected account are seen by its followers only.
    const seen = ['erin', 'dave', 'carol', 'bob'];
    expect(await people()).toEqual([['frank', ...seen], seen, ...seen.map((name) => [name])]);
    await act(network, 'alice', 'muting', 'bob');
    await act(network, 'alice', 'blocking', 'carol');
    await act(network, 'dave', 'blocking', 'alice');
    await network.suspend('erin');
    expect([await people(), await unread(network)]).toEqual([[['frank']], 1]);
    await unfollow(network, 'frank', 'alice');
    expect([await people(), await unread(network)]).toEqual([[], 0]);
    await network.as('alice').delete(`/2/users/${ID.alice}/muting/${ID.bob}`);
    expect([await people(), await unread(network)]).toEqual([[['bob'], ['bob'], ['bob']], 3]);
  });

  test('page without losses or repetitions while new ones arrive, in both directions', async () => {
    const posts = Array.from({ length: 23 }, (_, n) => ({
      id: postId(n + 1),
      author: 'alice',
      text: `post ${n}`,
    }));
    const network = await startNetwork({
      posts: [...posts, ...posts.map((_, n) => ({ id: postId(n + 50), author: 'bob', text: `@alice ${n}` }))],
      likes: posts.flatMap(({ id }) => [
        { user: 'bob', post: id },
        { user: 'carol', post: id },
      ]),
    });
    const whole = (await read(network)).map(({ id }) => id);
    expect(whole).toHaveLength(46);
    const page = async (token?: string) => {
      const next = token === undefined ? '' : `&pagination_token=${token}`;
      return (await network.as('alice').get(`${PATH}?max_results=7${next}`)).body as {
        data: Shown[];
        meta: { next_token?: string; previous_token?: string; unread_count: number };
      };
    };
    const pages = [await page()];
    for (let last = pages[0]; last?.meta.next_token !== undefined; pages.push(last)) {
      await network.posted('dave', `@alice ${pages.length}`);
      // A group that grows moves to the top.
      last = await page(last.meta.next_token);
    }
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(whole);
    const before = await page(pages[1]?.meta.previous_token);
    expect(before.data.at(-1)?.id).toBe(whole[6]);
    await like(network, 'dave', postId(1));
    const grown = await read(network, 'alice', '&types=like');
    expect([grown.length, grown[0]?.post_id, grown[0]?.user_count]).toEqual([23, postId(1), 3]);
    expect(await unread(network)).toBe(46 + pages.length - 1);
  });

  test('count up to 100 unread ones, and name the newest users of large groups', async () => {
    const names = Array.from({ length: 130 }, (_, n) => `fan${n}`);
    const network = await startNetwork({
      users: names.map((username, n) => ({ username, name: username, id: String(100 + n) })),
      posts: [
        POSTS[0] ?? {},
        ...names.map((author, n) => ({ id: postId(n + 5), author, text: '@alice hi' })),
      ],
      likes: names.map((user) => ({ user, post: postId(1) })),
      mutes: names.slice(20).map((to) => ({ from: 'alice', to })),
    });
    // Of the 100 newest users of the group 100 are muted, like the authors of 110 posts.
    expect([await unread(network), (await read(network, 'alice', '&types=like')).length]).toEqual([20, 0]);
    for (const n of [105, 129]) await network.as('alice').delete(`/2/users/${ID.alice}/muting/${100 + n}`);
    expect((await read(network, 'alice', '&types=like'))[0]).toMatchObject({
      user_ids: ['229', '205'],
      user_count: 32,
    });
    for (let n = 20; n < 130; n += 1)
      await network.as('alice').delete(`/2/users/${ID.alice}/muting/${100 + n}`);
    const [group] = await read(network, 'alice', '&types=like');
    expect([group?.user_ids.length, group?.user_count, await unread(network)]).toEqual([10, 130, 100]);
  });

  test('lose nothing when many act at once', async () => {
    const network = await startNetwork({ posts: POSTS });
    const fans = ['bob', 'carol', 'dave', 'erin', 'frank'] as const;
    await Promise.all(
      fans.flatMap((name) => [
        like(network, name, postId(1)),
        repost(network, name, postId(1)),
        follow(network, name, 'alice'),
        like(network, name, postId(2)),
      ]),
    );
    const found = await read(network);
    expect(found.map(({ type, user_count }) => `${type} ${user_count}`).sort()).toEqual([
      'follow 5',
      'like 5',
      'like 5',
      'repost 5',
    ]);
    await Promise.all(fans.map((name) => unlike(network, name, postId(1))));
    await Promise.all([markRead(network), ...fans.map((name) => unfollow(network, name, 'alice'))]);
    expect((await read(network)).map(({ type }) => type).sort()).toEqual(['like', 'repost']);
  });

  test('refuse other parameters, bodies and credentials', async () => {
    const network = await startNetwork({ posts: POSTS });
    const alice = network.as('alice');
    for (const query of [
      'max_results=0',
      'max_results=101',
      'types=likes',
      'types=',
      'pagination_token=x',
      'since_id=1',
    ])
      expect((await alice.get(`${PATH}?${query}`)).status).toBe(400);
    for (const body of [{}, { up_to_id: 'x' }, { up_to_id: -1 }, { up_to_id: '1', more: 1 }, [], 'null'])
      expect((await alice.post(`${PATH}/read`, body)).status).toBe(400);
    for (const path of ['', '/unread_count']) expect((await network.app.get(PATH + path)).status).toBe(403);
    expect(await unread(network)).toBe(0);
    const { body } = await alice.get(PATH);
    expect(body).toEqual({ meta: { result_count: 0, unread_count: 0 } });
  });

  test('count messages beside notifications', async () => {
    const network = await startNetwork({ follows: [{ from: 'alice', to: 'bob' }] });
    const count = async () => (await network.as('alice').get(`${PATH}/unread_count`)).body.data as unknown;
    await network.as('bob').post(`/2/dm_conversations/with/${ID.alice}/messages`, { text: 'one' });
    expect(await count()).toEqual({ unread_count: 0, unread_messages: 1 });
  });
});
