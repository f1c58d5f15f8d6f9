import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';
import { USERS } from '../support/world.js';

const HOME = (id: string) =>
  `/2/users/${id}/timelines/reverse_chronological?max_results=5&tweet.fields=public_metrics`;
const POSTS = (id: string) => `/2/users/${id}/tweets?max_results=5&tweet.fields=public_metrics`;

/**
 * What timelines showed is partly kept for whoever asks again. Whatever changes it, in the server that is asked or in
 * another on the same database, the very next request sees.
 */
describe('the newest pages of timelines, asked for again', () => {
  let database: SharedDatabase;
  let asked: TestApp;
  let other: TestApp;
  let alice: string;
  let bob: string;

  beforeAll(async () => {
    database = await createSharedDatabase();
    asked = await startTestApp({ database });
    other = await startTestApp({ database, world: null });
    [alice, bob] = [await asked.as('alice'), await asked.as('bob')];
    await asked.delete(`/2/users/${USERS.alice}/following/${USERS.bob}`, alice);
  });
  afterAll(async () => {
    await asked.close();
    await other.close();
    await database.remove();
  });

  const shown = async (path: string): Promise<Record<string, number>> => {
    const { body } = await asked.get(path, alice);
    const posts = (body.data ?? []) as { id: string; public_metrics: { like_count: number } }[];
    return Object.fromEntries(posts.map((post) => [post.id, post.public_metrics.like_count]));
  };

  describe.each([
    ['this server', () => asked],
    ['another server', () => other],
  ])('%s changes them', (where, server) => {
    let texts = 0;
    const posted = async (): Promise<string> => {
      texts += 1;
      const answer = await server().post('/2/tweets', bob, { text: `${where}, post ${texts}` });
      expect(answer.status).toBe(201);
      return answer.body.data.id;
    };
    const follow = () =>
      server().post(`/2/users/${USERS.alice}/following`, alice, { target_user_id: USERS.bob });

    beforeEach(async () => {
      for (const path of [HOME(USERS.alice), POSTS(USERS.bob)]) await shown(path);
    });

    test('posting, liking and deleting show at once at home and on the page of the author', async () => {
      await follow();
      for (const path of [HOME(USERS.alice), POSTS(USERS.bob)]) {
        const id = await posted();
        expect((await shown(path))[id]).toBe(0);
        await server().post(`/2/users/${USERS.alice}/likes`, alice, { tweet_id: id });
        expect((await shown(path))[id]).toBe(1);
        await server().delete(`/2/tweets/${id}`, bob);
        expect(await shown(path)).not.toHaveProperty(id);
      }
    });

    test('following, muting and blocking show at once', async () => {
      await server().delete(`/2/users/${USERS.alice}/following/${USERS.bob}`, alice);
      const id = await posted();
      const isAtHome = async () => id in (await shown(HOME(USERS.alice)));
      expect(await isAtHome()).toBe(false);
      await follow();
      expect(await isAtHome()).toBe(true);
      await server().post(`/2/users/${USERS.alice}/muting`, alice, { target_user_id: USERS.bob });
      expect(await isAtHome()).toBe(false);
      await server().delete(`/2/users/${USERS.alice}/muting/${USERS.bob}`, alice);
      expect(await isAtHome()).toBe(true);
      await server().post(`/2/users/${USERS.bob}/blocking`, bob, { target_user_id: USERS.alice });
      expect(await isAtHome()).toBe(false);
      expect(await shown(POSTS(USERS.bob))).toEqual({});
      await server().delete(`/2/users/${USERS.bob}/blocking/${USERS.alice}`, bob);
      expect(await shown(POSTS(USERS.bob))).toHaveProperty(id);
    });
  });
});
