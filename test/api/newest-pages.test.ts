import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';
import { USERS } from '../support/world.js';

const HOME = (id: string) =>
  `/2/users/${id}/timelines/reverse_chronological?max_results=5&tweet.fields=public_metrics`;
const POSTS = (id: string) => `/2/users/${id}/tweets?max_results=5&tweet.fields=public_metrics`;

/**
 * Timeline pages are cached in part. A change through the same server or another one on the same database is visible
 * to the next request.
 */
describe('cached timeline pages', () => {
  let database: SharedDatabase;
  let reader: TestApp;
  let other: TestApp;
  let alice: string;
  let bob: string;

  beforeAll(async () => {
    database = await createSharedDatabase({ users: 'this process' });
    reader = await startTestApp({ database });
    other = await startTestApp({ database, world: null });
    [alice, bob] = [await reader.as('alice'), await reader.as('bob')];
    await reader.delete(`/2/users/${USERS.alice}/following/${USERS.bob}`, alice);
  });
  afterAll(async () => {
    await reader.close();
    await other.close();
    await database.remove();
  });

  const shown = async (path: string): Promise<Record<string, number>> => {
    const { body } = await reader.get(path, alice);
    const posts = (body.data ?? []) as { id: string; public_metrics: { like_count: number } }[];
    return Object.fromEntries(posts.map((post) => [post.id, post.public_metrics.like_count]));
  };

  describe.each([
    ['this server', () => reader],
    ['another server', () => other],
  ])('a change through %s', (where, server) => {
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

    test('by posting, liking or deleting is visible at once in the home timeline and the user’s timeline', async () => {
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

    test('by following, muting or blocking is visible at once', async () => {
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
