import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROBLEMS, notFound, suspended } from './support/errors.js';
import {
  ID,
  openNetwork,
  startNetwork,
  type Caller,
  type Name,
  type Network,
  type World,
} from './support/network.js';
import { addRelation, removeRelation, mute, unfollow, type Relation } from './support/relations.js';

/** The lists of followers, followed, blocked and muted users (docs/api/people.md#follows-blocks-and-mutes). */

const OTHERS = ['bob', 'carol', 'dave', 'erin', 'frank'] as const;
/** Edges are created in this order; lists return the reverse. */
const NEWEST_FIRST = [...OTHERS].reverse();

/** The edges from alice to the others, or from the others to alice, per list. */
const LISTS = [
  ['followers', { follows: OTHERS.map((from) => ({ from, to: 'alice' })) }],
  ['following', { follows: OTHERS.map((to) => ({ from: 'alice', to })) }],
  ['blocking', { blocks: OTHERS.map((to) => ({ from: 'alice', to })) }],
  ['muting', { mutes: OTHERS.map((to) => ({ from: 'alice', to })) }],
] as const satisfies readonly (readonly [string, World])[];

interface PageBody {
  readonly data?: readonly { readonly id: string; readonly username: Name }[];
  readonly meta: {
    readonly result_count: number;
    readonly next_token?: string;
    readonly previous_token?: string;
  };
}

function namesOf({ data = [] }: PageBody): Name[] {
  return data.map(({ username }) => username);
}

function pathOf(list: string, query = ''): string {
  return `/2/users/${ID.alice}/${list}${query}`;
}

async function pageAt(caller: Caller, path: string): Promise<PageBody> {
  const { status, body } = await caller.get(path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as PageBody;
}

describe.each(LISTS)('the list of %s', (list, world) => {
  let full: Network;
  let alice: Caller;
  beforeAll(async () => {
    full = await openNetwork(world);
    alice = full.as('alice');
  });
  afterAll(() => full.close());

  test('returns all users, newest edge first, with the count and without tokens', async () => {
    const page = await pageAt(alice, pathOf(list));
    expect(namesOf(page)).toEqual(NEWEST_FIRST);
    expect(page.meta).toEqual({ result_count: 5 });
  });

  test('returns pages that joined equal the whole, forward and backward', async () => {
    const seen: Name[] = [];
    const pages: PageBody[] = [];
    let query = '?max_results=2';
    for (let next: string | undefined = ''; next !== undefined;) {
      const page: PageBody = await pageAt(alice, pathOf(list, query));
      pages.push(page);
      seen.push(...namesOf(page));
      next = page.meta.next_token;
      query = `?max_results=2&pagination_token=${next}`;
    }
    expect(seen).toEqual(NEWEST_FIRST);
    expect(pages.map(({ meta }) => meta.result_count)).toEqual([2, 2, 1]);
    for (const at of [2, 1]) {
      const back = `?max_results=2&pagination_token=${pages[at]?.meta.previous_token}`;
      expect(namesOf(await pageAt(alice, pathOf(list, back)))).toEqual(namesOf(pages[at - 1] as PageBody));
    }
  });

  test('returns only meta when empty', async () => {
    const bobs = await pageAt(full.as('bob'), `/2/users/${ID.bob}/${list}`);
    expect(bobs).toEqual({ meta: { result_count: 0 } });
  });

  test('omits suspended users', async () => {
    const { as, suspend } = await startNetwork(world);
    await suspend('dave');
    const page = await pageAt(as('alice'), pathOf(list));
    expect(namesOf(page)).toEqual(['frank', 'erin', 'carol', 'bob']);
    expect(page.meta.result_count).toBe(4);
  });

  test('returns the requested fields and pinned posts', async () => {
    const post = '1578514000000000001';
    const { as } = await startNetwork({
      ...world,
      users: [{ username: 'frank', description: 'Tern', pinned_post: post }],
      posts: [{ id: post, author: 'frank', text: 'Pinned' }],
    });
    const query = '?max_results=1&user.fields=description&expansions=pinned_tweet_id';
    const { body } = await as('alice').get(pathOf(list, query));
    expect(body.data[0]).toMatchObject({ id: ID.frank, description: 'Tern', pinned_tweet_id: post });
    expect(body.includes.tweets).toMatchObject([{ id: post, text: 'Pinned' }]);
  });

  test.each(['0', '1001', 'x'])('returns 400 for max_results=%s', async (size) => {
    const { status, body } = await alice.get(pathOf(list, `?max_results=${size}`));
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      {
        parameters: { max_results: [size] },
        message: `The \`max_results\` query parameter value [${size}] is not between 1 and 1000`,
      },
    ]);
  });

  test('rejects the token of another list', async () => {
    const { meta } = await pageAt(alice, pathOf(list, '?max_results=1'));
    for (const [other] of LISTS.filter(([name]) => name !== list)) {
      const query = `?pagination_token=${meta.next_token}`;
      const { status, body } = await alice.get(pathOf(other, query));
      expect([status, body.errors[0].message]).toEqual([
        400,
        `The \`pagination_token\` query parameter value [${meta.next_token}] is not valid`,
      ]);
    }
  });
});

test('a page has up to 1,000 users', async () => {
  const many = Array.from({ length: 1_001 }, (_, n) => `user${n}`);
  const { as } = await startNetwork({
    users: many.map((username, n) => ({ id: String(1_000 + n), username, name: username })),
    mutes: many.map((to) => ({ from: 'alice', to })),
  });
  const first = await pageAt(as('alice'), pathOf('muting', '?max_results=1000'));
  const query = `?max_results=1000&pagination_token=${first.meta.next_token}`;
  const second = await pageAt(as('alice'), pathOf('muting', query));
  expect([first, second].map(namesOf)).toEqual([[...many].reverse().slice(0, 1_000), ['user0']]);
});

test('pages are stable while edges are added and removed', async () => {
  const network = await startNetwork({ mutes: OTHERS.map((to) => ({ from: 'alice', to })) });
  const alice = network.as('alice');
  const first = await pageAt(alice, pathOf('muting', '?max_results=2'));
  await removeRelation('muting', network, 'alice', 'erin');
  await removeRelation('muting', network, 'alice', 'dave');
  await mute(network, 'alice', 'erin');
  const second = await pageAt(
    alice,
    pathOf('muting', `?max_results=2&pagination_token=${first.meta.next_token}`),
  );
  expect([namesOf(first), namesOf(second)]).toEqual([
    ['frank', 'erin'],
    ['carol', 'bob'],
  ]);
});

test.each([
  ['following', 'followers', 'bob', 'alice'],
  ['following', 'following', 'alice', 'bob'],
  ['blocking', 'blocking', 'alice', 'bob'],
  ['muting', 'muting', 'alice', 'bob'],
] as const)('%s changes the list of %s at once', async (relation: Relation, list, from, to) => {
  const network = await startNetwork();
  const alice = network.as('alice');
  await addRelation(relation, network, from, to);
  expect(namesOf(await pageAt(alice, pathOf(list)))).toEqual(['bob']);
  await removeRelation(relation, network, from, to);
  expect(namesOf(await pageAt(alice, pathOf(list)))).toEqual([]);
});

test('a renewed follow is listed as the newest', async () => {
  const network = await startNetwork({ follows: OTHERS.map((to) => ({ from: 'alice', to })) });
  await unfollow(network, 'alice', 'bob');
  await addRelation('following', network, 'alice', 'bob');
  const page = await pageAt(network.app, pathOf('following', '?max_results=2'));
  expect(namesOf(page)).toEqual(['bob', 'frank']);
});

describe.each(['followers', 'following'])('the list of %s', (list) => {
  const follows = [
    { from: 'alice', to: 'bob' },
    { from: 'bob', to: 'alice' },
    { from: 'carol', to: 'alice', pending: true },
  ];
  const world: World = { users: [{ username: 'alice', protected: true }], follows };
  let closed: Network;
  beforeAll(async () => {
    closed = await openNetwork(world);
  });
  afterAll(() => closed.close());

  test('is public for a public account', async () => {
    const { app, as } = await startNetwork({ follows: follows.slice(0, 2) });
    for (const caller of [app, as('dave'), as('alice')]) {
      expect(namesOf(await pageAt(caller, pathOf(list)))).toEqual(['bob']);
    }
  });

  test('of a protected account is visible to itself and its followers, and an error to others', async () => {
    const { app, as } = closed;
    for (const caller of [as('alice'), as('bob')]) {
      expect(namesOf(await pageAt(caller, pathOf(list)))).toEqual(['bob']);
    }
    for (const caller of [app, as('carol'), as('dave')]) {
      expect(await pageAt(caller, pathOf(list))).toEqual({
        errors: [
          {
            value: ID.alice,
            detail: `Sorry, you are not authorized to see the user with id: [${ID.alice}].`,
            title: 'Authorization Error',
            resource_type: 'user',
            parameter: 'id',
            resource_id: ID.alice,
            section: 'data',
            type: `${PROBLEMS}not-authorized-for-resource`,
          },
        ],
        meta: { result_count: 0 },
      });
    }
  });

  test('omits pending requests', async () => {
    const { as } = closed;
    expect(namesOf(await pageAt(as('alice'), pathOf(list)))).not.toContain('carol');
    expect(await pageAt(as('carol'), `/2/users/${ID.carol}/following`)).toEqual({
      meta: { result_count: 0 },
    });
  });

  test('of an unknown or suspended user is an error', async () => {
    const { app, suspend } = await startNetwork(world);
    expect((await app.get(`/2/users/404/${list}`)).body.errors).toEqual([notFound('user', 'id', '404')]);
    await suspend('alice');
    expect((await app.get(pathOf(list))).body.errors).toEqual([suspended('id', ID.alice)]);
  });
});

test.each(['blocking', 'muting'])('the list of %s is readable by its owner only', async (list) => {
  const { app, as } = await startNetwork();
  expect((await app.get(pathOf(list))).status).toBe(403);
  const { status, body } = await as('bob').get(pathOf(list));
  expect(status).toBe(400);
  expect(body.errors[0].parameters).toEqual({ id: [ID.alice] });
});
