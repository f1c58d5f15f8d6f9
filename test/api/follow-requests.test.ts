import { expect, test } from 'vitest';
import type { UserPrincipal } from '../../src/core/access.js';
import type { AppId, UserId } from '../../src/core/ids.js';
import type { Post } from '../../src/core/post.js';
import { deleteAccount } from '../../src/services/accounts/delete-account.js';
import { createPost } from '../../src/services/posts/create-post.js';
import {
  acceptRequest,
  denyRequest,
  protectAccount,
  unprotectAccount,
} from '../../src/services/relations/follow-requests.js';
import type { Engine } from '../../src/database/engine.js';
import { findUser } from '../../src/stores/users.js';
import { startTestApp, TEST_URL, type TestApp } from '../support/app.js';
import { APP, POSTS, USERS, type Username } from '../support/world.js';

/**
 * Follow requests and follows when accounts change (docs/api/people.md#follows-blocks-and-mutes); dave is protected.
 */

const id = (name: Username): UserId => BigInt(USERS[name]) as UserId;

async function follow(app: TestApp, from: Username, to: Username) {
  const body = { target_user_id: USERS[to] };
  return app.post(`/2/users/${USERS[from]}/following`, await app.as(from), body);
}

async function followersOf(app: TestApp, name: Username): Promise<{ names: string[]; count: number }> {
  const token = await app.as(name);
  const list = await app.get(`/2/users/${USERS[name]}/followers`, token);
  const { body } = await app.get(`/2/users/${USERS[name]}?user.fields=public_metrics`, token);
  const names = ((list.body.data ?? []) as { username: string }[]).map(({ username }) => username);
  return { names, count: body.data.public_metrics.followers_count };
}

async function isWaiting(app: TestApp, from: Username, to: Username): Promise<boolean> {
  const { body } = await app.get(`/2/users/${USERS[to]}?user.fields=connection_status`, await app.as(from));
  return (body.data.connection_status ?? []).includes('follow_request_sent');
}

test('an accepted request becomes a follow once, listed newest first', async () => {
  await using app = await startTestApp();
  const { backend } = app.pipit;
  expect(await Promise.all([1, 2].map(() => acceptRequest(backend, id('carol'), id('dave'))))).toContain(
    true,
  );
  expect(await acceptRequest(backend, id('carol'), id('dave'))).toBe(false);
  expect(await followersOf(app, 'dave')).toEqual({ names: ['carol', 'bob'], count: 2 });
  expect(await isWaiting(app, 'carol', 'dave')).toBe(false);
});

test('a denied request is removed and can be made again', async () => {
  await using app = await startTestApp();
  expect(await denyRequest(app.pipit.backend, id('carol'), id('dave'))).toBe(true);
  expect(await isWaiting(app, 'carol', 'dave')).toBe(false);
  expect((await follow(app, 'carol', 'dave')).body.data.pending_follow).toBe(true);
  expect(await followersOf(app, 'dave')).toEqual({ names: ['bob'], count: 1 });
});

test('unprotecting an account during concurrent follows leaves no pending request', async () => {
  await using app = await startTestApp();
  await Promise.all([
    follow(app, 'alice', 'dave'),
    unprotectAccount(app.pipit.backend, id('dave')),
    follow(app, 'mallory', 'dave'),
  ]);
  const { names, count } = await followersOf(app, 'dave');
  expect(names.sort()).toEqual(['alice', 'bob', 'carol', 'mallory']);
  expect(count).toBe(4);
  for (const name of ['alice', 'carol', 'mallory'] as const) {
    expect(await isWaiting(app, name, 'dave')).toBe(false);
  }
});

test('protecting an account keeps its followers and makes later follows pending', async () => {
  await using app = await startTestApp();
  await protectAccount(app.pipit.backend, id('alice'));
  expect((await follow(app, 'bob', 'alice')).body.data).toEqual({ following: true, pending_follow: false });
  expect((await follow(app, 'dave', 'alice')).body.data).toEqual({ following: false, pending_follow: true });
  expect((await followersOf(app, 'alice')).names).toEqual(['carol', 'bob']);
});

test.each([
  ['unprotecting a public account', 'alice', unprotectAccount, ['hello']],
  ['protecting a protected account', 'dave', protectAccount, []],
] as const)('%s does not change search results', async (_, name, change, found) => {
  await using app = await startTestApp();
  await change(app.pipit.backend, id(name));
  await app.pipit.jobs.worker.runDue();
  const query = `from:${name}&start_time=2020-01-01T00:00:00Z`;
  const { body } = await app.get(`/2/tweets/search/all?query=${query}`, app.bearer);
  const ids = ((body.data ?? []) as { id: string }[]).map((post) => post.id);
  expect(ids).toEqual(found.map((each) => POSTS[each]));
});

test('an account deleted during concurrent follows has no follows left', async () => {
  await using app = await startTestApp();
  const { backend } = app.pipit;
  const bob = await findUser(backend.engine, id('bob'));
  if (!bob) throw new Error('no bob');
  const token = await app.as('carol');
  const attempts = Array.from({ length: 4 }, () =>
    app.post(`/2/users/${USERS.carol}/following`, token, { target_user_id: USERS.bob }),
  );
  await Promise.all([...attempts, deleteAccount(backend, bob)]);
  const { body } = await app.get(`/2/users/${USERS.carol}?user.fields=public_metrics`, token);
  // carol follows alice only.
  expect(body.data.public_metrics.following_count).toBe(1);
  expect((await followersOf(app, 'alice')).count).toBe(1);
});

test('a request of an account that is being deleted is not accepted', async () => {
  await using app = await startTestApp();
  const { backend } = app.pipit;
  const carol = await findUser(backend.engine, id('carol'));
  if (!carol) throw new Error('no carol');
  const accepted: Promise<boolean>[] = [];
  const tx: Engine['tx'] = async (name, body, isolation) => {
    const result = await backend.engine.tx(name, body, isolation);
    accepted.push(acceptRequest(backend, carol.id, id('dave')));
    await Promise.all(accepted);
    return result;
  };
  await deleteAccount({ ...backend, engine: { ...backend.engine, tx } }, carol);
  expect(new Set(await Promise.all(accepted))).toEqual(new Set([false]));
  expect(await followersOf(app, 'dave')).toEqual({ names: ['bob'], count: 1 });
});

test('an account deleted while it posts leaves no post and cannot post again', async () => {
  await using app = await startTestApp();
  const { backend, writer } = app.pipit;
  const { engine, ids } = backend;
  const bob = await findUser(engine, id('bob'));
  if (!bob) throw new Error('no bob');
  const principal: UserPrincipal = {
    context: 'oauth1',
    app: {
      id: BigInt(APP.id) as AppId,
      name: 'App',
      clientId: APP.client_id,
      accessLevel: 'elevated',
      track: 'standard',
      permissions: 'read_write',
    },
    userId: bob.id,
    permission: 'read_write',
  };
  const post = (text: string) =>
    createPost({ engine, ids, writer, publicUrl: TEST_URL, clock: Date.now }, principal, { text });
  const made: Promise<Post>[] = [];
  // Posts accepted before the suspension may be stored after the account’s posts were removed.
  const tx: Engine['tx'] = async (name, body, isolation) => {
    const result = await engine.tx(name, body, isolation);
    if (name === 'delete account' && made.length < 2) made.push(post(`late ${made.length}`));
    await Promise.all(made);
    return result;
  };
  await deleteAccount({ ...backend, engine: { ...engine, tx } }, bob);
  const late = (await Promise.all(made)).map((each) => each.id);
  expect(late).toHaveLength(2);
  const { body } = await app.get(`/2/tweets?ids=${late.join()}`, app.bearer);
  expect(body.data).toBeUndefined();
  await expect(post('too late')).rejects.toMatchObject({ failure: { code: 'forbidden' } });
});
