import { describe, expect, test } from 'vitest';
import { invalidRequest, notFound, refusal, suspended } from './support/errors.js';
import { ID, postId, startNetwork } from './support/network.js';
import { idsIn, walkPages } from './support/pages.js';

/** Reading and searching Spaces (docs/api/spaces.md, docs/api/objects.md#space). */

const FIELDS =
  'created_at,creator_id,ended_at,host_ids,invited_user_ids,is_ticketed,lang,participant_count,scheduled_start,speaker_ids,started_at,subscriber_count,title,topic_ids,updated_at';

const BIRDS = { id: '1DXxyRYNejbKM', creator: 'alice', title: 'All about #Birds', state: 'live' } as const;
const POND = { id: '1YpKkPond', creator: 'bob', title: 'The pond: birds with @carol', state: 'scheduled' };
const OLD = { id: 'old', creator: 'alice', title: 'Old birds', state: 'ended' } as const;

const TOPIC = { id: '7', name: 'Ornithology', description: 'Who looks at birds' };
const FULL = {
  ...BIRDS,
  created_at: '2022-10-01T00:00:00Z',
  scheduled_start: '2022-10-02T00:00:00Z',
  started_at: '2022-10-02T00:01:00.500Z',
  lang: 'en',
  is_ticketed: true,
  hosts: ['alice', 'bob'],
  speakers: ['carol'],
  invited: ['dave'],
  topics: [TOPIC],
  buyers: ['erin', 'frank'],
};

describe('reading a Space', () => {
  test('returns id and state, and the requested fields', async () => {
    const { app, as } = await startNetwork({ spaces: [FULL] });
    const url = `/2/spaces/${FULL.id}`;
    expect((await app.get(url)).body).toEqual({ data: { id: FULL.id, state: 'live' } });
    const shown = {
      id: FULL.id,
      state: 'live',
      created_at: '2022-10-01T00:00:00.000Z',
      creator_id: ID.alice,
      host_ids: [ID.alice, ID.bob],
      invited_user_ids: [ID.dave],
      is_ticketed: true,
      lang: 'en',
      participant_count: 3,
      scheduled_start: '2022-10-02T00:00:00.000Z',
      speaker_ids: [ID.carol],
      started_at: '2022-10-02T00:01:00.000Z',
      title: 'All about #Birds',
      topics: [TOPIC],
      updated_at: '2022-10-02T00:01:00.000Z',
    };
    expect((await as('bob').get(`${url}?space.fields=${FIELDS}`)).body).toEqual({ data: shown });
    expect((await as('alice').get(`${url}?space_fields=${FIELDS}`)).body).toEqual({
      data: { ...shown, subscriber_count: 2 },
    });
  });

  test('expands people and topics, with the ids that refer to them', async () => {
    const { app } = await startNetwork({ spaces: [FULL] });
    const { body } = await app.get(
      `/2/spaces/${FULL.id}?expansions=creator_id,host_ids,speaker_ids,invited_user_ids,topic_ids&user.fields=protected`,
    );
    const user = (name: keyof typeof ID) => ({
      id: ID[name],
      username: name,
      name: `${name} the bird`,
      protected: false,
    });
    expect(body).toEqual({
      data: {
        id: FULL.id,
        state: 'live',
        creator_id: ID.alice,
        host_ids: [ID.alice, ID.bob],
        speaker_ids: [ID.carol],
        invited_user_ids: [ID.dave],
        topics: [TOPIC],
      },
      includes: {
        users: [user('alice'), user('bob'), user('dave'), user('carol')],
        topics: [{ id: '7', name: 'Ornithology' }],
      },
    });
    const described = await app.get(
      `/2/spaces/${FULL.id}?expansions=topic_ids&topic.fields=description&space.fields=topic_ids`,
    );
    expect(described.body.includes).toEqual({ topics: [TOPIC] });
  });

  test('reports people who are suspended', async () => {
    const network = await startNetwork({ spaces: [FULL] });
    await network.suspend('carol');
    const { body } = await network.app.get(`/2/spaces/${FULL.id}?expansions=speaker_ids`);
    expect(body.errors).toEqual([suspended('speaker_ids', ID.carol)]);
  });

  test('that does not exist returns 200 with an error', async () => {
    const { app } = await startNetwork();
    const { status, body } = await app.get('/2/spaces/nothing');
    expect([status, body]).toEqual([200, { errors: [notFound('space', 'id', 'nothing')] }]);
  });

  test('returns 400 for a malformed id', async () => {
    const { app } = await startNetwork();
    for (const id of ['1234567890abcd', 'a-b', 'é']) {
      const { status, body } = await app.get(`/2/spaces/${encodeURIComponent(id)}`);
      expect([status, body]).toEqual([
        400,
        invalidRequest([
          { id: [id] },
          `The \`id\` query parameter value [${id}] does not match ^[a-zA-Z0-9]{1,13}$`,
        ]),
      ]);
    }
  });

  test('returns the state ended', async () => {
    const { app } = await startNetwork({ spaces: [{ ...OLD, ended_at: '2022-10-03T00:00:00Z' }] });
    expect((await app.get('/2/spaces/old?space.fields=ended_at')).body).toEqual({
      data: { id: 'old', state: 'ended', ended_at: '2022-10-03T00:00:00.000Z' },
    });
  });

  test('by ids keeps their order and reports missing ones', async () => {
    const { app } = await startNetwork({ spaces: [BIRDS, POND, OLD] });
    const { body } = await app.get(`/2/spaces?ids=${POND.id},nothing,${OLD.id},${POND.id}`);
    expect(body).toEqual({
      data: [
        { id: POND.id, state: 'scheduled' },
        { id: OLD.id, state: 'ended' },
      ],
      errors: [notFound('space', 'ids', 'nothing')],
    });
  });

  test.each(['/2/spaces', '/2/spaces/by/creator_ids'])(
    '%s requires exactly one of ids and user_ids',
    async (path) => {
      const { app } = await startNetwork({ spaces: [BIRDS] });
      for (const query of ['', `?ids=${BIRDS.id}&user_ids=${ID.alice}`]) {
        const { status, body } = await app.get(path + query);
        expect([status, body.errors[0].message]).toEqual([
          400,
          expect.stringMatching(/^Exactly one of `(ids|user_ids)` or `(ids|user_ids)` is required$/),
        ]);
      }
      expect(idsIn(await app.get(`${path}?ids=${BIRDS.id}`))).toEqual([BIRDS.id]);
      expect(idsIn(await app.get(`${path}?user_ids=${ID.alice}`))).toEqual([BIRDS.id]);
    },
  );

  test('accepts up to 100 ids', async () => {
    const { app } = await startNetwork();
    const ids = (count: number) => Array.from({ length: count }, (_, n) => `s${n}`).join();
    expect((await app.get(`/2/spaces?ids=${ids(100)}`)).status).toBe(200);
    expect((await app.get(`/2/spaces?ids=${ids(101)}`)).status).toBe(400);
  });
});

describe('Spaces by creator', () => {
  test('are those that have not ended, by creator in the requested order, newest first', async () => {
    const spaces = [
      { ...BIRDS, id: 'a1', created_at: '2022-10-01T00:00:00Z' },
      { ...BIRDS, id: 'a2', created_at: '2022-10-02T00:00:00Z', state: 'scheduled' },
      { ...BIRDS, id: 'a3', state: 'ended' },
      { ...BIRDS, id: 'b1', creator: 'bob' },
    ];
    const { app } = await startNetwork({ spaces });
    const { body } = await app.get(`/2/spaces/by/creator_ids?user_ids=${ID.bob},${ID.alice},${ID.carol}`);
    expect(body).toEqual({
      data: [
        { id: 'b1', state: 'live' },
        { id: 'a2', state: 'scheduled' },
        { id: 'a1', state: 'live' },
      ],
      meta: { result_count: 3 },
    });
  });

  test('report missing and suspended creators', async () => {
    const network = await startNetwork({ spaces: [BIRDS] });
    await network.suspend('alice');
    const { status, body } = await network.app.get(`/2/spaces/by/creator_ids?user_ids=${ID.alice},00404`);
    expect([status, body]).toEqual([
      200,
      {
        errors: [suspended('user_ids', ID.alice), notFound('user', 'user_ids', '00404')],
        meta: { result_count: 0 },
      },
    ]);
  });
});

describe('searching Spaces', () => {
  const spaces = [
    { ...POND, id: 's1' },
    { ...BIRDS, id: 'l1', participant_count: 2 },
    { ...BIRDS, id: 'l2', participant_count: 9 },
    OLD,
    { ...BIRDS, id: 'l3', title: 'The sea' },
  ];

  test('returns live Spaces by participants, then scheduled ones, and no ended ones', async () => {
    const { app } = await startNetwork({ spaces });
    const found = async (query: string) => {
      const { body } = await app.get(`/2/spaces/search?${query}`);
      expect(body.meta).toEqual({ result_count: (body.data ?? []).length });
      return ((body.data ?? []) as { id: string }[]).map(({ id }) => id);
    };
    expect(await found('query=birds')).toEqual(['l2', 'l1', 's1']);
    expect(await found('query=birds&state=all')).toEqual(['l2', 'l1', 's1']);
    expect(await found('query=birds&state=live')).toEqual(['l2', 'l1']);
    expect(await found('query=birds&state=scheduled')).toEqual(['s1']);
    expect(await found('query=birds&max_results=1')).toEqual(['l2']);
    expect(await found('query=%23BIRDS%20about')).toEqual(['l2', 'l1']);
    expect(await found('query=%40carol')).toEqual(['s1']);
    expect(await found('query=bird')).toEqual([]);
    expect(await found('query=!!')).toEqual([]);
  });

  test('returns 400 without a query or with invalid parameters', async () => {
    const { app } = await startNetwork();
    for (const query of [
      '',
      '?query=',
      '?query=a&state=ended',
      '?query=a&max_results=101',
      '?query=a&next_token=x',
    ])
      expect((await app.get(`/2/spaces/search${query}`)).status, query).toBe(400);
  });

  test('accepts queries of up to 2,048 characters', async () => {
    const { app } = await startNetwork();
    const status = async (length: number) =>
      (await app.get(`/2/spaces/search?query=${'a'.repeat(length)}`)).status;
    expect([await status(2048), await status(2049)]).toEqual([200, 400]);
  });
});

describe('ticket buyers', () => {
  test('are listed to the creator, newest first, in pages', async () => {
    const { as } = await startNetwork({ spaces: [{ ...FULL, buyers: ['bob', 'erin', 'frank'] }] });
    const pages = await walkPages(as('alice'), `/2/spaces/${FULL.id}/buyers`, 2);
    expect(pages.flatMap(({ ids }) => ids)).toEqual([ID.frank, ID.erin, ID.bob]);
  });

  test('are refused to others', async () => {
    const { as, app } = await startNetwork({ spaces: [FULL] });
    const { status, body } = await as('bob').get(`/2/spaces/${FULL.id}/buyers`);
    expect([status, body]).toEqual([403, refusal('You are not permitted to perform this action.')]);
    const refused = await app.get(`/2/spaces/${FULL.id}/buyers`);
    expect([refused.status, refused.body.title]).toEqual([403, 'Unsupported Authentication']);
    expect((await as('bob').get('/2/spaces/nothing/buyers')).body).toEqual({
      errors: [notFound('space', 'id', 'nothing')],
      meta: { result_count: 0 },
    });
  });

  test('are empty without ticket sales', async () => {
    const { as } = await startNetwork({ spaces: [{ ...FULL, is_ticketed: false }] });
    expect((await as('alice').get(`/2/spaces/${FULL.id}/buyers`)).body).toEqual({
      meta: { result_count: 0 },
    });
  });

  test('accept every parameter of post endpoints', async () => {
    const { as } = await startNetwork({ spaces: [FULL] });
    const { status, body } = await as('alice').get(
      `/2/spaces/${FULL.id}/buyers?expansions=pinned_tweet_id&tweet.fields=lang&media.fields=url&user.fields=protected`,
    );
    expect([status, body.data[0]]).toEqual([
      200,
      { id: ID.frank, username: 'frank', name: 'frank the bird', protected: false },
    ]);
  });
});

describe('posts shared in a Space', () => {
  test('are listed newest first, filtered for the viewer', async () => {
    const { app, as } = await startNetwork({
      users: [{ username: 'dave', protected: true }],
      follows: [{ from: 'carol', to: 'dave' }],
      posts: [
        { id: postId(1), author: 'bob', text: 'One' },
        { id: postId(2), author: 'dave', text: 'Two' },
        { id: postId(3), author: 'bob', text: 'Three' },
      ],
      spaces: [{ ...BIRDS, posts: [postId(3), postId(2), postId(1)] }],
    });
    const path = `/2/spaces/${BIRDS.id}/tweets`;
    expect(idsIn(await app.get(path))).toEqual([postId(1), postId(3)]);
    expect(idsIn(await as('carol').get(path))).toEqual([postId(1), postId(2), postId(3)]);
    const pages = await walkPages(as('carol'), path, 1);
    expect(pages.flatMap(({ ids }) => ids)).toEqual([postId(1), postId(2), postId(3)]);
    expect((await app.get('/2/spaces/nothing/tweets')).body).toEqual({
      errors: [notFound('space', 'id', 'nothing')],
      meta: { result_count: 0 },
    });
  });
});

test('a first page after hidden posts has no previous token', async () => {
  const { app } = await startNetwork({
    users: [{ username: 'dave', protected: true }],
    posts: [
      { id: postId(1), author: 'bob', text: 'One' },
      { id: postId(2), author: 'dave', text: 'Two' },
    ],
    spaces: [{ ...BIRDS, posts: [postId(1), postId(2)] }],
  });
  const first = await app.get(`/2/spaces/${BIRDS.id}/tweets?max_results=1`);
  expect([idsIn(first), first.body.meta]).toEqual([[postId(1)], { result_count: 1 }]);
});

describe('the visibility of a Space follows its creator', () => {
  const paths = [
    `/2/spaces/${BIRDS.id}`,
    `/2/spaces?ids=${BIRDS.id}`,
    `/2/spaces/by/creator_ids?user_ids=${ID.alice}`,
    '/2/spaces/search?query=birds',
    `/2/spaces/${BIRDS.id}/tweets`,
  ];
  const world = {
    posts: [{ id: postId(1), author: 'bob', text: 'Shared' }],
    spaces: [{ ...BIRDS, posts: [postId(1)] }],
  };

  test('who is protected: visible to followers', async () => {
    const { app, as } = await startNetwork({
      ...world,
      users: [{ username: 'alice', protected: true }],
      follows: [{ from: 'carol', to: 'alice' }],
    });
    for (const path of paths) {
      expect((await app.get(path)).body.data, path).toBeUndefined();
      expect((await as('bob').get(path)).body.data, path).toBeUndefined();
      expect((await as('carol').get(path)).body.data, path).toBeDefined();
      expect((await as('alice').get(path)).body.data, path).toBeDefined();
    }
  });

  test('who blocks a user: hidden from that user', async () => {
    const { app, as } = await startNetwork({ ...world, blocks: [{ from: 'alice', to: 'dave' }] });
    for (const path of paths) {
      expect((await app.get(path)).body.data, path).toBeDefined();
      expect((await as('dave').get(path)).body.data, path).toBeUndefined();
    }
  });

  test('who is suspended: hidden', async () => {
    const network = await startNetwork(world);
    await network.suspend('alice');
    for (const path of paths) expect((await network.app.get(path)).body.data, path).toBeUndefined();
  });

  test('and hidden Spaces are reported with the reason', async () => {
    const { as } = await startNetwork({ ...world, blocks: [{ from: 'alice', to: 'dave' }] });
    const { body } = await as('dave').get(paths[0] ?? '');
    expect(body.errors).toEqual([
      expect.objectContaining({
        title: 'Authorization Error',
        detail: `Sorry, you are not authorized to see the space with id: [${BIRDS.id}].`,
        resource_type: 'space',
        resource_id: BIRDS.id,
      }),
    ]);
  });
});
