import { expect, onTestFinished, test } from 'vitest';
import { firstIdAt } from '../../src/core/snowflake.js';
import type { PostId, UserId } from '../../src/core/ids.js';
import type { Post } from '../../src/core/post.js';
import { documentOf, loadSearchable } from '../../src/services/search/document.js';
import { indexAllPending, indexPending } from '../../src/services/search/index-posts.js';
import { indexable } from '../../src/services/search/post-terms.js';
import type { Engine, Tx } from '../../src/database/engine.js';
import { searchFormat } from '../../src/database/migrations/0021-search-format.js';
import { findPosts } from '../../src/stores/posts.js';
import { findSearchFormat, SEARCH_FORMAT } from '../../src/database/search-format.js';
import { hasSearchPending } from '../../src/database/search-pending.js';
import { rawSql } from '../../src/database/sql.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase, openTestEngine } from '../support/test-database.js';
import { BOULDER, standardWorld } from '../support/world.js';

/** Upgrading an index written by an earlier version of Pipit. */

const NOW_MS = Date.parse('2022-10-07T22:42:12.000Z');
const DAY_MS = 24 * 3_600_000;
const POSTS = 8;
const recent = (n: number): string => String(firstIdAt(NOW_MS - 3_600_000 + n * 1_000));
const old = (n: number): string => String(firstIdAt(NOW_MS - 20 * DAY_MS + n * 1_000));

/**
 * Returns a world with a post in Boulder, now and 20 days ago, with seven reposts of each, and posts without a place.
 */
function worldOf(idOf: (n: number) => string) {
  const of = (n: number) => ({ id: idOf(n), author: ['alice', 'bob', 'carol', 'erin'][n % 4] });
  const reposters = ['bob', 'carol', 'erin', 'frank', 'grace', 'heidi', 'ivan'];
  return [
    { ...of(0), author: 'alice', text: 'a heron', place: '01a9' },
    ...reposters.map((author, n) => ({ id: idOf(n + 1), author, repost_of: idOf(0) })),
    { ...of(POSTS), author: 'alice', text: 'nowhere' },
    { id: idOf(POSTS + 1), author: 'bob', repost_of: idOf(POSTS) },
  ];
}

const WORLD = {
  ...standardWorld(),
  users: [
    ...(standardWorld().users ?? []),
    ...['erin', 'frank', 'grace', 'heidi', 'ivan'].map((username, n) => ({
      id: String(900 + n),
      username,
      name: username,
    })),
  ],
  posts: [...worldOf(old), ...worldOf(recent)],
  likes: [],
  bookmarks: [],
  places: [BOULDER],
};

/** Writes the documents of reposts in format 1 and removes the record of formats. */
async function downgrade(engine: Engine): Promise<void> {
  await indexAllPending(engine, () => false);
  await engine.tx('turn back', async (tx) => {
    const ids = [...WORLD.posts].map(({ id }) => BigInt(id) as PostId);
    const posts = [...(await findPosts(tx, ids)).values()].filter(({ repostedPostId }) => repostedPostId);
    await engine.search.put(
      tx,
      (
        await loadSearchable(
          tx,
          posts.map((post) => indexable(post)),
        )
      ).map((post) => asFormat1(documentOf(post))),
    );
    await tx.run(rawSql('DROP TABLE search_format'));
  });
}

function asFormat1({ id, runs, facets }: ReturnType<typeof documentOf>) {
  return {
    id,
    runs: runs.replace(/(?: : p:\S+(?: p:\S+)*)+$/, ''),
    facets: facets
      .split(' ')
      .filter((facet) => !/^(?:has:geo|place:|cc:)/.test(facet))
      .join(' '),
  };
}

async function upgrade(tx: Tx): Promise<void> {
  for (const statement of searchFormat.statements({} as never)) await tx.run(rawSql(statement));
}

async function counted(app: TestApp, kind: 'recent' | 'all', query: string): Promise<number> {
  const start = kind === 'all' ? `&start_time=${new Date(NOW_MS - 25 * DAY_MS).toISOString()}` : '';
  const parameters = `query=${encodeURIComponent(query)}${start}`;
  const found = await app.get(`/2/tweets/search/${kind}?${parameters}&max_results=100`, app.bearer);
  const counts = await app.get(`/2/tweets/counts/${kind}?${parameters}`, app.bearer);
  expect(counts.body.meta.total_tweet_count).toBe(found.body.meta.result_count);
  return found.body.meta.result_count as number;
}

const QUERIES = [
  'place:boulder',
  'place_country:us',
  'sample:100 has:geo',
  'bounding_box:[-105.4 39.9 -105.1 40.1]',
];

test('reposts in an older index are found by place at once, and the rest is upgraded in the background', async () => {
  const database = await createTestDatabase('processes');
  onTestFinished(database.remove);
  const app = await startTestApp({ world: WORLD, clock: () => NOW_MS, database });
  onTestFinished(app.close);
  const { engine } = app.pipit.backend;
  await downgrade(engine);
  for (const query of QUERIES) expect(await counted(app, 'recent', query), query).toBe(1);
  await engine.tx('migrate', upgrade);
  expect(await findSearchFormat(engine)).toEqual({ version: SEARCH_FORMAT, pending: 2 * (POSTS - 1) });
  for (const query of QUERIES) expect(await counted(app, 'recent', query), query).toBe(POSTS);
  // Documents outside of the last week are left to the background.
  expect((await findSearchFormat(engine)).pending).toBe(POSTS - 1);
  // The upgrade continues after an interruption.
  await indexPending(engine, 3);
  expect((await findSearchFormat(engine)).pending).toBe(POSTS - 4);
  for (const query of QUERIES) expect(await counted(app, 'all', query), query).toBe(2 * POSTS);
  expect(await hasSearchPending(engine)).toBe(false);
});

const CREATED_MS = Date.UTC(2022, 0, 1);

function postOf(fields: Partial<Post>): Post {
  const id = firstIdAt(CREATED_MS) as PostId;
  return {
    id,
    authorId: 1n as UserId,
    createdAtMs: CREATED_MS,
    conversationId: id,
    text: 'A Heron at https://x.org #birds',
    lang: 'en',
    replySettings: 'everyone',
    superFollowersOnly: false,
    possiblySensitive: false,
    nullcast: false,
    placeId: '01a9',
    detail: {
      entities: {
        hashtags: [{ start: 25, end: 31, tag: 'birds' }],
        urls: [{ start: 11, end: 24, url: 'https://x.org' }],
      },
      contextAnnotations: [{ domain: { id: '10' }, entity: { id: '799', name: 'Barack Obama' } }],
    },
    ...fields,
  };
}

test('documents have the recorded format: a change of documents must raise it (search-format.ts)', async () => {
  const original = indexable(postOf({}));
  const repost = indexable(postOf({ id: (original.id + 1n) as PostId, repostedPostId: original.id }));
  const place = { id: '01a9', fullName: 'Boulder, CO', countryCode: 'US' };
  const rest = { isAuthorVerified: true, mediaTypes: ['photo'], place } as const;
  const documents = [
    documentOf({ post: original, ...rest }),
    documentOf({ post: repost, original, ...rest }),
  ];
  expect(documents).toMatchInlineSnapshot(`
    [
      {
        "facets": "from:1 conv:1477067041797046272 lang:en sample:80 tag:birds has:hashtags ctxd:10 ctxe:799 ctx:10:799 name:barack%20obama has:geo place:01a9 is:verified has:links has:media has:images cc:us",
        "id": 1477067041797046272n,
        "runs": "a heron at https x org birds : u:https u:x u:org : p:boulder p:co",
      },
      {
        "facets": "from:1 conv:1477067041797046272 lang:en sample:49 is:repost rt:1477067041797046272 tag:birds has:hashtags ctxd:10 ctxe:799 ctx:10:799 name:barack%20obama has:geo place:01a9 rtu:1 is:verified has:links has:media has:images cc:us",
        "id": 1477067041797046273n,
        "runs": "a heron at https x org birds : u:https u:x u:org : p:boulder p:co",
      },
    ]
  `);
  const engine = await openTestEngine();
  onTestFinished(() => engine.close());
  expect((await findSearchFormat(engine)).version).toBe(SEARCH_FORMAT);
  expect(SEARCH_FORMAT).toBe(2);
});
