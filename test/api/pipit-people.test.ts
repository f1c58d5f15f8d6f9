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

describe('the profile', () => {
  const change = (network: Network, body: unknown, fields = 'description,location,url,entities') =>
    network.as('alice').put(`/_pipit/profile?user.fields=${fields}`, body);

  test('changes in the given parts', async () => {
    const network = await startNetwork();
    const { status, body } = await change(network, {
      name: ' Ada ',
      description: 'Watches #herons',
      location: 'Pond',
      url: 'https://birds.example/',
    });
    expect([status, body.data]).toMatchObject([
      200,
      {
        id: ID.alice,
        name: 'Ada',
        description: 'Watches #herons',
        location: 'Pond',
        url: 'https://birds.example/',
      },
    ]);
    const again = (await change(network, { location: '', description: 'Asleep' })).body.data;
    expect(again).toMatchObject({ name: 'Ada', description: 'Asleep', url: 'https://birds.example/' });
    expect(again.location).toBeUndefined();
    expect((await network.app.get(`/2/users/${ID.alice}`)).body.data.name).toBe('Ada');
    expect((await change(network, {})).status).toBe(200);
  });

  test.each([
    { name: '' },
    { name: ' ' },
    { name: 'x'.repeat(51) },
    { name: 'a\u202eb' },
    { description: 'x'.repeat(161) },
    { location: 'a\nb' },
    { url: 'javascript:alert(1)' },
    { url: 'birds' },
    { username: 'ada' },
    { name: 7 },
    { name: 'Ada', url: 'x' },
  ])('is unchanged after %j', async (body) => {
    const network = await startNetwork();
    expect((await change(network, body)).status).toBe(400);
    expect((await network.app.get(`/2/users/${ID.alice}`)).body.data.name).toBe('alice the bird');
  });
});

describe('own Spaces', () => {
  const SPACES = '/_pipit/spaces';
  const IN_A_DAY = '2022-10-08T22:00:00.000Z';
  const create = (network: Network, body: unknown) =>
    network.as('alice').post(`${SPACES}?space.fields=title,scheduled_start,creator_id`, body);

  test('are scheduled, changed, started and ended by their creator', async () => {
    const network = await startNetwork();
    const { status, body } = await create(network, { title: 'Herons', scheduled_start: IN_A_DAY });
    const id = body.data.id as string;
    expect([status, body.data]).toEqual([
      201,
      { id, state: 'scheduled', title: 'Herons', scheduled_start: IN_A_DAY, creator_id: ID.alice },
    ]);
    const changed = await network.as('alice').put(`${SPACES}/${id}?space.fields=title`, { title: 'Grebes' });
    expect(changed.body.data).toEqual({ id, state: 'scheduled', title: 'Grebes' });
    expect((await network.as('bob').put(`${SPACES}/${id}`, { title: 'Mine' })).status).toBe(403);
    expect((await network.as('bob').post(`${SPACES}/${id}/start`, undefined)).status).toBe(403);
    expect((await network.as('alice').post(`${SPACES}/${id}/end`, undefined)).status).toBe(403);
    expect((await network.as('alice').post(`${SPACES}/${id}/start`, undefined)).body.data.state).toBe('live');
    expect((await network.as('alice').put(`${SPACES}/${id}`, { scheduled_start: IN_A_DAY })).status).toBe(
      403,
    );
    expect((await network.as('alice').delete(`${SPACES}/${id}`)).status).toBe(403);
    expect((await network.app.get('/2/spaces/search?query=grebes')).body.data).toEqual([
      { id, state: 'live' },
    ]);
    expect((await network.as('alice').post(`${SPACES}/${id}/end`, undefined)).body.data.state).toBe('ended');
    expect((await network.as('alice').put(`${SPACES}/${id}`, { title: 'Late' })).status).toBe(403);
  });

  test('are live at once without a time, cancelled before they start, and limited in number', async () => {
    const network = await startNetwork();
    expect((await create(network, { title: 'Now' })).body.data.state).toBe('live');
    for (let n = 2; n <= 10; n += 1)
      await create(network, { title: `Space ${n}`, scheduled_start: IN_A_DAY });
    expect((await create(network, { title: 'One more' })).status).toBe(403);
    const found = (await network.app.get(`/2/spaces/by/creator_ids?user_ids=${ID.alice}`)).body.data as {
      id: string;
      state: string;
    }[];
    expect(found).toHaveLength(10);
    const scheduled = found.find(({ state }) => state === 'scheduled')?.id ?? '';
    expect((await network.as('alice').delete(`${SPACES}/${scheduled}`)).body.data.state).toBe('ended');
    expect((await create(network, { title: 'One more' })).status).toBe(201);
  });

  test.each([
    {},
    { title: '' },
    { title: ' ' },
    { title: 'x'.repeat(201) },
    { title: 'a', scheduled_start: 'tomorrow' },
    { title: 'a', scheduled_start: '2022-10-07T22:42:12Z' },
    { title: 'a', scheduled_start: '2022-12-07T22:42:12Z' },
    { title: 'a', scheduled_start: 7 },
  ])('are not created from %j', async (body) => {
    const network = await startNetwork();
    expect((await create(network, body)).status).toBe(400);
    expect((await network.as('alice').post(`${SPACES}/404/start`, undefined)).status).toBe(404);
  });
});
