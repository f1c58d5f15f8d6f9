import { describe, expect, test } from 'vitest';
import { ID, MINUTE_MS, startNetwork } from './support/network.js';

/** Communities and the posts in them (docs/api/communities.md). */

const HERONS = {
  id: '7001',
  name: 'Herons & egrets',
  description: 'All about #herons',
  members: ['alice', 'bob'],
};
const DUCKS = {
  id: '7002',
  name: 'Ducks',
  join_policy: 'RestrictedJoinRequestsDisabled',
  created_at: '2021-01-02T03:04:05Z',
};
const WORLD = { communities: [HERONS, DUCKS], follows: [{ from: 'carol', to: 'alice' }] };

describe('a community', () => {
  test('is returned with the requested fields', async () => {
    const { app } = await startNetwork(WORLD);
    expect((await app.get('/2/communities/7001')).body).toEqual({
      data: { id: '7001', name: 'Herons & egrets' },
    });
    const fields = 'access,created_at,description,id,join_policy,member_count,name';
    expect((await app.get(`/2/communities/7002?community.fields=${fields}`)).body.data).toEqual({
      id: '7002',
      name: 'Ducks',
      access: 'Public',
      created_at: '2021-01-02T03:04:05.000Z',
      description: '',
      join_policy: 'RestrictedJoinRequestsDisabled',
      member_count: 0,
    });
  });

  test('that is missing is an entry of errors', async () => {
    const { app } = await startNetwork(WORLD);
    const { status, body } = await app.get('/2/communities/007');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      errors: [{ resource_type: 'community', parameter: 'id', resource_id: '007' }],
    });
    expect((await app.get('/2/communities/abc')).status).toBe(400);
  });

  test('keeps its members when a world file is loaded again', async () => {
    const { app, add } = await startNetwork(WORLD);
    await add(WORLD);
    await add({ communities: [{ ...HERONS, members: ['bob', 'carol'] }] });
    const { body } = await app.get('/2/communities/7001?community.fields=member_count');
    expect(body.data.member_count).toBe(3);
  });

  test('loses members whose account is deleted', async () => {
    const { app, deleteAccount } = await startNetwork(WORLD);
    await deleteAccount('bob');
    const { body } = await app.get('/2/communities/7001?community.fields=member_count');
    expect(body.data.member_count).toBe(1);
  });
});

describe('a search of communities', () => {
  test('finds all words of the query in names and descriptions, newest first', async () => {
    const { as } = await startNetwork(WORLD);
    const found = async (query: string) => {
      const { body } = await as('alice').get(`/2/communities/search?query=${encodeURIComponent(query)}`);
      return (body.data ?? []).map(({ id }: { id: string }) => id);
    };
    expect(await found('EGRETS')).toEqual(['7001']);
    expect(await found('herons about')).toEqual(['7001']);
    expect(await found('herons ducks')).toEqual([]);
    expect(await found('!?')).toEqual([]);
  });

  test('has pages', async () => {
    const communities = Array.from({ length: 25 }, (_, n) => ({ id: String(8000 + n), name: `Birds ${n}` }));
    const { as } = await startNetwork({ communities });
    const seen: string[] = [];
    let token: string | undefined = '';
    while (token !== undefined) {
      const page: string = token === '' ? '' : `&next_token=${token}`;
      const { body } = await as('alice').get(`/2/communities/search?query=birds&max_results=10${page}`);
      seen.push(...(body.data as { id: string }[]).map(({ id }) => id));
      token = body.meta.next_token as string | undefined;
    }
    expect(seen).toEqual(communities.map(({ id }) => id).reverse());
  });
});

describe('a post in a community', () => {
  test('is for members, and names the community', async () => {
    const { app, as } = await startNetwork(WORLD);
    const body = { text: 'Seen at the pond', community_id: '7001' };
    expect((await as('carol').post('/2/tweets', body)).status).toBe(403);
    const { status, body: answer } = await as('alice').post('/2/tweets', body);
    expect(status).toBe(201);
    const post = await app.get(`/2/tweets/${answer.data.id}?tweet.fields=community_id`);
    expect(post.body.data).toMatchObject({ community_id: '7001', text: body.text });
    const missing = await as('alice').post('/2/tweets', { ...body, community_id: '7009' });
    expect([missing.status, missing.body.errors[0].message]).toEqual([
      400,
      '$.community_id: there is no community with id [7009]',
    ]);
    const edit = { text: 'Other', edit_options: { previous_post_id: answer.data.id } };
    expect((await as('alice').post('/2/tweets', edit)).status).toBe(403);
  });

  test('is in the home timelines of followers only if it is shared with them', async () => {
    const { as, posted, runJobs, advance } = await startNetwork(WORLD);
    const home = async (name: 'alice' | 'carol') => {
      await runJobs();
      await advance(MINUTE_MS);
      const { body } = await as(name).get(`/2/users/${ID[name]}/timelines/reverse_chronological`);
      return (body.data ?? []).map(({ text }: { text: string }) => text);
    };
    await posted('alice', { text: 'For members', community_id: '7001' });
    await posted('alice', { text: 'For all', community_id: '7001', share_with_followers: true });
    expect(await home('carol')).toEqual(['For all']);
    expect(await home('alice')).toEqual(['For all', 'For members']);
    const { body } = await as('carol').get(`/2/users/${ID.alice}/tweets`);
    expect(body.data).toHaveLength(2);
  });
});
