import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import type { User } from '../../src/core/user.js';
import { hashToken } from '../../src/services/secrets/secrets.js';
import { revokeBearerToken } from '../../src/stores/tokens.js';
import { findUserCounts, insertUser, setProtected, setStanding } from '../../src/stores/users.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { rounds } from '../support/rounds.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';
import { USERS } from '../support/world.js';

const ROUNDS = rounds(10);

function newUser(id: UserId, username: string): User {
  return {
    id,
    username,
    name: username,
    createdAtMs: 0,
    description: '',
    protected: false,
    verified: false,
    allowsPhotoTagging: true,
    receivesDms: 'everyone',
    suspended: false,
  };
}

/** Two servers on one database, like two processes: they share only what is stored. */
describe('two processes on one database', () => {
  let database: SharedDatabase;
  let first: TestApp;
  let second: TestApp;
  let alice: string;
  let bob: string;
  let carol: string;

  beforeAll(async () => {
    database = await createSharedDatabase({ users: 'this process' });
    first = await startTestApp({ database });
    second = await startTestApp({ database, world: null });
    [alice, bob, carol] = await Promise.all([first.as('alice'), first.as('bob'), first.as('carol')]);
  });
  afterAll(async () => {
    await first.close();
    await second.close();
    await database.remove();
  });

  let texts = 0;
  const post = async (app: TestApp, token: string, body: object = {}): Promise<string> => {
    texts += 1;
    const answer = await app.post('/2/tweets', token, { text: `Text number ${texts}`, ...body });
    expect(answer.status).toBe(201);
    return answer.body.data.id;
  };
  const countsOf = async (app: TestApp, id: string) =>
    (await app.get(`/2/tweets/${id}?tweet.fields=public_metrics`, app.bearer)).body.data.public_metrics;
  const postCountOf = async (user: string) => {
    const id = BigInt(user) as UserId;
    return (await findUserCounts(first.pipit.backend.engine, [id])).get(id)?.posts ?? -1;
  };

  describe('a change through one is visible to the next request of the other', () => {
    let id: string;
    const seenBySecond = async (token = second.bearer): Promise<boolean> =>
      (await second.get(`/2/tweets/${id}`, token)).body.data !== undefined;

    beforeEach(async () => {
      id = await post(first, alice);
      // By now the posts are cached, if anything is.
      for (let times = 0; times < 3; times += 1) expect(await seenBySecond()).toBe(true);
    });

    test('a deleted post', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        id = await post(first, alice);
        expect(await seenBySecond()).toBe(true);
        expect((await first.delete(`/2/tweets/${id}`, alice)).status).toBe(200);
        expect(await seenBySecond()).toBe(false);
      }
    });

    test('a protected account, and its unprotection', async () => {
      const protect = (isProtected: boolean) =>
        first.pipit.backend.engine.tx('protect', (tx) =>
          setProtected(tx, BigInt(USERS.alice) as UserId, isProtected),
        );
      for (let round = 0; round < ROUNDS; round += 1) {
        await protect(true);
        expect(await seenBySecond()).toBe(false);
        await protect(false);
        expect(await seenBySecond()).toBe(true);
      }
    });

    test('a suspended account', async () => {
      const suspend = (isSuspended: boolean) =>
        first.pipit.backend.engine.tx('suspend', (tx) =>
          setStanding(tx, BigInt(USERS.alice) as UserId, isSuspended ? 'suspended' : 'active'),
        );
      for (let round = 0; round < ROUNDS; round += 1) {
        await suspend(true);
        expect(await seenBySecond()).toBe(false);
        expect((await second.get('/2/tweets/1', alice)).status).toBe(403);
        await suspend(false);
        expect(await seenBySecond()).toBe(true);
      }
    });

    test('a block', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        expect(await seenBySecond(carol)).toBe(true);
        const blocking = { target_user_id: USERS.carol };
        expect((await first.post(`/2/users/${USERS.alice}/blocking`, alice, blocking)).status).toBe(200);
        expect(await seenBySecond(carol)).toBe(false);
        await first.delete(`/2/users/${USERS.alice}/blocking/${USERS.carol}`, alice);
      }
    });

    test('a revoked token', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const token = await first.as('alice');
        expect(await seenBySecond(token)).toBe(true);
        await first.pipit.backend.engine.tx('revoke', (tx) => revokeBearerToken(tx, hashToken(token), 1));
        expect((await second.get(`/2/tweets/${id}`, token)).status).toBe(401);
      }
    });
  });

  describe('concurrent changes happen once and keep counts exact', () => {
    const both = <T>(times: number, work: (app: TestApp, n: number) => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: times }, (_, n) => work(n % 2 === 0 ? first : second, n)));

    test('one of several posts with the same text is created', async () => {
      const before = await postCountOf(USERS.bob);
      for (let round = 1; round <= 5; round += 1) {
        const answers = await both(8, (app) => app.post('/2/tweets', bob, { text: `Said at once ${round}` }));
        expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(403)]);
        expect(await postCountOf(USERS.bob)).toBe(before + round);
      }
    });

    test('concurrent posts of one author and replies to one post are all counted', async () => {
      const before = await postCountOf(USERS.bob);
      const root = await post(first, alice);
      const replies = await both(24, (app) => post(app, bob, { reply: { in_reply_to_tweet_id: root } }));
      expect(new Set(replies).size).toBe(24);
      expect(await postCountOf(USERS.bob)).toBe(before + 24);
      expect((await countsOf(second, root)).reply_count).toBe(24);
    });

    test('a post deleted by several requests is deleted once', async () => {
      const before = await postCountOf(USERS.bob);
      const root = await post(first, alice);
      for (let round = 0; round < 5; round += 1) {
        const id = await post(first, bob, { reply: { in_reply_to_tweet_id: root } });
        const answers = await both(6, (app) => app.delete(`/2/tweets/${id}`, bob));
        const deleted = answers.filter(({ status }) => status === 200);
        expect(deleted).toHaveLength(1);
        expect(await postCountOf(USERS.bob)).toBe(before);
        expect((await countsOf(second, root)).reply_count).toBe(0);
      }
    });

    test('a reply and the deletion of its parent happen in one of the two orders', async () => {
      for (let round = 0; round < 10; round += 1) {
        const root = await post(first, alice);
        const reply = { text: `Reply ${round}`, reply: { in_reply_to_tweet_id: root } };
        const [deleted, replied] = await Promise.all([
          first.delete(`/2/tweets/${root}`, alice),
          second.post('/2/tweets', bob, reply),
        ]);
        expect(deleted.status).toBe(200);
        expect([201, 403]).toContain(replied.status);
        expect((await second.get(`/2/tweets/${root}`, second.bearer)).body.data).toBeUndefined();
      }
    });

    test('follows and unfollows of one account leave counts that match its lists', async () => {
      const follow = (app: TestApp, token: string, from: string) =>
        app.post(`/2/users/${from}/following`, token, { target_user_id: USERS.alice });
      const unfollow = (app: TestApp, token: string, from: string) =>
        app.delete(`/2/users/${from}/following/${USERS.alice}`, token);
      const turns = [
        [bob, USERS.bob],
        [carol, USERS.carol],
      ] as const;
      const answers = await both(40, (app, n) => {
        const [token, from] = turns[n % 4 < 2 ? 0 : 1];
        return Math.floor(n / 4) % 2 === 0 ? follow(app, token, from) : unfollow(app, token, from);
      });
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      const account = await first.get(`/2/users/${USERS.alice}?user.fields=public_metrics`, first.bearer);
      const list = await second.get(`/2/users/${USERS.alice}/followers`, second.bearer);
      const listed: unknown[] = list.body.data ?? [];
      expect(account.body.data.public_metrics.followers_count).toBe(listed.length);
    });

    test('a username is assigned once', async () => {
      for (let round = 0; round < 5; round += 1) {
        const outcomes = await both(6, async (app, n) => {
          const user = newUser(
            BigInt(5_000 + round * 10 + n) as UserId,
            n % 3 === 0 ? `Same${round}` : `same${round}`,
          );
          return app.pipit.backend.engine.tx('create', (tx) => insertUser(tx, user));
        });
        expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(1);
        expect(outcomes.filter((outcome) => outcome === 'username-taken')).toHaveLength(5);
      }
    });
  });
});

test('many users of two processes who read their home timelines for the first time at once get them', async () => {
  const database = await createSharedDatabase({ users: 'this process' });
  onTestFinished(database.remove);
  const FOLLOWED = 6;
  const names = Array.from({ length: 24 }, (_, n) => `first${n}`);
  const userOf = (name: string): string => String(9_000 + names.indexOf(name));
  const first = await startTestApp({ database });
  onTestFinished(first.close);
  await first.load({
    apps: [],
    users: names.map((username) => ({ id: userOf(username), username, name: username })),
    follows: names.flatMap((from, n) =>
      Array.from({ length: FOLLOWED }, (_, at) => ({ from, to: names[(n + at + 1) % names.length] })),
    ),
    posts: names.map((author, n) => ({ id: String(10n ** 18n + BigInt(n)), author, text: `By ${author}` })),
  });
  const second = await startTestApp({ database, world: null });
  onTestFinished(second.close);
  const tokens = await Promise.all(names.map((name) => first.as(name)));
  const answers = await Promise.all(
    names.map((name, n) => {
      const path = `/2/users/${userOf(name)}/timelines/reverse_chronological?max_results=100`;
      return (n % 2 === 0 ? first : second).get(path, tokens[n]);
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  expect(answers.map(({ body }) => body.meta.result_count)).toEqual(names.map(() => FOLLOWED + 1));
});
