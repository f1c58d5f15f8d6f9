import { describe, expect, test } from 'vitest';
import { ID, startNetwork, type Name, type Network } from './support/network.js';
import { idsIn, walkPages } from './support/pages.js';

/** Follow requests, removing followers (docs/api/pipit.md#follow-requests-and-followers) and the server's facts. */

const PROTECTED = { users: [{ username: 'alice', protected: true }] };

const ask = (network: Network, name: Name) =>
  network.as(name).post(`/2/users/${ID[name]}/following`, { target_user_id: ID.alice });
const requestsOf = async (network: Network, name: Name) =>
  idsIn(await network.as(name).get('/_pipit/follow_requests'));
const followersOf = async (network: Network) =>
  idsIn(await network.as('alice').get(`/2/users/${ID.alice}/followers`));

describe('follow requests', () => {
  test('are listed newest first, accepted and denied by the asked user only', async () => {
    const network = await startNetwork(PROTECTED);
    for (const name of ['bob', 'carol', 'dave', 'erin'] as const) await ask(network, name);
    await network.suspend('erin');
    const pages = await walkPages(network.as('alice'), '/_pipit/follow_requests', 2);
    expect(pages.flatMap(({ ids }) => ids)).toEqual([ID.dave, ID.carol, ID.bob]);
    expect(await requestsOf(network, 'bob')).toEqual([]);

    const path = `/_pipit/follow_requests/${ID.bob}`;
    expect((await network.as('carol').post(`${path}/accept`, undefined)).status).toBe(404);
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await network.as('alice').post(`${path}/accept`, undefined);
      expect([status, body]).toEqual([200, { data: { accepted: true } }]);
    }
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await network.as('alice').delete(`/_pipit/follow_requests/${ID.carol}`);
      expect([status, body]).toEqual([200, { data: { denied: true } }]);
    }
    expect(await requestsOf(network, 'alice')).toEqual([ID.dave]);
    expect(await followersOf(network)).toEqual([ID.bob]);
    const refused = await network.as('alice').post(`/_pipit/follow_requests/${ID.carol}/accept`, undefined);
    expect([refused.status, refused.body.resource_type]).toEqual([404, 'user']);
  });

  test('need a user who may write', async () => {
    const network = await startNetwork(PROTECTED);
    expect((await network.app.get('/_pipit/follow_requests')).status).toBe(403);
    expect((await network.app.delete(`/_pipit/followers/${ID.bob}`)).status).toBe(403);
    expect((await network.as('alice').delete('/_pipit/followers/bob')).status).toBe(400);
  });
});

test('a removed follower no longer follows, and may follow again', async () => {
  const network = await startNetwork({ follows: [{ from: 'bob', to: 'alice' }] });
  for (let time = 0; time < 2; time += 1) {
    const { status, body } = await network.as('alice').delete(`/_pipit/followers/${ID.bob}`);
    expect([status, body]).toEqual([200, { data: { removed: true } }]);
    expect(await followersOf(network)).toEqual([]);
  }
  await ask(network, 'bob');
  expect(await followersOf(network)).toEqual([ID.bob]);
});

test('the server names itself to everyone', async () => {
  const network = await startNetwork();
  const { status, body } = await network.app.get('/_pipit/instance');
  expect([status, body]).toEqual([
    200,
    { data: { name: 'Pipit', description: '', sign_up: 'closed', is_open: true } },
  ]);
});
