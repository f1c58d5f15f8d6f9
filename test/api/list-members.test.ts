import { describe, expect, test } from 'vitest';
import { MAX_LIST_MEMBERS } from '../../src/core/limits.js';
import { sql } from '../../src/database/sql.js';
import { startTestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { missingTarget, refusal } from './support/errors.js';
import { addMember, followList, listCounts, listedCount, createList, removeMember } from './support/lists.js';
import { ID, startNetwork, type Network } from './support/network.js';
import { idsIn } from './support/pages.js';
import { block, unblock } from './support/relations.js';

/** Members of Lists (docs/api/lists.md, docs/api/people.md#follows-blocks-and-mutes). */

const MEMBER = { data: { is_member: true } };
const NO_MEMBER = { data: { is_member: false } };
const NOT_PERMITTED = refusal('You are not permitted to perform this action.');

async function membersOf({ app }: Network, list: string): Promise<string[]> {
  return idsIn(await app.get(`/2/lists/${list}/members`));
}

describe('adding a member', () => {
  test('is idempotent and counts once for List and user', async () => {
    const network = await startNetwork();
    const list = await createList(network, 'alice');
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await addMember(network, 'alice', list, 'bob');
      expect([status, body]).toEqual([200, MEMBER]);
    }
    expect(await membersOf(network, list)).toEqual([ID.bob]);
    expect(await listCounts(network.app, list)).toEqual([1, 0]);
    expect(await listedCount(network, 'bob')).toBe(1);
    expect(idsIn(await network.app.get(`/2/users/${ID.bob}/list_memberships`))).toEqual([list]);
  });

  test('twice concurrently counts once', async () => {
    const network = await startNetwork();
    const list = await createList(network, 'alice');
    await Promise.all(Array.from({ length: 4 }, () => addMember(network, 'alice', list, 'bob')));
    expect(await listCounts(network.app, list)).toEqual([1, 0]);
    expect(await listedCount(network, 'bob')).toBe(1);
  });

  test('accepts the owner and protected users', async () => {
    const network = await startNetwork({ users: [{ username: 'dave', protected: true }] });
    const list = await createList(network, 'alice');
    for (const name of ['alice', 'dave'] as const) {
      expect((await addMember(network, 'alice', list, name)).body).toEqual(MEMBER);
    }
    expect(await membersOf(network, list)).toEqual([ID.dave, ID.alice]);
  });

  test('requires the owner, also to add oneself', async () => {
    const network = await startNetwork();
    const list = await createList(network, 'alice');
    for (const user of ['carol', 'bob'] as const) {
      const { status, body } = await addMember(network, 'bob', list, user);
      expect([status, body]).toEqual([403, refusal('You are not allowed to add members to this List.')]);
    }
  });

  test.each(['alice', 'bob'] as const)('with a block by %s is refused', async (blocker) => {
    const network = await startNetwork({
      blocks: [{ from: blocker, to: blocker === 'bob' ? 'alice' : 'bob' }],
    });
    const list = await createList(network, 'alice');
    const { status, body } = await addMember(network, 'alice', list, 'bob');
    expect([status, body]).toEqual([403, NOT_PERMITTED]);
  });

  test('returns 403 for a suspended user', async () => {
    const network = await startNetwork();
    const list = await createList(network, 'alice');
    await network.suspend('bob');
    const { status, body } = await addMember(network, 'alice', list, 'bob');
    expect([status, body]).toEqual([403, NOT_PERMITTED]);
  });

  test('returns 404 for an unknown user and an unknown List', async () => {
    const network = await startNetwork();
    const list = await createList(network, 'alice');
    const nobody = await addMember(network, 'alice', list, '404');
    expect([nobody.status, nobody.body]).toEqual([404, missingTarget('user', 'user_id', '404')]);
    const nowhere = await addMember(network, 'alice', '404', 'bob');
    expect([nowhere.status, nowhere.body]).toEqual([404, missingTarget('list', 'id', '404')]);
  });

  test('requires a user_id', async () => {
    const network = await startNetwork();
    const list = await createList(network, 'alice');
    const { status, body } = await network.as('alice').post(`/2/lists/${list}/members`, {});
    expect([status, body.errors[0].message]).toEqual([400, '$.user_id: is missing but it is required']);
  });
});

describe('removing a member', () => {
  test('is idempotent and counts once', async () => {
    const network = await startNetwork();
    const list = await createList(network, 'alice');
    for (const name of ['bob', 'carol'] as const) await addMember(network, 'alice', list, name);
    for (const user of ['bob', 'bob', '404'] as const) {
      const { status, body } = await removeMember(network, 'alice', list, user);
      expect([status, body]).toEqual([200, NO_MEMBER]);
    }
    expect(await membersOf(network, list)).toEqual([ID.carol]);
    expect(await listCounts(network.app, list)).toEqual([1, 0]);
    expect([await listedCount(network, 'bob'), await listedCount(network, 'carol')]).toEqual([0, 1]);
  });

  test('requires the owner, also to remove oneself', async () => {
    const network = await startNetwork();
    const list = await createList(network, 'alice');
    await addMember(network, 'alice', list, 'bob');
    const { status, body } = await removeMember(network, 'bob', list, 'bob');
    expect([status, body]).toEqual([403, refusal('You are not allowed to delete members from this List.')]);
  });

  test('of another user’s private List returns 404', async () => {
    const network = await startNetwork();
    const list = await createList(network, 'alice', { name: 'Nest', private: true });
    const { status, body } = await removeMember(network, 'bob', list, 'bob');
    expect([status, body]).toEqual([404, missingTarget('list', 'id', list)]);
  });
});

describe('a block', () => {
  test.each([
    ['alice', 'bob'],
    ['bob', 'alice'],
  ] as const)('of %s against %s removes each from the other’s Lists only', async (one, other) => {
    const network = await startNetwork();
    const alices = await createList(network, 'alice');
    const secret = await createList(network, 'alice', { name: 'Nest', private: true });
    const bobs = await createList(network, 'bob');
    const carols = await createList(network, 'carol');
    for (const list of [alices, secret]) await addMember(network, 'alice', list, 'bob');
    await addMember(network, 'alice', alices, 'carol');
    await addMember(network, 'bob', bobs, 'alice');
    await addMember(network, 'carol', carols, 'alice');
    await addMember(network, 'carol', carols, 'bob');
    await followList(network, 'bob', alices);
    await followList(network, 'alice', bobs);
    await followList(network, 'alice', carols);

    await block(network, one, other);
    expect(await membersOf(network, alices)).toEqual([ID.carol]);
    expect(await listCounts(network.app, alices)).toEqual([1, 0]);
    expect(await listCounts(network.as('alice'), secret)).toEqual([0, 0]);
    expect(await listCounts(network.app, bobs)).toEqual([0, 0]);
    expect(await listCounts(network.app, carols)).toEqual([2, 1]);
    expect([await listedCount(network, 'alice'), await listedCount(network, 'bob')]).toEqual([1, 1]);

    await unblock(network, one, other);
    expect(await membersOf(network, alices)).toEqual([ID.carol]);
    expect((await addMember(network, 'alice', alices, 'bob')).body).toEqual(MEMBER);
  });

  test('concurrent with an addition leaves no blocked member', async () => {
    const network = await startNetwork();
    const list = await createList(network, 'alice');
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([addMember(network, 'alice', list, 'bob'), block(network, 'bob', 'alice')]);
      expect(await membersOf(network, list)).toEqual([]);
      expect(await listCounts(network.app, list)).toEqual([0, 0]);
      await unblock(network, 'bob', 'alice');
    }
  });
});

test('a List has at most 5,000 members', async () => {
  await using app = await startTestApp();
  await app.load({ lists: [{ id: '5001', owner: 'alice', name: 'All', members: ['bob'] }] });
  // Simulates 4,998 other members: the count is stored.
  await app.pipit.backend.engine.tx('fill list', (tx) =>
    tx.run(sql`UPDATE list_counts SET members = ${MAX_LIST_MEMBERS - 1} WHERE list_id = ${5001n}`),
  );
  const alice = await app.as('alice');
  const add = (userId: string) => app.post('/2/lists/5001/members', alice, { user_id: userId });
  const answers = await Promise.all([add(USERS.carol), add(USERS.dave)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  const refused = answers.find(({ status }) => status === 403);
  expect(refused?.body).toEqual(refusal('A List may have at most 5000 members.'));
  expect((await add(USERS.bob)).body).toEqual(MEMBER);
  await app.delete(`/2/lists/5001/members/${USERS.bob}`, alice);
  for (const { status } of await Promise.all([add(USERS.carol), add(USERS.dave)])) expect(status).toBe(200);
});
