import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstIdAt } from '../../src/core/snowflake.js';
import {
  ID,
  NOW,
  openNetwork,
  PUBLIC_URL,
  postId,
  postTime,
  startNetwork,
  type Network,
} from './support/network.js';
import { walkPages } from './support/pages.js';

const home = (query = ''): string => `/2/users/${ID.alice}/timelines/reverse_chronological${query}`;
const postsOf = (query = ''): string => `/2/users/${ID.bob}/tweets${query}`;

function idsOf(answer: { body: { data?: { id: string }[] } }): string[] {
  return (answer.body.data ?? []).map(({ id }) => id);
}

/** Posts of bob, from `postId(from)` to `postId(to)`. */
function bobsPosts(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, n) => ({
    id: postId(from + n),
    author: 'bob',
    text: `post ${from + n}`,
    created_at: postTime(from + n),
  }));
}

describe('posts of a user', () => {
  it('are all posts of the user, newest first, with ids and count in meta', async () => {
    const network = await startNetwork({
      posts: [
        ...bobsPosts(1, 6),
        { id: postId(7), author: 'alice', text: 'not bob' },
        { id: postId(8), author: 'bob', repost_of: postId(7) },
      ],
    });
    const answer = await network.app.get(postsOf());
    expect(answer.status).toBe(200);
    expect(idsOf(answer)).toEqual([8, 6, 5, 4, 3, 2, 1].map(postId));
    expect(answer.body.meta).toEqual({ result_count: 7, newest_id: postId(8), oldest_id: postId(1) });
  });

  it('page forward and backward without gaps or repeats, also when posts are added and deleted meanwhile', async () => {
    const network = await startNetwork({ posts: bobsPosts(1, 23) });
    const bob = network.as('bob');
    const first = await network.app.get(postsOf('?max_results=10'));
    expect(first.body.meta.previous_token).toBeUndefined();
    await bob.post('/2/tweets', { text: 'in between' });
    await bob.delete(`/2/tweets/${postId(10)}`);
    const next = (token: string) => network.app.get(postsOf(`?max_results=10&pagination_token=${token}`));
    const second = await next(first.body.meta.next_token);
    const third = await next(second.body.meta.next_token);
    expect([first, second, third].flatMap(idsOf)).toEqual(
      [23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 9, 8, 7, 6, 5, 4, 3, 2, 1].map(postId),
    );
    expect(third.body.meta.next_token).toBeUndefined();
    expect(idsOf(await next(third.body.meta.previous_token))).toEqual(idsOf(second));
  });

  it('treat times as inclusive seconds and ids as exclusive bounds', async () => {
    const at = (ms: number): string => String(firstIdAt(Date.parse(NOW) - 3_600_000 + ms));
    const posts = [0, 999, 1_000, 1_999, 2_000].map((ms) => ({
      id: at(ms),
      author: 'bob',
      text: `at ${ms}`,
    }));
    const network = await startNetwork({ posts });
    const second = new Date(Date.parse(NOW) - 3_600_000 + 1_000).toISOString().replace('.000', '');
    const bounded = await network.app.get(postsOf(`?start_time=${second}&end_time=${second}`));
    expect(idsOf(bounded)).toEqual([at(1_999), at(1_000)]);
    const between = await network.app.get(postsOf(`?since_id=${at(0)}&until_id=${at(2_000)}`));
    expect(idsOf(between)).toEqual([at(1_999), at(1_000), at(999)]);
  });

  it('use the time of a post, whatever its id', async () => {
    const network = await startNetwork({
      posts: [
        { id: '21', author: 'bob', text: 'declared late', created_at: '2022-10-01T10:00:00Z' },
        { id: '22', author: 'bob', text: 'declared early', created_at: '2022-09-01T10:00:00Z' },
      ],
    });
    const answer = await network.app.get(postsOf('?start_time=2022-09-15T00:00:00Z'));
    expect(idsOf(answer)).toEqual(['21']);
  });

  it.each([
    ['start_time=2010-11-05T23:59:59Z', 'start_time', '2010-11-06T00:00:00Z'],
    ['end_time=2010-11-06T00:00:00Z', 'end_time', '2010-11-06T00:00:01Z'],
  ])('refuse %s as too early', async (query, name, earliest) => {
    const network = await startNetwork({});
    const answer = await network.app.get(postsOf(`?${query}`));
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].message).toContain(`'${name}' must be on or after ${earliest}`);
    expect(Object.keys(answer.body.errors[0].parameters)).toEqual([name]);
  });

  it('refuse an end before the start', async () => {
    const network = await startNetwork({});
    const query = '?start_time=2022-02-02T00:00:00Z&end_time=2022-02-01T00:00:00Z';
    const answer = await network.app.get(postsOf(query));
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].message).toContain("'end_time' must be after 'start_time'");
  });

  it('omit what exclude names, after the page is cut', async () => {
    const network = await startNetwork({
      posts: [
        ...bobsPosts(1, 3),
        { id: postId(4), author: 'alice', text: 'hello' },
        { id: postId(5), author: 'bob', repost_of: postId(4) },
        { id: postId(6), author: 'bob', text: 'yes', in_reply_to: postId(4) },
        { id: postId(7), author: 'bob', text: 'to myself', in_reply_to: postId(1) },
      ],
    });
    const get = async (exclude: string) => idsOf(await network.app.get(postsOf(`?exclude=${exclude}`)));
    expect(await get('retweets')).toEqual([7, 6, 3, 2, 1].map(postId));
    expect(await get('replies')).toEqual([5, 3, 2, 1].map(postId));
    expect(await get('retweets,replies')).toEqual([3, 2, 1].map(postId));
    const short = await network.app.get(postsOf('?exclude=replies,retweets&max_results=5'));
    expect(idsOf(short)).toEqual([3, 2].map(postId));
    expect(short.body.meta.next_token).toBeDefined();
  });

  it('of a protected account are visible to followers only', async () => {
    const network = await startNetwork({
      users: [{ username: 'bob', protected: true }],
      follows: [{ from: 'carol', to: 'bob' }],
      posts: bobsPosts(1, 2),
    });
    expect(idsOf(await network.as('carol').get(postsOf()))).toHaveLength(2);
    for (const answer of [await network.app.get(postsOf()), await network.as('dave').get(postsOf())]) {
      expect(answer.status).toBe(200);
      expect(answer.body.data).toBeUndefined();
      expect(answer.body.errors[0].type).toContain('not-authorized');
    }
  });
});

describe('mentions of a user', () => {
  it('are the posts of others that mention the user, including replies', async () => {
    const network = await startNetwork({
      posts: [
        { id: postId(1), author: 'alice', text: 'hello @bob' },
        { id: postId(2), author: 'bob', text: 'I am @bob' },
        { id: postId(3), author: 'carol', text: 'nobody here' },
        { id: postId(4), author: 'carol', text: 'well', in_reply_to: postId(2) },
      ],
    });
    const answer = await network.app.get(`/2/users/${ID.bob}/mentions`);
    expect(idsOf(answer)).toEqual([4, 1].map(postId));
    expect(answer.body.meta).toEqual({ result_count: 2, newest_id: postId(4), oldest_id: postId(1) });
  });
});

describe('timelines beyond their maximum length', () => {
  const total = 3_210;
  const at = (n: number): string => String(firstIdAt(Date.parse(NOW) - (total + 60 - n) * 1_000));
  const ids = Array.from({ length: total }, (_, n) => at(n));
  const reachable = [...ids].reverse().slice(0, 3_200);
  const replies = new Set(ids.filter((_, n) => n % 40 === 1));
  const isReply = (id: string): boolean => replies.has(id);
  let network: Network;
  beforeAll(async () => {
    network = await openNetwork({ follows: ['bob', 'dave'].map((to) => ({ from: 'alice', to })) });
    await network.addMany([
      { id: at(-1), author: 'dave' },
      // Every fortieth is a reply; carol is mentioned in the newest 810.
      ...ids.map((id, n) => ({
        id,
        author: 'bob' as const,
        ...(n >= total - 810 && { mentioned: 'carol' as const }),
        ...(isReply(id) && { inReplyTo: ids[0] }),
      })),
    ]);
  });
  afterAll(() => network.close());

  const walk = async (path: string, caller = network.app): Promise<string[]> =>
    (await walkPages(caller, path, 100)).flatMap((page) => page.ids);

  it('return 3,200 posts of a user, or 800 without replies, counted before the exclusion', async () => {
    expect(await walk(postsOf())).toEqual(reachable);
    expect(await walk(postsOf('?exclude=retweets'))).toEqual(reachable);
    const without = reachable.slice(0, 800).filter((id) => !isReply(id));
    expect(await walk(postsOf('?exclude=replies'))).toEqual(without);
    expect(await walk(postsOf('?exclude=retweets,replies'))).toEqual(without);
  });

  it('clamp bounds beyond the maximum', async () => {
    expect(await walk(postsOf(`?since_id=${at(3)}`))).toEqual(reachable);
    expect(await walk(postsOf(`?end_time=${NOW}`))).toEqual(reachable);
    expect(await walk(postsOf(`?until_id=${at(5)}`))).toEqual(reachable.slice(1));
  });

  it('return 800 mentions', async () => {
    const path = `/2/users/${ID.carol}/mentions`;
    expect(await walk(path)).toEqual(reachable.slice(0, 800));
    expect(await walk(`${path}?since_id=${at(0)}`)).toEqual(reachable.slice(0, 800));
    expect(await walk(`${path}?until_id=${at(2_405)}`)).toEqual(reachable.slice(1, 800));
  });

  it('return 3,200 posts at home, whatever is excluded', async () => {
    const alice = network.as('alice');
    expect(await walk(home(), alice)).toEqual(reachable);
    expect(await walk(home('?exclude=replies'), alice)).toEqual(reachable.filter((id) => !isReply(id)));
  });

  it('reach older posts at home after an author is unfollowed', async () => {
    const alice = network.as('alice');
    await alice.delete(`/2/users/${ID.alice}/following/${ID.bob}`);
    expect(await walk(home(), alice)).toEqual([at(-1)]);
  });
});

describe('mentions by muted authors', () => {
  const path = `/2/users/${ID.alice}/mentions?max_results=5`;

  it('are omitted for the muting user unless followed, and shown to others', async () => {
    const network = await startNetwork({
      follows: [{ from: 'alice', to: 'carol' }],
      mutes: [
        { from: 'alice', to: 'bob' },
        { from: 'alice', to: 'carol' },
        { from: 'dave', to: 'bob' },
      ],
      posts: [
        { id: postId(1), author: 'bob', text: 'one @alice' },
        { id: postId(2), author: 'carol', text: 'two @alice' },
        { id: postId(3), author: 'erin', text: 'three @alice' },
      ],
    });
    expect(idsOf(await network.as('alice').get(path))).toEqual([3, 2].map(postId));
    for (const caller of [network.as('dave'), network.as('bob'), network.app]) {
      expect(idsOf(await caller.get(path))).toEqual([3, 2, 1].map(postId));
    }
  });

  it('do not shift pages', async () => {
    const network = await startNetwork({
      mutes: [{ from: 'alice', to: 'bob' }],
      posts: Array.from({ length: 18 }, (_, n) => ({
        id: postId(n + 1),
        author: n % 6 === 0 ? 'erin' : 'bob',
        text: `${n} @alice`,
      })),
    });
    const pages = await walkPages(network.as('alice'), `/2/users/${ID.alice}/mentions`, 5);
    expect(pages.flatMap((page) => page.ids)).toEqual([13, 7, 1].map(postId));
    const back = await network
      .as('alice')
      .get(`${path}&pagination_token=${pages.at(-1)?.meta.previous_token}`);
    expect(idsOf(back)).toEqual(pages.at(-2)?.ids);
  });
});

describe('the home timeline', () => {
  const world = {
    follows: [
      { from: 'alice', to: 'bob' },
      { from: 'alice', to: 'carol' },
    ],
  };

  it('has the posts and reposts of the user and followed users, newest first', async () => {
    const network = await startNetwork({
      ...world,
      posts: [
        { id: postId(1), author: 'bob', text: 'one' },
        { id: postId(2), author: 'dave', text: 'not followed' },
        { id: postId(3), author: 'alice', text: 'my own' },
        { id: postId(4), author: 'carol', repost_of: postId(2) },
      ],
    });
    const alice = network.as('alice');
    expect(idsOf(await alice.get(home()))).toEqual([4, 3, 1].map(postId));
    expect(idsOf(await alice.get(home('?exclude=retweets')))).toEqual([3, 1].map(postId));
    expect((await network.app.get(home())).status).toBe(403);
    expect((await network.as('bob').get(home())).status).toBe(400);
  });

  it('shows a post at once to its author and followers, before and after the fan-out', async () => {
    const network = await startNetwork(world);
    const alice = network.as('alice');
    const bob = network.as('bob');
    expect(idsOf(await alice.get(home()))).toEqual([]);
    const posted = [
      (await bob.post('/2/tweets', { text: 'from bob' })).body.data.id,
      (await alice.post('/2/tweets', { text: 'from alice' })).body.data.id,
    ].reverse();
    expect(idsOf(await alice.get(home()))).toEqual(posted);
    await network.runJobs();
    expect(idsOf(await alice.get(home()))).toEqual(posted);
  });

  it('adds and removes an author on follow, unfollow and block', async () => {
    const network = await startNetwork({ posts: bobsPosts(1, 3) });
    const alice = network.as('alice');
    const follow = () => alice.post(`/2/users/${ID.alice}/following`, { target_user_id: ID.bob });
    expect(idsOf(await alice.get(home()))).toEqual([]);
    await follow();
    expect(idsOf(await alice.get(home()))).toEqual([3, 2, 1].map(postId));
    await alice.delete(`/2/users/${ID.alice}/following/${ID.bob}`);
    expect(idsOf(await alice.get(home()))).toEqual([]);
    await follow();
    const bob = network.as('bob');
    await bob.post(`/2/users/${ID.bob}/blocking`, { target_user_id: ID.alice });
    await bob.delete(`/2/users/${ID.bob}/blocking/${ID.alice}`);
    expect(idsOf(await alice.get(home()))).toEqual([]);
  });

  it('omits muted authors and reposts of them, but not posts that mention them', async () => {
    const network = await startNetwork({
      ...world,
      mutes: [{ from: 'alice', to: 'dave' }],
      posts: [
        { id: postId(1), author: 'dave', text: 'muted' },
        { id: postId(2), author: 'bob', repost_of: postId(1) },
        { id: postId(3), author: 'carol', text: 'kept' },
        { id: postId(4), author: 'bob', text: 'look', quote_of: postId(1) },
        { id: postId(5), author: 'bob', text: 'well', in_reply_to: postId(1) },
        { id: postId(6), author: 'bob', text: 'hello @dave' },
      ],
    });
    const alice = network.as('alice');
    expect(idsOf(await alice.get(home()))).toEqual([6, 5, 4, 3].map(postId));
    await alice.post(`/2/users/${ID.alice}/muting`, { target_user_id: ID.carol });
    expect(idsOf(await alice.get(home()))).toEqual([6, 5, 4].map(postId));
  });

  it('pages through stored posts, own posts and posts awaiting fan-out', async () => {
    const network = await startNetwork({ ...world, posts: bobsPosts(1, 30) });
    const [alice, bob] = [network.as('alice'), network.as('bob')];
    await alice.get(home());
    for (let n = 0; n < 5; n += 1) {
      await bob.post('/2/tweets', { text: `waits ${n}` });
      await alice.post('/2/tweets', { text: `own ${n} ${PUBLIC_URL}` });
    }
    const whole = idsOf(await alice.get(home()));
    expect(whole).toHaveLength(40);
    const joined: string[] = [];
    for (let token = ''; ;) {
      const page = await alice.get(home(`?max_results=7${token}`));
      joined.push(...idsOf(page));
      if (page.body.meta.next_token === undefined) break;
      token = `&pagination_token=${page.body.meta.next_token}`;
    }
    expect(joined).toEqual(whole);
  });
});
