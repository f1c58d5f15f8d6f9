import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { scrubPlaces } from '../../src/services/accounts/scrub-places.js';
import { deactivateAccount, suspendAccount } from '../../src/services/accounts/standing.js';
import { protectAccount, unprotectAccount } from '../../src/services/relations/follow-requests.js';
import { changeProfile } from '../../src/stores/users.js';
import { BOULDER, USERS } from '../support/world.js';
import { startStreamServer, type StreamServer } from './support/open-streams.js';

/** Streams for clients that keep copies (docs/api/streams.md#compliance). */

const AT = { event_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) };
const ALICE = BigInt(USERS.alice) as UserId;
const BOB = BigInt(USERS.bob) as UserId;
const PARTITIONS = [1, 2, 3, 4];

let server: StreamServer;
beforeEach(async () => {
  server = await startStreamServer();
});
afterEach(() => server[Symbol.asyncDispose]());

/** Returns the lines of all partitions, with those that carried them. */
async function linesOf(path: string): Promise<{ data: unknown; partition: number }[]> {
  const lines: { data: unknown; partition: number }[] = [];
  for (const partition of PARTITIONS)
    for (const { data } of await server.recover(`${path}?partition=${partition}`))
      lines.push({ data, partition });
  return lines;
}

const dataOf = async (path: string): Promise<unknown[]> => (await linesOf(path)).map(({ data }) => data);

describe('the stream about posts', () => {
  const PATH = '/2/tweets/compliance/stream';

  test('has deletions, once over all partitions', async () => {
    const plain = await server.post('a heron');
    const quote = await server.post('look', { quote_tweet_id: plain }, 'bob');
    const alice = await server.app.as('alice');
    const bob = await server.app.as('bob');
    expect((await server.app.delete(`/2/tweets/${quote}`, bob)).status).toBe(200);
    expect((await server.app.delete(`/2/tweets/${plain}`, alice)).status).toBe(200);
    const expected = [
      { delete: { ...AT, tweet: { id: plain, author_id: USERS.alice } } },
      { delete: { ...AT, tweet: { id: quote, author_id: USERS.bob }, quote_tweet_id: plain } },
    ];
    const found = await dataOf(PATH);
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining(expected));
  });

  test('has edits with the versions up to them', async () => {
    const first = await server.post('a haron');
    const second = await server.post('a heran', { edit_options: { previous_post_id: first } });
    const third = await server.post('a heron', { edit_options: { previous_post_id: second } });
    const edit = (id: string, ...edit_tweet_ids: string[]) => ({
      tweet_edit: { ...AT, tweet: { id }, initial_tweet_id: first, edit_tweet_ids },
    });
    const found = await dataOf(PATH);
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([edit(second, first, second), edit(third, first, second, third)]),
    );
  });

  test('carries a post live, in the partition that recovery finds it in', async () => {
    const readers = await Promise.all(PARTITIONS.map((n) => server.open(`${PATH}?partition=${n}`)));
    const id = await server.post('a heron');
    await server.app.delete(`/2/tweets/${id}`, await server.app.as('alice'));
    const [line] = await linesOf(PATH);
    const message = await readers[(line?.partition ?? 0) - 1]?.next();
    expect(message?.data).toEqual(line?.data);
  });
});

describe('the stream about accounts', () => {
  const PATH = '/2/users/compliance/stream';
  const user = { user: { id: USERS.alice } };

  test('has protection and its end', async () => {
    const { backend } = server.app.pipit;
    await protectAccount(backend, ALICE);
    await unprotectAccount(backend, ALICE);
    expect(await dataOf(PATH)).toEqual([
      { user_protect: { ...user, ...AT } },
      { user_unprotect: { ...user, ...AT } },
    ]);
  });

  test('has suspension, deactivation and their ends', async () => {
    const { backend } = server.app.pipit;
    await suspendAccount(backend, ALICE, true);
    await suspendAccount(backend, ALICE, false);
    await deactivateAccount(backend, ALICE);
    await suspendAccount(backend, ALICE, true);
    await suspendAccount(backend, ALICE, false);
    const names = [
      'user_suspend',
      'user_unsuspend',
      'user_delete',
      'user_suspend',
      'user_unsuspend',
      'user_delete',
    ];
    expect(await dataOf(PATH)).toEqual(names.map((name) => ({ [name]: { ...user, ...AT } })));
  });

  test('has changes of profiles, one line for each member', async () => {
    const { backend } = server.app.pipit;
    await backend.engine.tx('change', (tx) =>
      changeProfile(tx, ALICE, {
        name: 'Alice B',
        description: 'birds',
        location: undefined,
        url: undefined,
      }),
    );
    const change = (profile_field: string, new_value: string) => ({
      user_profile_modification: { ...user, profile_field, new_value, ...AT },
    });
    expect(await dataOf(PATH)).toEqual([change('description', 'birds'), change('name', 'Alice B')]);
  });

  test('has removed places, up to the newest post', async () => {
    await server.app.load({ places: [BOULDER] });
    const ids: string[] = [];
    for (const n of [1, 2])
      ids.push(await server.post(`heron ${n}`, { geo: { place_id: BOULDER.id } }, 'bob'));
    await scrubPlaces(server.app.pipit.backend, BOB);
    expect(await dataOf(PATH)).toEqual([
      { scrub_geo: { user: { id: USERS.bob }, up_to_tweet_id: ids[1], ...AT } },
    ]);
  });
});

test('the stream about likes has those that were undone', async () => {
  const id = await server.post('a heron');
  const bob = await server.app.as('bob');
  await server.app.post(`/2/users/${USERS.bob}/likes`, bob, { tweet_id: id });
  await server.app.delete(`/2/users/${USERS.bob}/likes/${id}`, bob);
  const messages = await server.recover('/2/likes/compliance/stream');
  expect(messages).toEqual([{ data: { delete: { ...AT, favorite: { id, user_id: USERS.bob } } } }]);
});

test('the stream of labels is open and silent', async () => {
  const id = await server.post('a heron');
  await server.app.delete(`/2/tweets/${id}`, await server.app.as('alice'));
  expect(await server.recover('/2/tweets/label/stream')).toEqual([]);
  const reader = await server.open('/2/tweets/label/stream');
  expect(reader.response.statusCode).toBe(200);
});

test.each([
  '/2/tweets/compliance/stream',
  '/2/users/compliance/stream',
  '/2/tweets/compliance/stream?partition=5',
])('%s is refused for its partition', async (path) => {
  const { status, body } = await server.app.get(path, server.app.bearer);
  expect([status, Object.keys(body.errors[0].parameters)]).toEqual([400, ['partition']]);
});
