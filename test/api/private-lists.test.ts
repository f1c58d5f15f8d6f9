import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { notFound } from './support/errors.js';
import { addMember, followList, createList, pinList } from './support/lists.js';
import { ID, openNetwork, postId, type Caller, type Name, type Network } from './support/network.js';
import { idsIn } from './support/pages.js';

/** A private List is visible to its owner only, at every endpoint (docs/api/objects.md#visibility). */

let network: Network;
let nest: string;
let closed: string;
let pond: string;

/** `nest` was created private; `closed` was public while bob followed and pinned it. bob is a member of both. */
beforeAll(async () => {
  network = await openNetwork({ posts: [{ id: postId(1), author: 'bob', text: 'By bob' }] });
  pond = await createList(network, 'alice');
  nest = await createList(network, 'alice', { name: 'Nest', private: true });
  closed = await createList(network, 'alice', { name: 'Closed' });
  for (const list of [pond, nest, closed]) await addMember(network, 'alice', list, 'bob');
  for (const list of [pond, closed]) {
    await followList(network, 'bob', list);
    await pinList(network, 'bob', list);
  }
  for (const list of [nest, closed]) {
    await followList(network, 'alice', list);
    await pinList(network, 'alice', list);
  }
  await network.as('alice').put(`/2/lists/${closed}`, { private: true });
});
afterAll(() => network.close());

function callers(): [string, Caller][] {
  return [
    ['app', network.app],
    ...(['bob', 'carol'] as const).map((name): [string, Caller] => [name, network.as(name)]),
  ];
}

describe('for other users', () => {
  test.each(['', '/members', '/followers', '/tweets'])('/2/lists/{id}%s returns not found', async (rest) => {
    const meta = rest === '' ? {} : { meta: { result_count: 0 } };
    for (const list of [nest, closed]) {
      for (const [who, caller] of callers()) {
        const { status, body } = await caller.get(`/2/lists/${list}${rest}`);
        expect([status, body], who).toEqual([200, { errors: [notFound('list', 'id', list)], ...meta }]);
      }
    }
  });

  test.each([
    ['alice', 'owned_lists', () => [pond]],
    ['bob', 'list_memberships', () => [pond]],
    ['bob', 'followed_lists', () => [pond]],
    ['alice', 'followed_lists', () => []],
  ] as const)('%s’s %s omit it, as do expansions', async (name: Name, relation, expected) => {
    for (const [who, caller] of callers()) {
      const answer = await caller.get(`/2/users/${ID[name]}/${relation}?expansions=owner_id`);
      expect(idsIn(answer), who).toEqual(expected());
      expect(JSON.stringify(answer.body), who).not.toMatch(/Nest|Closed/);
    }
  });

  test('existing pins are hidden', async () => {
    expect(idsIn(await network.as('bob').get(`/2/users/${ID.bob}/pinned_lists`))).toEqual([pond]);
  });
});

describe('for its owner', () => {
  test('every endpoint shows it', async () => {
    const alice = network.as('alice');
    expect((await alice.get(`/2/lists/${nest}?list.fields=private`)).body.data).toMatchObject({
      private: true,
    });
    expect(idsIn(await alice.get(`/2/lists/${nest}/members`))).toEqual([ID.bob]);
    expect(idsIn(await alice.get(`/2/lists/${nest}/followers`))).toEqual([ID.alice]);
    expect(idsIn(await alice.get(`/2/lists/${nest}/tweets`))).toEqual([postId(1)]);
    expect(idsIn(await alice.get(`/2/users/${ID.alice}/owned_lists`))).toEqual([closed, nest, pond]);
    expect(idsIn(await alice.get(`/2/users/${ID.bob}/list_memberships`))).toEqual([closed, nest, pond]);
    expect(idsIn(await alice.get(`/2/users/${ID.alice}/followed_lists`))).toEqual([closed, nest]);
    expect(idsIn(await alice.get(`/2/users/${ID.alice}/pinned_lists`))).toEqual([closed, nest]);
  });
});
