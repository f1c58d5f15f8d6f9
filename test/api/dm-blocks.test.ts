import { describe, expect, test } from 'vitest';
import { refusal } from './support/errors.js';
import { write } from './support/messages.js';
import { ID, startNetwork, type Name, type Network } from './support/network.js';

/** Blocking direct messages of a user (docs/api/messages.md#who-may-write). */

const WORLD = {
  users: (['alice', 'bob', 'carol'] as const).map((username) => ({ username, receives_dms: 'everyone' })),
};

const change = (network: Network, by: Name, action: 'block' | 'unblock', id: string) =>
  network.as(by).post(`/2/users/${id}/dm/${action}`, undefined);

const REFUSED = refusal('You do not have permission to DM one or more participants.');

describe('a block of messages', () => {
  test('refuses messages in both directions, also in an existing conversation, until it ends', async () => {
    const network = await startNetwork(WORLD);
    expect((await write(network, 'bob', 'alice', 'Hello')).status).toBe(201);
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await change(network, 'alice', 'block', ID.bob);
      expect([status, body]).toEqual([200, { data: { blocked: true } }]);
    }
    for (const [from, to] of [
      ['bob', 'alice'],
      ['alice', 'bob'],
    ] as const) {
      const refused = await write(network, from, to, 'Hello again');
      expect([refused.status, refused.body]).toEqual([403, REFUSED]);
    }
    expect((await write(network, 'carol', 'alice', 'Hello')).status).toBe(201);
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await change(network, 'alice', 'unblock', ID.bob);
      expect([status, body]).toEqual([200, { data: { blocked: false } }]);
    }
    expect((await write(network, 'bob', 'alice', 'Hello again')).status).toBe(201);
  });

  test('leaves follows as they are, and is not lifted by the other user', async () => {
    const network = await startNetwork({ ...WORLD, follows: [{ from: 'bob', to: 'alice' }] });
    await change(network, 'alice', 'block', ID.bob);
    await change(network, 'bob', 'unblock', ID.alice);
    expect((await write(network, 'bob', 'alice', 'Hello')).status).toBe(403);
    const { body } = await network.as('alice').get(`/2/users/${ID.alice}/followers`);
    expect(body.meta.result_count).toBe(1);
  });

  test('is refused for unknown users, oneself and apps', async () => {
    const network = await startNetwork(WORLD);
    expect((await change(network, 'alice', 'block', '404')).status).toBe(404);
    expect((await change(network, 'alice', 'block', ID.alice)).status).toBe(403);
    expect((await change(network, 'alice', 'block', 'abc')).status).toBe(400);
    expect((await network.app.post(`/2/users/${ID.bob}/dm/block`, undefined)).status).toBe(403);
  });

  test('ends with the account', async () => {
    const network = await startNetwork(WORLD);
    await change(network, 'alice', 'block', ID.bob);
    await network.deleteAccount('alice');
    await network.runJobs();
    await network.add({
      users: [{ id: ID.alice, username: 'alice', name: 'Alice', receives_dms: 'everyone' }],
    });
    expect((await write(network, 'bob', 'alice', 'Hello')).status).toBe(201);
  });
});
