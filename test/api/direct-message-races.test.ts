import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { deleteAccount } from '../../src/services/accounts/delete-account.js';
import { findUser } from '../../src/stores/users.js';
import { startTestApp, type TestAnswer, type TestApp } from '../support/app.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';
import { APP } from '../support/world.js';

/** Direct messages written concurrently through two servers on one database. */

const PEOPLE = Array.from({ length: 24 }, (_, n) => ({
  id: String(3000 + n),
  username: `user${n}`,
  name: `User ${n}`,
  receives_dms: 'everyone',
}));

let database: SharedDatabase;
let first: TestApp;
let second: TestApp;
let tokens: string[];

beforeAll(async () => {
  database = await createSharedDatabase({ users: 'this process' });
  const app = { ...APP, name: 'a', owner: 'user0', permissions: 'read_write_dm', redirect_uris: [] };
  first = await startTestApp({ database, world: { users: PEOPLE, apps: [app] } });
  second = await startTestApp({ database, world: null });
  tokens = await Promise.all(PEOPLE.map(({ username }) => first.as(username)));
});
afterAll(async () => {
  await first.close();
  await second.close();
  await database[Symbol.asyncDispose]();
});

const idOf = (n: number): string => PEOPLE[n]?.id ?? '';
const tokenOf = (n: number): string => tokens[n] ?? '';

const send = (app: TestApp, from: number, to: number, text: string): Promise<TestAnswer> =>
  app.post(`/2/dm_conversations/with/${idOf(to)}/messages`, tokenOf(from), { text });

/** Returns the ids of all events at a path as the user sees them. */
async function idsAt(app: TestApp, user: number, path: string): Promise<string[]> {
  const { body } = await app.get(`${path}?max_results=100`, tokenOf(user));
  return ((body.data ?? []) as { id: string }[]).map(({ id }) => id);
}

function both<T>(times: number, work: (app: TestApp, n: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, n) => work(n % 2 === 0 ? first : second, n)));
}

describe('concurrent requests', () => {
  test('first messages of two users create one conversation, with no message lost or repeated', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [one, other] = [2 * round, 2 * round + 1];
      const answers = await both(8, (app, n) =>
        n % 4 < 2 ? send(app, one, other, `${n}`) : send(app, other, one, `${n}`),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
      const conversations = new Set(answers.map(({ body }) => body.data.dm_conversation_id as string));
      expect([...conversations]).toEqual([`${idOf(one)}-${idOf(other)}`]);
      const sent = answers.map(({ body }) => body.data.dm_event_id as string).sort();
      for (const [app, reader, partner] of [
        [first, one, other],
        [second, other, one],
      ] as const) {
        const path = `/2/dm_conversations/with/${idOf(partner)}/dm_events`;
        expect((await idsAt(app, reader, path)).sort()).toEqual(sent);
        expect((await idsAt(app, reader, '/2/dm_events')).sort()).toEqual(sent);
      }
    }
  });

  test('groups of the same users are separate conversations', async () => {
    const answers = await both(6, (app) =>
      app.post('/2/dm_conversations', tokenOf(16), { participant_ids: [idOf(17), idOf(18)], text: 'Group' }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(answers.map(({ body }) => body.data.dm_conversation_id as string)).size).toBe(6);
    expect(await idsAt(second, 18, '/2/dm_events')).toHaveLength(18);
  });

  test('one of several messages gets an attachment', async () => {
    await first.load({ media: [{ media_key: '5_901', type: 'photo', owner: 'user19' }] });
    const path = `/2/dm_conversations/with/${idOf(18)}/messages`;
    const answers = await both(6, (app) => app.post(path, tokenOf(19), { text: 'Mine', media_id: '901' }));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(5).fill(400)]);
    expect(await idsAt(first, 19, '/2/dm_events')).toHaveLength(1);
  });

  test('an event is deleted once', async () => {
    const id = (await send(first, 19, 16, 'Oops')).body.data.dm_event_id as string;
    const answers = await both(6, (app) => app.delete(`/2/dm_events/${id}`, tokenOf(19)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(5).fill(404)]);
    expect(await idsAt(second, 16, `/2/dm_conversations/with/${idOf(19)}/dm_events`)).toEqual([id]);
  });

  test('an account deleted while others write to it leaves no inbox behind', async () => {
    const created = await first.post('/2/dm_conversations', tokenOf(20), {
      participant_ids: [idOf(21), idOf(22)],
      text: 'Group',
    });
    const group = created.body.data.dm_conversation_id as string;
    const user = await findUser(first.pipit.backend.engine, BigInt(idOf(22)) as UserId);
    if (!user) throw new Error('no user22');
    const writing = both(16, (app, n) =>
      n % 3 === 0
        ? app.post(`/2/dm_conversations/${group}/messages`, tokenOf(20), { text: `Group ${n}` })
        : send(app, n % 3 === 1 ? 21 : 23, 22, `${n}`),
    );
    const [answers] = await Promise.all([writing, deleteAccount(second.pipit.backend, user)]);
    for (const { status } of answers) expect([201, 403, 404]).toContain(status);
    await second.load({ users: [PEOPLE[22]] });
    tokens[22] = await second.as('user22');
    expect(await idsAt(first, 22, '/2/dm_events')).toEqual([]);
    const sent = answers
      .filter(({ status }) => status === 201)
      .map(({ body }) => body.data.dm_conversation_id);
    const inGroup = await idsAt(second, 21, `/2/dm_conversations/${group}/dm_events`);
    // Two joins, one leave, the first message and those sent meanwhile.
    expect(inGroup).toHaveLength(4 + sent.filter((id) => id === group).length);
  });
});
