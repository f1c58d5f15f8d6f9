import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invalidRequest } from './support/errors.js';
import { openNetwork, startNetwork, type Network } from './support/network.js';

/** Searching users by name and username (docs/api/people.md#search). */

const WORLD = {
  users: [
    { username: 'ada_l', id: '21', name: 'Ada Lovelace' },
    { username: 'adam', id: '22', name: 'Adam Ant' },
    { username: 'ada', id: '23', name: 'Somebody Else' },
    { username: 'grace', id: '24', name: 'Grace Ada Hopper' },
    { username: 'jose', id: '25', name: "José O'Hara" },
  ],
  follows: [
    { from: 'alice', to: 'adam' },
    { from: 'bob', to: 'adam' },
    { from: 'alice', to: 'grace' },
  ],
};

const idsOf = (body: { readonly data?: readonly { readonly id: string }[] }) =>
  (body.data ?? []).map(({ id }) => id);

const search = (query: string, more = '') => `/2/users/search?query=${encodeURIComponent(query)}${more}`;

describe('in a network that does not change', () => {
  let network: Network;
  beforeAll(async () => {
    network = await openNetwork(WORLD);
  });
  afterAll(() => network.close());

  test('the user with that username comes first, then those with more followers', async () => {
    const { status, body } = await network.as('alice').get(search('ada'));
    expect(status).toBe(200);
    expect(idsOf(body)).toEqual(['23', '22', '24', '21']);
    expect(body.meta).toEqual({ result_count: 4 });
  });

  test.each([
    ['ADA love', ['21']],
    ['love ada', ['21']],
    ['ada_l', ['21']],
    ['hop gra', ['24']],
    ["jose o'hara", ['25']],
    ['ovelace', []],
    ['ada nobody', []],
    ["' '", []],
  ])('the query %j finds users with a word for each of its beginnings', async (query, ids) => {
    const { status, body } = await network.as('alice').get(search(query));
    expect([status, idsOf(body)]).toEqual([200, ids]);
  });

  test('pages show each user once, in one order', async () => {
    const seen: string[] = [];
    for (let token = ''; ;) {
      const more = `&max_results=1&user.fields=public_metrics${token && `&next_token=${token}`}`;
      const { body } = await network.as('alice').get(search('ada', more));
      seen.push(...idsOf(body));
      token = body.meta.next_token ?? '';
      if (token === '') break;
    }
    expect(seen).toEqual(['23', '22', '24', '21']);
  });

  test.each([
    ['', 'is required'],
    [search('a-b').slice('/2/users/search'.length), 'is not valid'],
    [`?query=${'a'.repeat(51)}`, 'is not valid'],
    ['?query=ada&max_results=1001', 'max_results'],
    ['?query=ada&next_token=abc', 'next_token'],
  ])('%j returns 400', async (parameters) => {
    const { status, body } = await network.as('alice').get(`/2/users/search${parameters}`);
    expect([status, body.title]).toEqual([400, 'Invalid Request']);
  });

  test('a token of another query returns 400', async () => {
    const { body } = await network.as('alice').get(search('ada', '&max_results=1'));
    const token = body.meta.next_token as string;
    const other = await network.as('alice').get(search('adam', `&next_token=${token}`));
    expect([other.status, other.body]).toEqual([
      400,
      invalidRequest([
        { next_token: [token] },
        `The \`next_token\` query parameter value [${token}] is not valid`,
      ]),
    ]);
  });

  test('an app without a user is refused', async () => {
    expect((await network.app.get(search('ada'))).status).toBe(403);
  });
});

test('suspended and deleted users are not found', async () => {
  const network = await startNetwork();
  await network.suspend('bob');
  await network.deleteAccount('carol');
  await network.runJobs();
  const { body } = await network.as('alice').get(search('bird'));
  expect(idsOf(body).sort()).toEqual(['11', '14', '15', '16']);
});
