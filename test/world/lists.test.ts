import { expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { USERS } from '../support/world.js';
import { createRefuser } from './refusals.js';

/** Lists of world files (docs/world-files.md). The standard world has alice, bob, carol and dave. */

const { expectRefusal, faultsOf } = createRefuser();

const LIST = { id: '5001', owner: 'alice', name: 'Pond' };

async function pageOf(app: TestApp, path: string, token = app.bearer): Promise<unknown[]> {
  const { body } = await app.get(path, token);
  return ((body.data ?? []) as { username?: string; name: string }[]).map(
    ({ username, name }) => username ?? name,
  );
}

test('a List is loaded with its settings, members, followers, pins and counts', async () => {
  await using app = await startTestApp();
  const lists = [
    {
      ...LIST,
      description: 'Who swims',
      created_at: '2022-01-02T03:04:05Z',
      members: ['bob', 'dave'],
      followers: ['carol', 'bob'],
      pinned_by: ['carol'],
    },
    { id: '5002', owner: 'alice', name: 'Reeds', private: true, members: ['bob'], pinned_by: ['alice'] },
    { id: '5003', owner: 'bob', name: 'Mud', pinned_by: ['carol'] },
  ];
  await app.load({ lists });
  const fields = 'created_at,description,follower_count,member_count,owner_id,private';
  expect((await app.get(`/2/lists/5001?list.fields=${fields}`, app.bearer)).body.data).toMatchObject({
    id: '5001',
    name: 'Pond',
    description: 'Who swims',
    created_at: '2022-01-02T03:04:05.000Z',
    follower_count: 2,
    member_count: 2,
    private: false,
  });
  expect(await pageOf(app, '/2/lists/5001/members')).toEqual(['dave', 'bob']);
  expect(await pageOf(app, '/2/lists/5001/followers')).toEqual(['bob', 'carol']);
  expect((await app.get('/2/lists/5002', app.bearer)).body.data).toBeUndefined();
  expect((await app.get('/2/lists/5002', await app.as('alice'))).body.data.name).toBe('Reeds');
  const carol = await app.as('carol');
  const { id } = (await app.get('/2/users/me', carol)).body.data;
  expect(await pageOf(app, `/2/users/${id}/pinned_lists`, carol)).toEqual(['Mud', 'Pond']);
  const bob = await app.get('/2/users/by/username/bob?user.fields=public_metrics', app.bearer);
  expect(bob.body.data.public_metrics.listed_count).toBe(1);
});

test('loading Lists again changes nothing and keeps later changes', async () => {
  await using app = await startTestApp();
  const world = { lists: [{ ...LIST, members: ['bob'], followers: ['carol'], pinned_by: ['carol'] }] };
  await app.load(world);
  await app.put('/2/lists/5001', await app.as('alice'), { name: 'Lake' });
  await app.load(world);
  const { body } = await app.get('/2/lists/5001?list.fields=member_count,follower_count', app.bearer);
  expect(body.data).toEqual({ id: '5001', name: 'Lake', member_count: 1, follower_count: 1 });
});

test('loading Lists again adds no pin for a user who has pinned five others since', async () => {
  await using app = await startTestApp();
  const others = ['6001', '6002', '6003', '6004', '6005'];
  const world = {
    lists: [{ ...LIST, pinned_by: ['bob'] }, ...others.map((id) => ({ ...LIST, id, name: id }))],
  };
  await app.load(world);
  const bob = await app.as('bob');
  const pins = `/2/users/${USERS.bob}/pinned_lists`;
  await app.delete(`${pins}/${LIST.id}`, bob);
  for (const id of others) await app.post(pins, bob, { list_id: id });
  await app.load(world);
  expect(await pageOf(app, pins, bob)).toEqual(others.toReversed());
});

test('members and followers with a block are not added', async () => {
  await using app = await startTestApp();
  await app.load({ blocks: [{ from: 'bob', to: 'alice' }] });
  await app.load({ lists: [{ ...LIST, members: ['bob', 'carol'], followers: ['bob'] }] });
  expect(await pageOf(app, '/2/lists/5001/members')).toEqual(['carol']);
  expect(await pageOf(app, '/2/lists/5001/followers')).toEqual([]);
});

test.each([
  ['the owner exists', { ...LIST, owner: 'nobody' }, 'owner', /no user "nobody"/],
  ['members exist', { ...LIST, members: ['bob', 'nobody'] }, 'members[1]', /no user "nobody"/],
  ['followers exist', { ...LIST, followers: ['nobody'] }, 'followers[0]', /no user "nobody"/],
  ['pinning users exist', { ...LIST, pinned_by: ['nobody'] }, 'pinned_by[0]', /no user "nobody"/],
  ['a name has 1 to 25 characters', { ...LIST, name: 'x'.repeat(26) }, 'name', /1 to 25 characters/],
  ['a name is not blank', { ...LIST, name: ' ' }, 'name', /is blank/],
  ['a description has up to 100', { ...LIST, description: 'x'.repeat(101) }, 'description', /0 to 100/],
  [
    'a private List has no followers except its owner',
    { ...LIST, private: true, followers: ['alice', 'bob'] },
    'followers[1]',
    /only @alice can see/,
  ],
  [
    'a private List is pinned by its owner only',
    { ...LIST, private: true, pinned_by: ['bob'] },
    'pinned_by[0]',
    /only @alice can see/,
  ],
])('%s', (_rule, entry, key, reason) => expectRefusal({ lists: [entry] }, `$.lists[0].${key}`, reason));

test('List ids are unique', async () => {
  expect(await faultsOf({ lists: [LIST, { ...LIST, name: 'Lake' }] })).toEqual([
    '$.lists[1].id: stands at $.lists[0].id already',
  ]);
});

test('a user pins at most five Lists', async () => {
  const lists = ['1', '2', '3', '4', '5', '6'].map((id) => ({ ...LIST, id, pinned_by: ['bob'] }));
  expect(await faultsOf({ lists })).toEqual([
    '$.lists[5].pinned_by[0]: @bob has pinned 5 other Lists, and no more is possible',
  ]);
});

test('a stored List must have the same owner', async () => {
  await using app = await startTestApp();
  await app.load({ lists: [LIST] });
  await expect(app.load({ lists: [{ ...LIST, owner: 'bob' }] })).rejects.toThrow(/is a List of user/);
});
