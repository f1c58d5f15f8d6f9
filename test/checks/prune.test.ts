import { beforeAll, afterAll, expect, test } from 'vitest';
import type { PruneOrder } from '../../src/services/prune/prune.js';
import { rawSql } from '../../src/database/sql.js';
import { importPage } from '../processes/support/scene.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { POSTS, USERS } from '../support/world.js';
import { pruned } from './support/pruned.js';
import { differencesIn } from './support/run-all-checks.js';

const NOW_MS = Date.parse('2022-10-07T22:42:12.000Z');
const BEFORE_MS = Date.parse('2022-01-01T00:00:00.000Z');

const ARCHIVED = { id: '50', username: 'archie', name: 'Archie', pinned_tweet_id: '820' };
const { alice, bob, carol } = USERS;

type Imported = Readonly<Record<string, unknown>> & { readonly id: string };

/** An imported post: old, unless it says otherwise. */
const post = (id: number, more: object = {}): Imported => ({
  id: String(id),
  ...{ author_id: ARCHIVED.id, conversation_id: String(id), text: `Archived ${id}` },
  created_at: '2015-01-01T00:00:00.000Z',
  public_metrics: { retweet_count: 4, reply_count: 3, like_count: 2, quote_count: 1 },
  ...more,
});
const NEW = { created_at: '2022-05-01T00:00:00.000Z' };
const to = (type: string, id: number): object => ({ referenced_tweets: [{ type, id: String(id) }] });
const versions = (...ids: number[]): object => ({ edit_history_tweet_ids: ids.map(String) });

/** The imported posts, and whether they stay, by what makes them so. */
const ARCHIVE: readonly (readonly [why: string, post: Imported, stays: boolean])[] = [
  ['old, unused', post(801, { attachments: { media_keys: ['3_701'] } }), false],
  ['as new as the age', post(802, { created_at: '2022-01-01T00:00:00.000Z' }), true],
  ['liked here', post(803), true],
  ['bookmarked here', post(804), true],
  ['reposted here', post(805), true],
  ['quoted here', post(806, { attachments: { media_keys: ['3_702'] } }), true],
  ['answered here', post(807), true],
  ['reposted by a newer one', post(808), true],
  ['a newer repost', post(809, { ...NEW, ...to('retweeted', 808) }), true],
  ['quoted by a newer one', post(810), true],
  ['a newer quote', post(811, { ...NEW, ...to('quoted', 810) }), true],
  ['answered by a newer one', post(812), false],
  ['a newer answer', post(813, { ...NEW, ...to('replied_to', 812), in_reply_to_user_id: '50' }), true],
  ['quoted by an old one', post(814), false],
  ['an old quote', post(815, to('quoted', 814)), false],
  ['an old repost', post(816, to('retweeted', 814)), false],
  ['an old version of an old one', post(817, versions(817, 818)), false],
  ['the newest version of an old one', post(818, versions(817, 818)), false],
  ['an old version of a liked one', post(819, versions(819, 821)), true],
  ['pinned by its author', post(820), true],
  ['a liked newest version', post(821, versions(819, 821)), true],
  ['reported', post(822), true],
  ['an old answer to a post written here', post(823, to('replied_to', Number.NaN)), false],
];
/** The posts that are not older than the age. */
const NEWER = 4;
const staying = ARCHIVE.filter(([, , stays]) => stays).map(([, { id }]) => id);
const going = ARCHIVE.filter(([, , stays]) => !stays).map(([, { id }]) => id);

const PAGE = {
  data: ARCHIVE.map(([, each]) => each).map((each) =>
    each.id === '823' ? { ...each, referenced_tweets: [{ type: 'replied_to', id: POSTS.hello }] } : each,
  ),
  includes: {
    users: [ARCHIVED],
    media: [701, 702].map((id) => ({ media_key: `3_${id}`, type: 'photo', url: `https://x.test/${id}` })),
  },
};

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ clock: () => NOW_MS });
  await importPage(app.pipit, PAGE);
  const [aliceToken, bobToken] = [await app.as('alice'), await app.as('bob')];
  const react = (kind: string, id: string) => app.post(`/2/users/${bob}/${kind}`, bobToken, { tweet_id: id });
  const reactions = [
    react('likes', '803'),
    react('bookmarks', '804'),
    react('retweets', '805'),
    react('likes', '821'),
    app.post('/2/tweets', aliceToken, { text: 'A quote', quote_tweet_id: '806' }),
    app.post('/2/tweets', aliceToken, { text: 'An answer', reply: { in_reply_to_tweet_id: '807' } }),
    app.post(`/2/users/${carol}/following`, await app.as('carol'), { target_user_id: ARCHIVED.id }),
  ];
  for (const answer of await Promise.all(reactions)) expect([200, 201]).toContain(answer.status);
  await app.pipit.backend.engine.tx('report', (tx) =>
    tx.run(
      rawSql(`INSERT INTO report_cases (id, kind, target_id, user_id, shown, opened_at)
        VALUES (9, 'post', 822, 50, '{}', 0)`),
    ),
  );
  await app.get(`/2/users/${carol}/timelines/reverse_chronological`, await app.as('carol'));
});
afterAll(() => app.close());

const shownIds = async (): Promise<string[]> => {
  const ids = ARCHIVE.map(([, { id }]) => id).join();
  const { body } = await app.get(`/2/tweets?ids=${ids}`, app.bearer);
  return (body.data as { id: string }[]).map(({ id }) => id);
};

const ORDER: Partial<PruneOrder> = { importedBeforeMs: BEFORE_MS };

test('a dry run counts what pruning then deletes, and changes nothing', async () => {
  expect(await differencesIn(app)).toEqual([]);
  const expected = { what: 'imported posts', deleted: going.length, kept: staying.length - NEWER };
  expect(await pruned(app, { ...ORDER, isDryRun: true })).toEqual([expected]);
  expect((await shownIds()).length).toBe(ARCHIVE.length);

  const metrics = async () =>
    (await app.get('/2/tweets/813?tweet.fields=public_metrics', app.bearer)).body.data.public_metrics;
  const before = await metrics();
  expect(await pruned(app, ORDER)).toEqual([expected]);
  expect((await shownIds()).toSorted()).toEqual(staying.toSorted());
  expect(await metrics()).toEqual(before);
  expect(await differencesIn(app)).toEqual([]);
});

test('pruning again deletes nothing', async () => {
  await pruned(app, ORDER);
  expect(await pruned(app, ORDER)).toMatchObject([{ deleted: 0 }]);
});

test('pruned posts are found nowhere, and come back with another import', async () => {
  await pruned(app, ORDER);
  const searched = async (): Promise<string[]> => {
    const query = encodeURIComponent('Archived from:archie');
    const { body } = await app.get(
      `/2/tweets/search/all?query=${query}&max_results=100&start_time=2014-01-01T00:00:00Z`,
      app.bearer,
    );
    return ((body.data ?? []) as { id: string }[]).map(({ id }) => id);
  };
  expect((await searched()).filter((id) => going.includes(id))).toEqual([]);
  const home = await app.get(`/2/users/${carol}/timelines/reverse_chronological`, await app.as('carol'));
  const inHome = (home.body.data as { id: string }[]).map(({ id }) => id);
  expect(inHome.filter((id) => going.includes(id))).toEqual([]);
  await importPage(app.pipit, PAGE);
  expect((await shownIds()).length).toBe(ARCHIVE.length);
  expect(await searched()).toContain('801');
  expect(await differencesIn(app)).toEqual([]);
});

test('records of old times are deleted', async () => {
  const { engine } = app.pipit.backend;
  await engine.tx('fill', async (tx) => {
    for (const statement of [
      `INSERT INTO jobs (id, kind, payload, created_at, attempts, max_attempts) VALUES (5, 'x', '{}', 0, 1, 1)`,
      `INSERT INTO jobs (id, kind, payload, created_at, free_at, attempts, max_attempts)
        VALUES (6, 'x', '{}', 0, 9999999999999, 1, 1)`,
      `INSERT INTO user_notices (id, user_id, kind, excerpt, reason, created_at, read_at)
        VALUES (5, ${alice}, 'post-removed', '', '', 0, 5)`,
      `INSERT INTO user_notices (id, user_id, kind, excerpt, reason, created_at)
        VALUES (6, ${alice}, 'post-removed', '', '', 0)`,
      `INSERT INTO usage_days (app_id, day, posts, requests) VALUES (1, 1, 1, 1), (1, 30000, 1, 1)`,
      `INSERT INTO day_figures (day, name, value, counted_at) VALUES (1, 'posts', 1, 1), (30000, 'posts', 1, 1)`,
    ])
      await tx.run(rawSql(statement));
  });
  const deleted = ['dead jobs', 'read notices', 'usage by day', 'figures by day'].map((what) => ({
    ...{ what, deleted: 1 },
  }));
  expect(await pruned(app, { rowsBeforeMs: BEFORE_MS, isDryRun: true })).toEqual(deleted);
  expect(await pruned(app, { rowsBeforeMs: BEFORE_MS })).toEqual(deleted);
  expect((await pruned(app, { rowsBeforeMs: BEFORE_MS })).map((each) => each.deleted)).toEqual([0, 0, 0, 0]);
});
