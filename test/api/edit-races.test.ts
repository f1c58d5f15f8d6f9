import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestAnswer, type TestApp } from '../support/app.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';
import { APP } from '../support/world.js';

/** Edits of a post beside other changes of it, through two servers on one database (docs/api/posts.md#edits). */

const ROUNDS = 12;
const ALICE = { id: '3001', username: 'alice', name: 'Alice' };

let database: SharedDatabase;
let servers: readonly TestApp[];
let token: string;

beforeAll(async () => {
  database = await createSharedDatabase({ users: 'this process' });
  const app = { ...APP, name: 'a', owner: 'alice', permissions: 'read_write', redirect_uris: [] };
  const first = await startTestApp({ database, world: { users: [ALICE], apps: [app] } });
  servers = [first, await startTestApp({ database, world: null })];
  token = await first.as('alice');
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await database[Symbol.asyncDispose]();
});

const server = (n: number): TestApp => servers[n % servers.length] as TestApp;

async function posted(text: string): Promise<string> {
  const { body } = await server(0).post('/2/tweets', token, { text });
  return body.data.id;
}

const edit = (n: number, id: string, text: string): Promise<TestAnswer> =>
  server(n).post('/2/tweets', token, { text, edit_options: { previous_post_id: id } });

const countOfPosts = async (): Promise<number> => {
  const { body } = await server(1).get(`/2/users/${ALICE.id}?user.fields=public_metrics`, token);
  return body.data.public_metrics.tweet_count;
};

test('of two edits of the same version at once, one succeeds', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await posted(`Both ${round}`);
    const answers = await Promise.all([0, 1].map((n) => edit(n, id, `Edit ${round} by ${n}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403]);
    const created = answers.find(({ status }) => status === 201)?.body.data;
    const { body } = await server(round).get(`/2/tweets/${id}`, token);
    expect(body.data.edit_history_tweet_ids).toEqual([id, created.id]);
  }
});

test('an edit and a deletion at once leave all versions or none', async () => {
  const before = await countOfPosts();
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await posted(`Gone ${round}`);
    const [edited, deleted] = await Promise.all([
      edit(round, id, `Edit of ${round}`),
      server(round + 1).delete(`/2/tweets/${id}`, token),
    ]);
    expect(deleted.status).toBe(200);
    expect([201, 404]).toContain(edited.status);
    const ids = [id, edited.body.data?.id ?? id];
    expect((await server(0).get(`/2/tweets?ids=${ids.join()}`, token)).body.data).toBeUndefined();
  }
  expect(await countOfPosts()).toBe(before);
});

test('likes beside an edit are counted for all versions', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await posted(`Liked ${round}`);
    const [edited, liked] = await Promise.all([
      edit(round, id, `Edit of liked ${round}`),
      server(round + 1).post(`/2/users/${ALICE.id}/likes`, token, { tweet_id: id }),
    ]);
    expect([edited.status, liked.status]).toEqual([201, 200]);
    const { body } = await server(round).get(
      `/2/tweets?ids=${id},${edited.body.data.id}&tweet.fields=public_metrics`,
      token,
    );
    const likes = body.data.map(
      ({ public_metrics }: { public_metrics: { like_count: number } }) => public_metrics.like_count,
    );
    expect(likes).toEqual([1, 1]);
  }
});
