import { describe, expect, test } from 'vitest';
import { DAY_MS, postId, startNetwork, type Name, type Network } from './support/network.js';

/** Completions, suggestions and saved searches (docs/api/pipit.md#completions and the sections below it). */

const complete = async (network: Network, text: string, name: Name = 'alice') => {
  const { status, body } = await network
    .as(name)
    .get(`/_pipit/completions?${new URLSearchParams({ text }).toString()}`);
  expect(status).toBe(200);
  return (body.data ?? []) as { username?: string; tag?: string; count?: number }[];
};
const usernames = async (network: Network, text: string, name?: Name) =>
  (await complete(network, text, name)).map(({ username }) => username);

describe('completions', () => {
  const BIRDS = ['maria', 'mario', 'marten', 'mar_k', 'Mark', 'omar', 'maredblocked', 'mareblocks', 'martyr'];
  const users = BIRDS.map((username, n) => ({ username, name: `User ${n}`, id: String(100 + n) }));

  test('of users are those whom one follows first, then those with the most followers', async () => {
    const crowd = Array.from({ length: 20 }, (_, n) => ({
      username: `zed${n}`,
      name: `Marvin ${n}`,
      id: String(300 + n),
    }));
    const network = await startNetwork({
      users: [...users, ...crowd],
      follows: [
        { from: 'alice', to: 'omar' },
        { from: 'alice', to: 'mar_k' },
        { from: 'alice', to: 'marten' },
        { from: 'bob', to: 'marten' },
        { from: 'bob', to: 'mario' },
        { from: 'carol', to: 'mario' },
        { from: 'bob', to: 'maria' },
      ],
      blocks: [
        { from: 'alice', to: 'maredblocked' },
        { from: 'mareblocks', to: 'alice' },
      ],
    });
    const found = await complete(network, '@MAR');
    expect(found.map(({ username }) => username)).toEqual([
      'marten',
      'mar_k',
      'mario',
      'maria',
      'Mark',
      'martyr',
      ...crowd.slice(0, 4).map(({ username }) => username),
    ]);
    expect(found[0]).toEqual({
      kind: 'user',
      id: '102',
      username: 'marten',
      name: 'User 2',
      profile_image_url: expect.stringMatching(/^http/) as string,
    });
    expect(await usernames(network, '@mar_')).toEqual(['mar_k']);
    expect(await usernames(network, '@mar', 'bob')).toEqual(
      expect.arrayContaining(['maredblocked', 'mareblocks']),
    );
    expect([await usernames(network, '@'), await usernames(network, '@nobody')]).toEqual([[], []]);
    await network.suspend('bob');
    expect(await usernames(network, '@bob')).toEqual([]);
  });

  test('of hashtags are those of visible posts of the last 30 days', async () => {
    const network = await startNetwork({
      users: [{ username: 'carol', protected: true }],
      follows: [{ from: 'bob', to: 'carol' }],
      posts: [
        { id: postId(1), author: 'alice', text: '#Spring #spruce' },
        { id: postId(2), author: 'dave', text: '#spring #autumn' },
        { id: postId(3), author: 'dave', text: '#Spring' },
        { id: postId(4), author: 'carol', text: '#sprig' },
        { id: postId(-60 * 24 * 40), author: 'alice', text: '#sprat' },
      ],
    });
    const tags = async (text: string, name?: Name) =>
      (await complete(network, text, name)).map(({ tag, count }) => [tag, count]);
    const seen = [
      ['Spring', 3],
      ['spruce', 1],
    ];
    expect(await tags('#SPR')).toEqual(seen);
    expect(await tags('#spr', 'bob')).toEqual([seen[0], ['sprig', 1], seen[1]]);
    expect(await tags('#')).toEqual([seen[0], ['autumn', 1], seen[1]]);
    await network.posted('erin', '#sprout');
    await network.advance(DAY_MS);
    expect(await tags('#spro')).toEqual([['sprout', 1]]);
  });

  test('refuse other texts and credentials', async () => {
    const network = await startNetwork();
    const texts = [
      '',
      'mar',
      '@a b',
      '#a#b',
      '@'.repeat(3),
      `@${'a'.repeat(51)}`,
      '@\u0000',
      "@a'--",
      '%40a%',
    ];
    for (const text of texts)
      expect(
        (await network.as('alice').get(`/_pipit/completions?text=${encodeURIComponent(text)}`)).status,
      ).toBe(400);
    expect((await network.as('alice').get('/_pipit/completions')).status).toBe(400);
    expect((await network.app.get('/_pipit/completions?text=@a')).status).toBe(403);
  });
});

test('suggestions are friends of friends, then users with many followers, without known and unwanted ones', async () => {
  const names = [
    'friend1',
    'friend2',
    'both',
    'one',
    'popular',
    'asked',
    'muted',
    'blocked',
    'blocks',
    'gone',
  ];
  const network = await startNetwork({
    users: names.map((username, n) => ({
      username,
      name: username,
      id: String(100 + n),
      protected: username === 'asked',
    })),
    follows: [
      { from: 'alice', to: 'friend1' },
      { from: 'alice', to: 'friend2' },
      { from: 'alice', to: 'asked', pending: true },
      { from: 'friend1', to: 'both' },
      { from: 'friend2', to: 'both' },
      { from: 'friend1', to: 'one' },
      ...['asked', 'muted', 'blocked', 'bob'].map((to) => ({ from: 'friend1', to })),
      ...['bob', 'carol', 'dave'].map((from) => ({ from, to: 'popular' })),
    ],
    mutes: [{ from: 'alice', to: 'muted' }],
    blocks: [
      { from: 'alice', to: 'blocked' },
      { from: 'blocks', to: 'alice' },
    ],
    posts: [{ id: postId(1), author: 'popular', text: 'hi' }],
  });
  const suggest = async (query = '') => {
    const { status, body } = await network
      .as('alice')
      .get(`/_pipit/users/suggestions?max_results=50${query}`);
    expect(status).toBe(200);
    return (body.data as { username: string; public_metrics?: object }[]) ?? [];
  };
  await network.suspend('bob');
  const found = (await suggest()).map(({ username }) => username);
  expect(found.slice(0, 3)).toEqual(['both', 'one', 'popular']);
  for (const name of ['alice', 'friend1', 'friend2', 'asked', 'muted', 'blocked', 'blocks', 'bob'])
    expect(found).not.toContain(name);
  expect((await suggest('&user.fields=public_metrics'))[2]).toMatchObject({
    public_metrics: { followers_count: 3 },
  });
  const get = async (query: string) => network.as('alice').get(`/_pipit/users/suggestions${query}`);
  expect((await get('')).body.data).toHaveLength(Math.min(10, found.length));
  for (const query of ['?max_results=0', '?max_results=51', '?pagination_token=x'])
    expect((await get(query)).status).toBe(400);
  expect((await network.app.get('/_pipit/users/suggestions')).status).toBe(403);
});

describe('saved searches', () => {
  const PATH = '/_pipit/saved_searches';
  const save = (network: Network, query: unknown, name: Name = 'alice') =>
    network.as(name).post(PATH, { query });

  test('are listed newest first, each once, for their user only, until they are deleted', async () => {
    const network = await startNetwork();
    expect((await network.as('alice').get(PATH)).body).toEqual({ meta: { result_count: 0 } });
    const first = await save(network, '#birds from:alice');
    expect([first.status, first.body.data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^\d+$/) as string,
        query: '#birds from:alice',
        created_at: '2022-10-07T22:42:12.000Z',
      },
    ]);
    const second = await save(network, 'herons 🐦');
    expect((await save(network, '#birds from:alice')).body).toEqual(first.body);
    const { body } = await network.as('alice').get(PATH);
    expect(body).toEqual({ data: [second.body.data, first.body.data], meta: { result_count: 2 } });
    const path = `${PATH}/${first.body.data.id}`;
    expect((await network.as('alice').get(path)).body).toEqual(first.body);
    expect((await network.as('bob').get(path)).status).toBe(404);
    expect((await network.as('bob').delete(path)).body).toEqual({ data: { deleted: true } });
    expect((await network.as('alice').get(path)).status).toBe(200);
    await network.as('alice').delete(path);
    expect([
      (await network.as('alice').get(path)).status,
      (await network.as('alice').delete(path)).status,
    ]).toEqual([404, 200]);
    expect((await network.as('alice').get(PATH)).body.data).toEqual([second.body.data]);
  });

  test('are at most 25, also when saved at once, and refuse other bodies', async () => {
    const network = await startNetwork();
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => save(network, `query ${n}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(25).fill(201),
      ...Array<number>(5).fill(403),
    ]);
    expect((await network.as('alice').get(PATH)).body.data).toHaveLength(25);
    expect((await save(network, 'x'.repeat(1_024), 'bob')).status).toBe(201);
    for (const query of [undefined, '', '  ', 7, null, ['a'], 'x'.repeat(1_025), 'a\u0000b'])
      expect((await save(network, query, 'bob')).status).toBe(400);
    expect((await network.as('alice').get(`${PATH}/x`)).status).toBe(400);
    expect((await network.app.get(PATH)).status).toBe(403);
  });
});
