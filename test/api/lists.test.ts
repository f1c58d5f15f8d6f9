import { describe, expect, test } from 'vitest';
import { deleteAccount } from '../../src/services/accounts/delete-account.js';
import type { UserId } from '../../src/core/ids.js';
import { findUser } from '../../src/stores/users.js';
import { startTestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { invalidRequest, missingTarget, notFound, refusal, suspended } from './support/errors.js';
import { addMember, followList, listCounts, listedCount, createList, pinList } from './support/lists.js';
import { ID, NOW, startNetwork } from './support/network.js';
import { idsIn } from './support/pages.js';

/** Creating, changing, deleting and reading Lists (docs/api/lists.md, docs/api/objects.md#list). */

const ALL_FIELDS = 'created_at,description,follower_count,id,member_count,name,owner_id,private';
const UNKNOWN = '1577000000000000001';

describe('creating a List', () => {
  test('returns 201 with id and name, and stores every field', async () => {
    const { as, app } = await startNetwork();
    const { status, body } = await as('alice').post('/2/lists', { name: 'Pond', description: 'Who swims' });
    const { id } = body.data;
    expect([status, body]).toEqual([201, { data: { id, name: 'Pond' } }]);
    expect((await app.get(`/2/lists/${id}?list.fields=${ALL_FIELDS}`)).body).toEqual({
      data: {
        id,
        name: 'Pond',
        created_at: NOW,
        description: 'Who swims',
        follower_count: 0,
        member_count: 0,
        owner_id: ID.alice,
        private: false,
      },
    });
  });

  test('needs no description, which is then empty', async () => {
    const network = await startNetwork();
    const id = await createList(network, 'alice');
    const { body } = await network.app.get(`/2/lists/${id}?list.fields=description`);
    expect(body).toEqual({ data: { id, name: 'Pond', description: '' } });
  });

  test.each([
    ['a missing name', {}, '$.name: is missing but it is required'],
    ['an empty name', { name: '' }, '$.name: must be at least 1 characters long'],
    ['a blank name', { name: ' \n' }, '$.name: does not match the regex pattern \\S'],
    ['a name of 26 characters', { name: '🐦'.repeat(26) }, '$.name: may only be 25 characters long'],
    [
      'a description of 101 characters',
      { name: 'x', description: 'x'.repeat(101) },
      '$.description: may only be 100 characters long',
    ],
    [
      'a privacy that is not a boolean',
      { name: 'x', private: 'yes' },
      '$.private: string found, boolean expected',
    ],
  ])('with %s returns 400', async (_what, sent, message) => {
    const { as } = await startNetwork();
    const { status, body } = await as('alice').post('/2/lists', sent);
    expect(status).toBe(400);
    expect(body.errors.map((error: { message: string }) => error.message)).toEqual([message]);
  });

  test('accepts names of 25 and descriptions of 100 characters, counted in code points', async () => {
    const { as } = await startNetwork();
    const sent = { name: '🐦'.repeat(25), description: 'é'.repeat(100) };
    expect((await as('alice').post('/2/lists', sent)).status).toBe(201);
  });

  test('requires a user', async () => {
    const { app } = await startNetwork();
    const { status, body } = await app.post('/2/lists', { name: 'Pond' });
    expect([status, body.title]).toEqual([403, 'Unsupported Authentication']);
  });
});

describe('changing a List', () => {
  test('changes the members of the body only', async () => {
    const network = await startNetwork();
    const alice = network.as('alice');
    const id = await createList(network, 'alice', { name: 'Pond', description: 'Who swims' });
    const show = async () =>
      (await alice.get(`/2/lists/${id}?list.fields=description,private`)).body.data as unknown;
    const { status, body } = await alice.put(`/2/lists/${id}`, { name: 'Lake' });
    expect([status, body]).toEqual([200, { data: { updated: true } }]);
    expect(await show()).toEqual({ id, name: 'Lake', description: 'Who swims', private: false });
    await alice.put(`/2/lists/${id}`, { description: '', private: true });
    expect(await show()).toEqual({ id, name: 'Lake', description: '', private: true });
    expect((await alice.put(`/2/lists/${id}`, {})).body).toEqual({ data: { updated: true } });
    expect(await show()).toEqual({ id, name: 'Lake', description: '', private: true });
  });

  test('requires the owner', async () => {
    const network = await startNetwork();
    const id = await createList(network, 'alice');
    const { status, body } = await network.as('bob').put(`/2/lists/${id}`, { name: 'Mine' });
    expect([status, body]).toEqual([403, refusal('You are not allowed to update this List.')]);
  });

  test('returns 404 for an unknown List or another user’s private one', async () => {
    const network = await startNetwork();
    const id = await createList(network, 'alice', { name: 'Nest', private: true });
    for (const unknown of [id, UNKNOWN]) {
      const { status, body } = await network.as('bob').put(`/2/lists/${unknown}`, { name: 'Mine' });
      expect([status, body]).toEqual([404, missingTarget('list', 'id', unknown)]);
    }
  });

  test('returns 400 for a name that is too long', async () => {
    const network = await startNetwork();
    const id = await createList(network, 'alice');
    const { status, body } = await network.as('alice').put(`/2/lists/${id}`, { name: 'x'.repeat(26) });
    expect(status).toBe(400);
    expect(body).toEqual(
      invalidRequest([{ '$.name': ['x'.repeat(26)] }, '$.name: may only be 25 characters long']),
    );
  });

  test('to private lowers the listed count of its members, and to public restores it', async () => {
    const network = await startNetwork();
    const id = await createList(network, 'alice');
    for (const name of ['bob', 'carol'] as const) await addMember(network, 'alice', id, name);
    expect(await listedCount(network, 'bob')).toBe(1);
    for (let time = 0; time < 2; time += 1)
      await network.as('alice').put(`/2/lists/${id}`, { private: true });
    expect([await listedCount(network, 'bob'), await listedCount(network, 'carol')]).toEqual([0, 0]);
    await addMember(network, 'alice', id, 'dave');
    expect(await listedCount(network, 'dave')).toBe(0);
    await network.as('alice').put(`/2/lists/${id}`, { private: false });
    for (const name of ['bob', 'carol', 'dave'] as const) expect(await listedCount(network, name)).toBe(1);
  });
});

describe('deleting a List', () => {
  test('deletes memberships, follows and pins (docs/api/posts.md#deletion)', async () => {
    const network = await startNetwork();
    const { as, app } = network;
    const id = await createList(network, 'alice');
    const kept = await createList(network, 'alice', { name: 'Kept' });
    for (const list of [id, kept]) {
      await addMember(network, 'alice', list, 'bob');
      await followList(network, 'carol', list);
      await pinList(network, 'carol', list);
    }
    const { status, body } = await as('alice').delete(`/2/lists/${id}`);
    expect([status, body]).toEqual([200, { data: { deleted: true } }]);
    expect((await app.get(`/2/lists/${id}`)).body).toEqual({ errors: [notFound('list', 'id', id)] });
    for (const path of [
      `/2/users/${ID.alice}/owned_lists`,
      `/2/users/${ID.bob}/list_memberships`,
      `/2/users/${ID.carol}/followed_lists`,
      `/2/users/${ID.carol}/pinned_lists`,
    ]) {
      expect(idsIn(await as('carol').get(path)), path).toEqual([kept]);
    }
    expect(await listedCount(network, 'bob')).toBe(1);
    expect(await listCounts(app, kept)).toEqual([1, 1]);
  });

  test('requires the owner', async () => {
    const network = await startNetwork();
    const id = await createList(network, 'alice');
    const { status, body } = await network.as('bob').delete(`/2/lists/${id}`);
    expect([status, body]).toEqual([403, refusal('You are not allowed to delete this List.')]);
  });

  test('that is already deleted returns 404', async () => {
    const network = await startNetwork();
    const id = await createList(network, 'alice');
    await network.as('alice').delete(`/2/lists/${id}`);
    const { status, body } = await network.as('alice').delete(`/2/lists/${id}`);
    expect([status, body]).toEqual([404, missingTarget('list', 'id', id)]);
  });
});

describe('reading a List', () => {
  test('returns id and name, and the requested fields', async () => {
    const network = await startNetwork();
    const id = await createList(network, 'alice');
    expect((await network.app.get(`/2/lists/${id}`)).body).toEqual({ data: { id, name: 'Pond' } });
    expect((await network.as('bob').get(`/2/lists/${id}?list_fields=private`)).body).toEqual({
      data: { id, name: 'Pond', private: false },
    });
  });

  test('expands its owner and adds owner_id', async () => {
    const network = await startNetwork();
    const id = await createList(network, 'alice');
    const { body } = await network.app.get(`/2/lists/${id}?expansions=owner_id&user.fields=protected`);
    expect(body).toEqual({
      data: { id, name: 'Pond', owner_id: ID.alice },
      includes: {
        users: [{ id: ID.alice, username: 'alice', name: 'alice the bird', protected: false }],
      },
    });
  });

  test('that does not exist returns 200 with an error that repeats the id as sent', async () => {
    const { app } = await startNetwork();
    const { status, body } = await app.get('/2/lists/00404');
    expect([status, body]).toEqual([200, { errors: [notFound('list', 'id', '00404')] }]);
  });

  test('of a suspended owner finds nothing', async () => {
    const network = await startNetwork();
    const id = await createList(network, 'alice');
    await network.suspend('alice');
    expect((await network.app.get(`/2/lists/${id}`)).body).toEqual({ errors: [notFound('list', 'id', id)] });
    expect((await network.app.get(`/2/users/${ID.alice}/owned_lists`)).body).toEqual({
      errors: [suspended('id', ID.alice)],
      meta: { result_count: 0 },
    });
  });

  test('returns 400 for a field or expansion that Lists do not have', async () => {
    const { app } = await startNetwork();
    expect((await app.get('/2/lists/1?list.fields=colour')).status).toBe(400);
    expect((await app.get('/2/lists/1?expansions=author_id')).status).toBe(400);
    expect((await app.get('/2/lists/1?tweet.fields=text')).status).toBe(400);
  });
});

test('a user can own at most 1,000 Lists', async () => {
  const lists = Array.from({ length: 1000 }, (_, n) => ({
    id: String(5000 + n),
    owner: 'alice',
    name: 'Pond',
  }));
  const network = await startNetwork({ lists });
  const { status, body } = await network.as('alice').post('/2/lists', { name: 'One more' });
  expect([status, body]).toEqual([403, refusal('You are not allowed to own more than 1000 Lists.')]);
  await network.as('alice').delete('/2/lists/5000');
  expect((await network.as('alice').post('/2/lists', { name: 'One more' })).status).toBe(201);
});

test('deleting an account deletes its Lists, memberships, follows and pins', async () => {
  await using app = await startTestApp();
  await app.load({
    lists: [
      {
        id: '5001',
        owner: 'bob',
        name: 'Gone',
        members: ['carol'],
        followers: ['carol'],
        pinned_by: ['carol'],
      },
      {
        id: '5002',
        owner: 'alice',
        name: 'Kept',
        members: ['bob', 'carol'],
        followers: ['bob'],
        pinned_by: ['bob'],
      },
    ],
  });
  const { backend } = app.pipit;
  const bob = await findUser(backend.engine, BigInt(USERS.bob) as UserId);
  if (!bob) throw new Error('no bob');
  await deleteAccount(backend, bob);
  const carol = await app.as('carol');
  expect((await app.get('/2/lists/5001', carol)).body.data).toBeUndefined();
  const kept = await app.get('/2/lists/5002?list.fields=member_count,follower_count', carol);
  expect(kept.body.data).toEqual({ id: '5002', name: 'Kept', member_count: 1, follower_count: 0 });
  for (const relation of ['followed_lists', 'pinned_lists']) {
    expect(idsIn(await app.get(`/2/users/${USERS.carol}/${relation}`, carol)), relation).toEqual([]);
  }
  expect(idsIn(await app.get(`/2/users/${USERS.carol}/list_memberships`, carol))).toEqual(['5002']);
  const { body } = await app.get(`/2/users/${USERS.carol}?user.fields=public_metrics`, carol);
  expect(body.data.public_metrics.listed_count).toBe(1);
});
