import { expect, test } from 'vitest';
import type { PostId, UserId } from '../../src/core/ids.js';
import { insertOperator } from '../../src/stores/operators.js';
import { rawSql } from '../../src/database/sql.js';
import { removePost } from '../../src/services/moderation/remove-post.js';
import { suspendAccount } from '../../src/services/accounts/standing.js';
import { startTestApp } from '../support/app.js';
import { ID, postId, startNetwork, type Name, type Network } from './support/network.js';

/** Reports and notices (docs/api/pipit.md#reports and docs/api/pipit.md#notices). */

const reportPost = (network: Network, id: string, body: unknown, name: Name = 'alice') =>
  network.as(name).post(`/_pipit/posts/${id}/reports`, body);
const reportUser = (network: Network, id: string, body: unknown, name: Name = 'alice') =>
  network.as(name).post(`/_pipit/users/${id}/reports`, body);

test('a report is returned, and returned again by the same member until it is decided', async () => {
  const network = await startNetwork({ posts: [{ id: postId(1), author: 'bob', text: 'Buy this' }] });
  const sent = await reportPost(network, postId(1), { reason: 'spam', comment: '<b>Zalgo</b> \u202e🐦' });
  expect([sent.status, sent.body.data]).toEqual([
    201,
    {
      id: expect.stringMatching(/^\d+$/) as string,
      post_id: postId(1),
      reason: 'spam',
      comment: '<b>Zalgo</b> \u202e🐦',
      created_at: '2022-10-07T22:42:12.000Z',
    },
  ]);
  expect((await reportPost(network, postId(1), { reason: 'other' })).body).toEqual(sent.body);
  const other = await reportPost(network, postId(1), { reason: 'other' }, 'carol');
  expect(other.body.data).toMatchObject({ reason: 'other', comment: '' });
  const user = await reportUser(network, ID.bob, { reason: 'impersonation' });
  expect(user.body.data).toMatchObject({ user_id: ID.bob, reason: 'impersonation' });
  expect(user.body.data).not.toHaveProperty('post_id');
});

test('members report what they see, but not themselves, and with the documented fields', async () => {
  const network = await startNetwork({
    users: [{ username: 'dave', protected: true }],
    posts: [
      { id: postId(1), author: 'alice', text: 'mine' },
      { id: postId(2), author: 'dave', text: 'protected' },
      { id: postId(3), author: 'bob', text: 'original' },
      { id: postId(4), author: 'carol', repost_of: postId(3) },
    ],
  });
  const spam = { reason: 'spam' };
  expect((await reportPost(network, postId(1), spam)).status).toBe(403);
  expect((await reportUser(network, ID.alice, spam)).status).toBe(403);
  expect((await reportPost(network, postId(2), spam)).status).toBe(404);
  expect((await reportPost(network, '999', spam)).status).toBe(404);
  expect((await reportUser(network, '999', spam)).status).toBe(404);
  expect((await reportUser(network, ID.dave, spam)).status).toBe(201);
  expect((await reportPost(network, postId(4), spam)).body.data.post_id).toBe(postId(3));
  await network.suspend('carol');
  expect((await reportUser(network, ID.carol, spam)).status).toBe(404);
  for (const body of [
    {},
    { reason: 'dislike' },
    { reason: 'spam', comment: 'x'.repeat(501) },
    { reason: 'spam', comment: '\u0000' },
    { reason: 'spam', other: 1 },
  ])
    expect((await reportUser(network, ID.bob, body)).status).toBe(400);
  expect((await network.app.post(`/_pipit/users/${ID.bob}/reports`, spam)).status).toBe(403);
});

test('concurrent reports of a post become one case, and a member has at most 100 open ones', async () => {
  const world = Array.from({ length: 101 }, (_, n) => ({ id: postId(n), author: 'bob', text: `post ${n}` }));
  const network = await startNetwork({ posts: world });
  const names = ['alice', 'carol', 'dave', 'erin', 'alice', 'carol'] as const;
  const answers = await Promise.all(
    names.map((name) => reportPost(network, postId(0), { reason: 'spam' }, name)),
  );
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
  expect(answers[4]?.body).toEqual(answers[0]?.body);
  const statuses: number[] = [];
  for (let n = 1; n <= 100; n += 1)
    statuses.push((await reportPost(network, postId(n), { reason: 'spam' }, 'frank')).status);
  expect(new Set(statuses)).toEqual(new Set([201]));
  expect((await reportPost(network, postId(0), { reason: 'spam' }, 'frank')).status).toBe(403);
  expect((await reportPost(network, postId(1), { reason: 'spam' }, 'frank')).status).toBe(201);
});

test('a removed post is gone everywhere, and its author reads why', async () => {
  const app = await startTestApp();
  try {
    const { backend } = app.pipit;
    const [bob, carol] = [1002n as UserId, 1003n as UserId];
    await backend.engine.tx('operator', (tx) => insertOperator(tx, carol, 0));
    const [alice, token] = [await app.as('alice'), await app.as('bob')];
    const created = await app.post('/2/tweets', token, { text: 'sandpiper spam' });
    const { id } = created.body.data as { id: string };
    expect((await app.post(`/_pipit/posts/${id}/reports`, alice, { reason: 'spam' })).status).toBe(201);
    await removePost(backend, carol, BigInt(id) as PostId, ' Spam <script> ');
    await app.pipit.jobs.worker.runDue();
    expect((await app.get(`/2/tweets/${id}`, alice)).body.errors).toHaveLength(1);
    const search = await app.get('/2/tweets/search/recent?query=sandpiper', alice);
    expect(search.body.meta.result_count).toBe(0);
    const { data } = (await app.get('/_pipit/notices', token)).body;
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^\d+$/) as string,
        type: 'post_removed',
        post_id: id,
        excerpt: 'sandpiper spam',
        reason: 'Spam <script>',
        created_at: expect.any(String) as string,
        is_read: false,
      },
    ]);
    expect((await app.get('/_pipit/notices', alice)).body).toEqual({ meta: { result_count: 0 } });
    const read = (who: string) => app.post('/_pipit/notices/read', who, { up_to_id: data[0].id as string });
    await read(alice);
    expect((await app.get('/_pipit/notices', token)).body.data[0].is_read).toBe(false);
    expect((await read(token)).body).toEqual({ data: { read: true } });
    expect((await app.get('/_pipit/notices', token)).body.data[0].is_read).toBe(true);
    const [row] = await backend.engine.all(rawSql('SELECT decision FROM report_cases'));
    expect(row?.['decision']).toBe('removed');
    await expect(removePost(backend, bob, 1n as PostId, 'x')).rejects.toThrow('no longer an operator');
    await expect(removePost(backend, carol, 1n as PostId, ' ')).rejects.toThrow('Write something');
  } finally {
    await app.close();
  }
});

test('what a deleted account reported, and what was reported about it, is deleted', async () => {
  const app = await startTestApp();
  try {
    const { engine } = app.pipit.backend;
    const [alice, bob] = [await app.as('alice'), await app.as('bob')];
    const report = (token: string, id: string) =>
      app.post(`/_pipit/users/${id}/reports`, token, { reason: 'spam' });
    await report(bob, '1001');
    await report(bob, '1003');
    await report(alice, '1003');
    await report(alice, '1002');
    const { deleteAccount } = await import('../../src/services/accounts/delete-account.js');
    const { findUser } = await import('../../src/stores/users.js');
    const user = await findUser(engine, 1002n as UserId);
    if (user) await deleteAccount(app.pipit.backend, user);
    const cases = await engine.all(rawSql('SELECT target_id FROM report_cases'));
    expect(cases.map((row) => String(row['target_id']))).toEqual(['1003']);
    expect(await engine.all(rawSql('SELECT id FROM reports'))).toHaveLength(1);
  } finally {
    await app.close();
  }
});

test('a suspension decides all open reports about the user, and a lifted one forgets its reason', async () => {
  const app = await startTestApp();
  try {
    const { engine } = app.pipit.backend;
    await app.post('/_pipit/users/1002/reports', await app.as('alice'), { reason: 'abuse' });
    await suspendAccount(app.pipit.backend, 1002n as UserId, true, { reason: 'Threats' });
    const [row] = await engine.all(rawSql('SELECT decision FROM report_cases'));
    expect(row?.['decision']).toBe('suspended');
    const reasons = () => engine.all(rawSql('SELECT reason FROM suspensions'));
    expect((await reasons())[0]?.['reason']).toBe('Threats');
    await suspendAccount(app.pipit.backend, 1002n as UserId, false);
    expect(await reasons()).toEqual([]);
  } finally {
    await app.close();
  }
});
