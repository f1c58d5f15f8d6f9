import { describe, expect, test } from 'vitest';
import { ID, startNetwork, type Name, type Network } from './support/network.js';

/** What others did that concerns a user (docs/api/pipit.md#notifications). */

interface WireNotification {
  readonly id: string;
  readonly type: string;
  readonly is_read: boolean;
  readonly post_id?: string;
  readonly user_ids: readonly string[];
  readonly user_count: number;
}

const PATH = '/_pipit/notifications';
const listOf = async (network: Network, name: Name, query = ''): Promise<WireNotification[]> =>
  (await network.as(name).get(PATH + query)).body.data ?? [];
const shown = (list: readonly WireNotification[]) =>
  list.map(({ type, post_id, user_ids }) => [type, post_id, ...user_ids]);
const unreadOf = async (network: Network, name: Name): Promise<number> =>
  (await network.as(name).get(`${PATH}/unread_count`)).body.data.unread_count;
const post = async (network: Network, name: Name, body: object): Promise<string> =>
  (await network.as(name).post('/2/tweets', body)).body.data.id;
const like = (network: Network, name: Name, tweet_id: string) =>
  network.as(name).post(`/2/users/${ID[name]}/likes`, { tweet_id });
const repost = (network: Network, name: Name, tweet_id: string) =>
  network.as(name).post(`/2/users/${ID[name]}/retweets`, { tweet_id });
const follow = (network: Network, name: Name, target: Name) =>
  network.as(name).post(`/2/users/${ID[name]}/following`, { target_user_id: ID[target] });

describe('notifications', () => {
  test('tell of each kind once, grouped, to nobody but the user', async () => {
    const network = await startNetwork({});
    const own = await post(network, 'alice', { text: 'Hello @alice' });
    const mention = await post(network, 'bob', { text: 'Look, @alice and @carol' });
    const reply = await post(network, 'bob', { text: 'Yes @alice', reply: { in_reply_to_tweet_id: own } });
    const quote = await post(network, 'carol', { text: 'See', quote_tweet_id: own });
    for (const name of ['bob', 'carol', 'alice'] as const) await like(network, name, own);
    await like(network, 'bob', own);
    await repost(network, 'dave', own);
    await follow(network, 'bob', 'alice');
    await follow(network, 'carol', 'alice');
    expect(shown(await listOf(network, 'alice'))).toEqual([
      ['follow', undefined, ID.carol, ID.bob],
      ['repost', own, ID.dave],
      ['like', own, ID.carol, ID.bob],
      ['quote', quote, ID.carol],
      ['reply', reply, ID.bob],
      ['mention', mention, ID.bob],
    ]);
    expect(shown(await listOf(network, 'carol'))).toEqual([['mention', mention, ID.bob]]);
    expect(await listOf(network, 'bob')).toEqual([]);
    expect(await unreadOf(network, 'alice')).toBe(8);
  });

  test('disappear when they are undone, deleted, or come from blocked or muted users', async () => {
    const network = await startNetwork({});
    const own = await post(network, 'alice', { text: 'Hello' });
    await like(network, 'bob', own);
    await repost(network, 'bob', own);
    await follow(network, 'bob', 'alice');
    const reply = await post(network, 'bob', { text: 'Hi', reply: { in_reply_to_tweet_id: own } });
    await like(network, 'carol', own);
    await like(network, 'dave', own);
    expect(await unreadOf(network, 'alice')).toBe(6);
    await network.as('bob').delete(`/2/users/${ID.bob}/likes/${own}`);
    await network.as('bob').delete(`/2/users/${ID.bob}/retweets/${own}`);
    await network.as('bob').delete(`/2/users/${ID.bob}/following/${ID.alice}`);
    await network.as('bob').delete(`/2/tweets/${reply}`);
    await network.as('alice').post(`/2/users/${ID.alice}/blocking`, { target_user_id: ID.carol });
    await network.as('alice').post(`/2/users/${ID.alice}/muting`, { target_user_id: ID.dave });
    expect(await listOf(network, 'alice')).toEqual([]);
    expect(await unreadOf(network, 'alice')).toBe(0);
    await network.as('alice').delete(`/2/users/${ID.alice}/muting/${ID.dave}`);
    expect(shown(await listOf(network, 'alice'))).toEqual([['like', own, ID.dave]]);
  });

  test('are read up to one of them, and pages join to the whole list', async () => {
    const network = await startNetwork({ users: [{ username: 'alice', protected: true }] });
    await follow(network, 'bob', 'alice');
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1) ids.unshift(await post(network, 'carol', { text: `@alice ${at}` }));
    const whole = await listOf(network, 'alice');
    expect(whole.map(({ type }) => type)).toEqual([...Array<string>(5).fill('mention'), 'follow_request']);
    const joined: WireNotification[] = [];
    let token = '';
    do {
      const { body } = await network.as('alice').get(`${PATH}?max_results=2${token}`);
      joined.push(...body.data);
      token = body.meta.next_token === undefined ? '' : `&pagination_token=${body.meta.next_token}`;
    } while (token !== '');
    expect(joined).toEqual(whole);
    const read = (up_to_id: unknown) => network.as('alice').post(`${PATH}/read`, { up_to_id });
    expect((await read(ids[2])).body).toEqual({ data: { unread_count: 2 } });
    expect((await read(ids[4])).body).toEqual({ data: { unread_count: 2 } });
    const after = await listOf(network, 'alice');
    expect(after.map(({ is_read }) => is_read)).toEqual([false, false, true, true, true, true]);
    await network.as('alice').post(`/_pipit/follow_requests/${ID.bob}/accept`, undefined);
    expect(shown(await listOf(network, 'alice')).map(([type]) => type)).not.toContain('follow_request');
    for (const bad of [undefined, '', 'x', -1, 1.5, {}]) expect((await read(bad)).status).toBe(400);
    expect((await network.app.get(PATH)).status).toBe(403);
  });
});
