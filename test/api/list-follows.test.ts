import { describe, expect, test } from 'vitest';
import { missingTarget, notFound, refusal } from './support/errors.js';
import { followList, listCounts, createList, pinList, unfollowList, unpinList } from './support/lists.js';
import { ID, startNetwork, type Name, type Network } from './support/network.js';
import { idsIn } from './support/pages.js';
import { block, unblock } from './support/relations.js';

/** Following and pinning Lists (docs/api/lists.md, docs/api/people.md#follows-blocks-and-mutes). */

const FOLLOWING = { data: { following: true } };
const NOT_FOLLOWING = { data: { following: false } };
const PINNED = { data: { pinned: true } };
const NOT_PINNED = { data: { pinned: false } };
const NOT_PERMITTED = refusal('You are not permitted to perform this action.');
const UNKNOWN = '1577000000000000001';

async function followedBy({ app }: Network, name: Name): Promise<string[]> {
  return idsIn(await app.get(`/2/users/${ID[name]}/followed_lists`));
}

async function pinnedBy({ as }: Network, name: Name): Promise<string[]> {
  return idsIn(await as(name).get(`/2/users/${ID[name]}/pinned_lists`));
}

describe('following a List', () => {
  test('is idempotent and counts once', async () => {
    const network = await startNetwork();
    const list = await createList(network, 'alice');
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await followList(network, 'bob', list);
      expect([status, body]).toEqual([200, FOLLOWING]);
    }
    expect(await followedBy(network, 'bob')).toEqual([list]);
    expect(idsIn(await network.app.get(`/2/lists/${list}/followers`))).toEqual([ID.bob]);
    expect(await listCounts(network.app, list)).toEqual([0, 1]);
  });

  test('works for one’s own private List', async () => {
    const network = await startNetwork();
    const list = await createList(network, 'alice', { name: 'Nest', private: true });
    expect((await followList(network, 'alice', list)).body).toEqual(FOLLOWING);
  });

  test('ends by unfollowing, which is idempotent and lowers the count', async () => {
    const network = await startNetwork();
    const list = await createList(network, 'alice');
    for (const name of ['bob', 'carol'] as const) await followList(network, name, list);
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await unfollowList(network, 'bob', list);
      expect([status, body]).toEqual([200, NOT_FOLLOWING]);
    }
    expect(await followedBy(network, 'bob')).toEqual([]);
    expect(await listCounts(network.app, list)).toEqual([0, 1]);
    expect((await unfollowList(network, 'bob', UNKNOWN)).body).toEqual(NOT_FOLLOWING);
  });

  test('returns 404 and names the parameter for an unknown List or another user’s private one', async () => {
    const network = await startNetwork();
    const list = await createList(network, 'alice', { name: 'Nest', private: true });
    for (const unknown of [list, UNKNOWN]) {
      const { status, body } = await followList(network, 'bob', unknown);
      expect([status, body]).toEqual([404, missingTarget('list', 'list_id', unknown)]);
    }
  });

  test('ends with a block in either direction and stays ended after it', async () => {
    for (const [one, other] of [
      ['alice', 'bob'],
      ['bob', 'alice'],
    ] as const) {
      const network = await startNetwork();
      const list = await createList(network, 'alice');
      for (const name of ['bob', 'carol'] as const) await followList(network, name, list);
      await block(network, one, other);
      expect(await listCounts(network.app, list)).toEqual([0, 1]);
      expect(await followedBy(network, 'bob')).toEqual([]);
      const { status, body } = await followList(network, 'bob', list);
      expect([status, body]).toEqual([403, NOT_PERMITTED]);
      await unblock(network, one, other);
      expect(await followedBy(network, 'bob')).toEqual([]);
      expect((await followList(network, 'bob', list)).body).toEqual(FOLLOWING);
    }
  });

  test('returns 400 on behalf of another user, and requires a user', async () => {
    const { as, app } = await startNetwork();
    expect((await as('alice').post(`/2/users/${ID.bob}/followed_lists`, { list_id: '1' })).status).toBe(400);
    expect((await as('alice').delete(`/2/users/${ID.bob}/followed_lists/1`)).status).toBe(400);
    expect((await app.post(`/2/users/${ID.bob}/followed_lists`, { list_id: '1' })).status).toBe(403);
  });

  test('listed for an unknown user gives an error', async () => {
    const { app } = await startNetwork();
    for (const relation of ['owned_lists', 'list_memberships', 'followed_lists']) {
      expect((await app.get(`/2/users/404/${relation}`)).body, relation).toEqual({
        errors: [notFound('user', 'id', '404')],
        meta: { result_count: 0 },
      });
    }
  });
});

describe('pinning a List', () => {
  test('lists it, newest pin first, without page tokens', async () => {
    const network = await startNetwork();
    const [one, two] = [
      await createList(network, 'alice'),
      await createList(network, 'bob', { name: 'Reeds' }),
    ];
    for (const list of [two, one, two]) {
      const { status, body } = await pinList(network, 'bob', list);
      expect([status, body]).toEqual([200, PINNED]);
    }
    const path = `/2/users/${ID.bob}/pinned_lists?expansions=owner_id&list.fields=private`;
    expect((await network.as('bob').get(path)).body).toEqual({
      data: [
        { id: one, name: 'Pond', owner_id: ID.alice, private: false },
        { id: two, name: 'Reeds', owner_id: ID.bob, private: false },
      ],
      includes: {
        users: [
          { id: ID.alice, name: 'alice the bird', username: 'alice' },
          { id: ID.bob, name: 'bob the bird', username: 'bob' },
        ],
      },
      meta: { result_count: 2 },
    });
  });

  test('ends by unpinning, which is idempotent', async () => {
    const network = await startNetwork();
    const list = await createList(network, 'alice');
    await pinList(network, 'bob', list);
    for (const id of [list, list, UNKNOWN]) {
      const { status, body } = await unpinList(network, 'bob', id);
      expect([status, body]).toEqual([200, NOT_PINNED]);
    }
    expect((await network.as('bob').get(`/2/users/${ID.bob}/pinned_lists`)).body).toEqual({
      meta: { result_count: 0 },
    });
  });

  test('is limited to five', async () => {
    const network = await startNetwork();
    const lists: string[] = [];
    for (let n = 0; n < 6; n += 1) lists.unshift(await createList(network, 'alice'));
    const [sixth = '', ...first] = lists;
    for (const list of first.toReversed()) await pinList(network, 'bob', list);
    const { status, body } = await pinList(network, 'bob', sixth);
    expect([status, body]).toEqual([403, refusal('You are not allowed to pin more than 5 Lists.')]);
    expect(await pinnedBy(network, 'bob')).toEqual(first);
    expect((await pinList(network, 'bob', first[0] ?? '')).body).toEqual(PINNED);
    await unpinList(network, 'bob', first[4] ?? '');
    expect((await pinList(network, 'bob', sixth)).body).toEqual(PINNED);
    expect(await pinnedBy(network, 'bob')).toEqual(lists.slice(0, 5));
  });

  test('does not count Lists that became private toward the limit', async () => {
    const network = await startNetwork();
    const lists: string[] = [];
    for (let n = 0; n < 6; n += 1) lists.push(await createList(network, 'alice'));
    const [hidden = '', ...others] = lists;
    for (const list of lists.slice(0, 5)) await pinList(network, 'bob', list);
    await network.as('alice').put(`/2/lists/${hidden}`, { private: true });
    expect((await pinList(network, 'bob', others[4] ?? '')).body).toEqual(PINNED);
    await network.as('alice').put(`/2/lists/${hidden}`, { private: false });
    expect(await pinnedBy(network, 'bob')).toEqual(others.toReversed());
  });

  test('six times concurrently pins five', async () => {
    const network = await startNetwork();
    const lists = await Promise.all(Array.from({ length: 6 }, () => createList(network, 'alice')));
    const answers = await Promise.all(lists.map((list) => pinList(network, 'bob', list)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 403]);
    expect(await pinnedBy(network, 'bob')).toHaveLength(5);
  });

  test('returns 404 for an unknown List or another user’s private one', async () => {
    const network = await startNetwork();
    const list = await createList(network, 'alice', { name: 'Nest', private: true });
    for (const unknown of [list, UNKNOWN]) {
      const { status, body } = await pinList(network, 'bob', unknown);
      expect([status, body]).toEqual([404, missingTarget('list', 'list_id', unknown)]);
    }
  });

  test('shows pins to the user only and has no paging', async () => {
    const { as, app } = await startNetwork();
    expect((await as('alice').get(`/2/users/${ID.bob}/pinned_lists`)).status).toBe(400);
    expect((await app.get(`/2/users/${ID.bob}/pinned_lists`)).status).toBe(403);
    expect((await as('bob').get(`/2/users/${ID.bob}/pinned_lists?max_results=5`)).status).toBe(400);
  });
});
