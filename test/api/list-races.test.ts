import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';
import { APP } from '../support/world.js';

/** Lists changed concurrently through two servers on one database. */

const PEOPLE = Array.from({ length: 8 }, (_, n) => ({
  id: String(3000 + n),
  username: `user${n}`,
  name: `User ${n}`,
}));
const OWNER = PEOPLE.length - 1;

let database: SharedDatabase;
let servers: readonly TestApp[];
let tokens: string[];

beforeAll(async () => {
  database = await createSharedDatabase({ users: 'this process' });
  const app = { ...APP, name: 'a', owner: 'user0', permissions: 'read_write', redirect_uris: [] };
  const first = await startTestApp({ database, world: { users: PEOPLE, apps: [app] } });
  servers = [first, await startTestApp({ database, world: null })];
  tokens = await Promise.all(PEOPLE.map(({ username }) => first.as(username)));
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await database[Symbol.asyncDispose]();
});

const server = (n: number): TestApp => servers[n % servers.length] as TestApp;

test('concurrent changes of Lists and members all succeed and leave correct counts', async () => {
  const token = tokens[OWNER];
  const made = await Promise.all(
    [0, 1, 2].map((n) => server(n).post('/2/lists', token, { name: `List ${n}` })),
  );
  const lists = made.map(({ body }) => body.data.id as string);
  for (let round = 0; round < 4; round += 1) {
    const answers = await Promise.all(
      lists.flatMap((list, at) => [
        server(round + at).put(`/2/lists/${list}`, token, { private: (round + at) % 2 === 0 }),
        ...PEOPLE.map(({ id }, n) =>
          (n + round + at) % 3 === 0
            ? server(n).delete(`/2/lists/${list}/members/${id}`, token)
            : server(n).post(`/2/lists/${list}/members`, token, { user_id: id }),
        ),
      ]),
    );
    expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    await expectCounted(lists);
  }
  const answers = await Promise.all(lists.map((list, n) => server(n).delete(`/2/lists/${list}`, token)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await expectCounted([]);
});

/** Checks the member count of each List and the listed count of each user. */
async function expectCounted(lists: readonly string[]): Promise<void> {
  const listed = new Map<string, number>(PEOPLE.map(({ id }) => [id, 0]));
  for (const list of lists) {
    const get = async (path: string) => (await server(0).get(`/2/lists/${list}${path}`, tokens[OWNER])).body;
    const { data } = await get('?list.fields=member_count,private');
    const members = ((await get('/members')).data ?? []) as { id: string }[];
    expect(data.member_count).toBe(members.length);
    if (data.private === false) for (const { id } of members) listed.set(id, (listed.get(id) ?? 0) + 1);
  }
  const ids = PEOPLE.map(({ id }) => id).join(',');
  const { body } = await server(0).get(`/2/users?ids=${ids}&user.fields=public_metrics`, APP.bearer_token);
  const counted = (body.data as { id: string; public_metrics: { listed_count: number } }[]).map(
    ({ id, public_metrics }) => [id, public_metrics.listed_count],
  );
  expect(counted).toEqual([...listed]);
}
