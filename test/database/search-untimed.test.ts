import { describe, expect, onTestFinished, test } from 'vitest';
import type { Principal } from '../../src/core/access.js';
import type { PostId, UserId } from '../../src/core/ids.js';
import type { Post } from '../../src/core/post.js';
import { firstIdAt } from '../../src/core/snowflake.js';
import { indexAllPending } from '../../src/services/search/index-posts.js';
import { rebuildIndex } from '../../src/services/search/rebuild-index.js';
import { createSearchService } from '../../src/services/search/search.js';
import { CACHED_TABLES } from '../../src/database/cached-tables.js';
import type { Engine } from '../../src/database/engine.js';
import { withoutEvents } from '../../src/database/feed.js';
import { migrations } from '../../src/database/migrations/all.js';
import { insertPosts } from '../../src/stores/posts.js';
import { createUntimedIds, findUntimed, NO_IDS } from '../../src/database/search-untimed.js';
import { rawSql } from '../../src/database/sql.js';
import type { InitialContents } from '../support/test-database.js';
import { testEngines, type TestDatabase, type TestEngine } from './engines.js';

const DAY = 86_400_000;
const NOW = Date.UTC(2021, 0, 1);

/** Returns a post about a heron. */
function heron(id: bigint, createdAtMs: number): Post {
  return {
    id: id as PostId,
    authorId: 7n as UserId,
    createdAtMs,
    conversationId: id as PostId,
    text: 'a heron',
    lang: 'en',
    replySettings: 'everyone',
    superFollowersOnly: false,
    possiblySensitive: false,
    nullcast: false,
    detail: {},
  };
}

const store = (engine: Engine, ...posts: Post[]) =>
  engine.tx('store', async (tx) => {
    for (const post of posts) await insertPosts(tx, [post]);
  });

const timed = (daysAgo: number): Post => heron(firstIdAt(NOW - daysAgo * DAY), NOW - daysAgo * DAY);

const researcher = {
  context: 'app',
  app: { accessLevel: 'elevated', track: 'academic_research' },
} as unknown as Principal;

/** Searches herons of the last `days` days through a search service. */
function searchOf(engine: Engine): (days: number) => Promise<readonly bigint[]> {
  const service = createSearchService({ engine, clock: () => NOW });
  return async (days) => {
    const page = await service({
      product: 'all',
      query: 'heron',
      principal: researcher,
      bounds: { startTimeMs: NOW - days * DAY },
      order: 'recency',
      page: { limit: 100 },
    });
    return page.items;
  };
}

async function newDatabase(kind: TestEngine, contents?: InitialContents): Promise<TestDatabase> {
  const database = await kind.create(contents);
  onTestFinished(() => database.remove());
  return database;
}

describe.each(testEngines())('posts with ids without time, on $name', (kind) => {
  test('are found by every process as soon as they are indexed', async () => {
    const database = await newDatabase(kind, 'schema');
    const options = { cachedTables: CACHED_TABLES };
    const [one, other] = [await database.open(options), await database.open(options)];
    const [search, untimedIds] = [searchOf(other), createUntimedIds(other)];
    await store(one, timed(3));
    expect(await search(10)).toEqual([timed(3).id]);
    expect(await untimedIds()).toEqual(NO_IDS);
    await store(one, heron(90n, NOW - 2 * DAY), heron(firstIdAt(NOW - DAY), NOW - 5 * DAY));
    await indexAllPending(one, () => false);
    await other.catchUp();
    expect(await untimedIds()).toEqual({ above: 89n, upTo: firstIdAt(NOW - DAY) });
    expect(await search(10)).toEqual([firstIdAt(NOW - DAY), timed(3).id, 90n]);
    expect(await search(4)).toEqual([timed(3).id, 90n]);
  });

  test('extend a range that shrinks only when the index is cleared', async () => {
    const database = await newDatabase(kind, 'schema');
    const engine = await database.open();
    const indexed = async (...posts: Post[]) => {
      await store(engine, ...posts);
      await indexAllPending(engine, () => false);
      return findUntimed(engine);
    };
    expect(await indexed(timed(1))).toEqual(NO_IDS);
    expect(await indexed(heron(50n, NOW), heron(60n, NOW))).toEqual({ above: 49n, upTo: 60n });
    expect(await indexed(heron(55n, NOW))).toEqual({ above: 49n, upTo: 60n });
    expect(await indexed(heron(40n, NOW), heron(70n, NOW))).toEqual({ above: 39n, upTo: 70n });
    await engine.tx('remove', (tx) => tx.run(rawSql('DELETE FROM posts WHERE id < 60')));
    await rebuildIndex(engine, { clear: true });
    expect(await findUntimed(engine)).toEqual({ above: 59n, upTo: 70n });
  });

  test('of a database from before the range was stored are all found', async () => {
    const database = await newDatabase(kind);
    const before = await database.open({ migrations: migrations.filter(({ version }) => version < 15) });
    // Its schema has no feed.
    const silent: Engine = {
      ...before,
      tx: (name, body) => before.tx(name, (tx) => body(withoutEvents(tx))),
    };
    await store(silent, timed(3), heron(90n, NOW - 2 * DAY));
    await before.tx('forget', (tx) => tx.run(rawSql('DELETE FROM search_pending')));
    await before.close();
    const engine = await database.open({ cachedTables: CACHED_TABLES });
    expect(await findUntimed(engine)).toEqual({ above: 89n, upTo: 90n });
    if (kind.name === 'sqlite') expect(await searchOf(engine)(10)).toEqual([timed(3).id, 90n]);
  });
});
