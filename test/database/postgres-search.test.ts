import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { MAX_ID, type PostId } from '../../src/core/ids.js';
import { EVERY_KEY } from '../../src/core/page.js';
import { firstIdAt, SNOWFLAKE_EPOCH_MS } from '../../src/core/snowflake.js';
import type { Engine, Queryable, Tx } from '../../src/database/engine.js';
import { openPostgres } from '../../src/database/postgres/engine.js';
import { createPostgresCounter } from '../../src/database/postgres/search-counter.js';
import { findPartitions } from '../../src/database/postgres/search-partitions.js';
import type { SearchDocument, SearchSelection } from '../../src/database/search.js';
import { findSearchRebuild, putSearchRebuild } from '../../src/database/search-rebuild.js';
import type { Sql } from '../../src/database/sql.js';
import { seeded } from '../support/random-search.js';
import { createPostgresDatabase } from '../support/test-database.js';

const DAY = 86_400_000;
const START = Date.UTC(2012, 0, 1);

function document(id: bigint, ...words: string[]): SearchDocument {
  return { id: id as PostId, runs: words.join(' '), facets: 'lang:en' };
}

function word(...tokens: string[]): SearchSelection {
  return { kind: 'only', leaf: { kind: 'phrase', tokens, lastIsPrefix: false } };
}

const everything: SearchSelection = { kind: 'only', leaf: { kind: 'facets', anyOf: ['lang:en'] } };

/** The partitions of the index on PostgreSQL; its results are covered by search.cases.ts. */
describe.runIf(inject('postgres'))('the partitions of the search index', () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
  let opened: Engine[];

  beforeEach(async () => {
    opened = [];
    database = await createPostgresDatabase('schema');
  });
  afterEach(async () => {
    for (const engine of opened) await engine.close();
    await database.remove();
  });

  const open = async (): Promise<Engine> => {
    const engine = await openPostgres({ url: database.url, durability: 'relaxed' });
    opened.push(engine);
    return engine;
  };
  const put = (engine: Engine, ...documents: SearchDocument[]): Promise<void> =>
    engine.tx('put', (tx) => engine.search.put(tx, documents));
  const partitionsOf = async (engine: Engine) => (await findPartitions(engine, EVERY_KEY)).reverse();

  test('hold ids of any time and return them in order', async () => {
    const engine = await open();
    const ids = [MAX_ID, 0n, 1n, 20n, 29_700_859_247n, firstIdAt(START), MAX_ID - 1n, firstIdAt(START) - 1n];
    for (const id of ids) await put(engine, document(id, 'word'));
    const newestFirst = [...ids].sort((one, other) => (one < other ? 1 : -1));
    expect(await engine.search.page(engine, everything, EVERY_KEY, 100)).toEqual(newestFirst);
    await engine.tx('remove', (tx) => engine.search.remove(tx, ids.slice(0, 3) as PostId[]));
    expect(await engine.search.page(engine, everything, EVERY_KEY, 100)).toHaveLength(ids.length - 3);
  });

  test('let a removal conflict with one that is not committed and has the document', async () => {
    const engine = await open();
    const id = firstIdAt(START) as PostId;
    const [isPublic, isHidden] = [1n, 2n] as [PostId, PostId];
    await engine.tx('begin', (tx) => putSearchRebuild(tx, isPublic));
    let [reached, go] = [() => {}, () => {}];
    const hasPut = new Promise<void>((resolve) => (reached = resolve));
    const mayCommit = new Promise<void>((resolve) => (go = resolve));
    const index = async (tx: Tx): Promise<void> => {
      if ((await findSearchRebuild(tx)) === isHidden) return engine.search.remove(tx, [id]);
      await engine.search.put(tx, [document(id, 'word')]);
      reached();
      await mayCommit;
    };
    const early = engine.tx('index early', index);
    await hasPut;
    await engine.tx('hide', (tx) => putSearchRebuild(tx, isHidden));
    await engine.tx('index late', index);
    go();
    await early;
    expect(await engine.search.page(engine, everything, EVERY_KEY, 100)).toEqual([]);
  });

  test('give the same pages, phrases and counts as a single list', async () => {
    const engine = await open();
    const random = seeded(3);
    const WORDS = ['common', 'common', 'common', 'other', 'other', 'rare'];
    const documents: SearchDocument[] = [];
    // Two years in a random order of months, so that partitions are created before and after others.
    for (const month of [5, 23, 0, 11, 17, 2, 20, 8]) {
      const some = Array.from({ length: 400 }, () => {
        const id =
          firstIdAt(START + month * 30 * DAY + Math.floor(random() * 3 * DAY)) + BigInt(documents.length);
        return document(
          id,
          ...[0, 1, 2].map(() => WORDS[Math.floor(random() ** 3 * 6)] ?? ''),
          random() < 0.01 ? 'never' : 'x',
        );
      });
      documents.push(...some);
      for (let at = 0; at < some.length; at += 50) await put(engine, ...some.slice(at, at + 50));
    }
    expect((await partitionsOf(engine)).length).toBeGreaterThan(6);
    const matching = (test: (words: readonly string[]) => boolean): bigint[] =>
      documents
        .filter(({ runs }) => test(runs.split(' ')))
        .map(({ id }) => id)
        .sort((one, other) => (one < other ? 1 : -1));
    for (const [selection, expected] of [
      [word('common'), matching((words) => words.includes('common'))],
      [word('rare'), matching((words) => words.includes('rare'))],
      [word('never'), matching((words) => words.includes('never'))],
      [word('other', 'common'), matching((words) => words.join(' ').includes('other common'))],
      [
        { kind: 'except', from: word('never'), without: word('rare') },
        matching((words) => words.includes('never') && !words.includes('rare')),
      ],
    ] as [SearchSelection, bigint[]][]) {
      expect(expected.length).toBeGreaterThan(3);
      const [top, bottom] = [documents[2_500]?.id ?? 0n, documents[100]?.id ?? 0n].sort((a, b) =>
        a < b ? 1 : -1,
      ) as [bigint, bigint];
      for (const limit of [1, 20, 100, 5_000]) {
        expect(await engine.search.page(engine, selection, EVERY_KEY, limit)).toEqual(
          expected.slice(0, limit),
        );
        const within = expected.filter((id) => id > bottom && id <= top);
        const page = await engine.search.page(engine, selection, { above: bottom, upTo: top }, limit);
        expect(page).toEqual(within.slice(0, limit));
      }
      const edges = Array.from({ length: 800 }, (_, n) => START + (n - 20) * DAY);
      const daily = edges.slice(1).map((end, n) => {
        const [first, last] = [firstIdAt(edges[n] ?? 0), firstIdAt(end)];
        return expected.filter((id) => id >= first && id < last).length;
      });
      expect(await engine.searchCounter.countByTime(selection, EVERY_KEY, edges)).toEqual(daily);
      expect(await engine.searchCounter.countByTime(selection, EVERY_KEY, edges.slice(60, 90))).toEqual(
        daily.slice(60, 89),
      );
    }
  });

  test('are created once by concurrent writers, without overlap', async () => {
    const engines = await Promise.all([open(), open(), open()]);
    const ids = Array.from({ length: 24 }, (_, n) => firstIdAt(START + n * 20 * DAY) + BigInt(n));
    await Promise.all(
      engines.flatMap((engine, at) =>
        [0, 1].map(async (turn) => {
          const mine = ids.filter((_, n) => n % 6 === at * 2 + turn);
          for (const id of mine) await put(engine, document(id, 'word'));
        }),
      ),
    );
    const [engine] = engines;
    if (!engine) throw new Error('no engine');
    expect(await engine.search.page(engine, everything, EVERY_KEY, 100)).toEqual([...ids].reverse());
    const partitions = await partitionsOf(engine);
    partitions.slice(1).forEach((each, at) => {
      expect(each.firstId).toBeGreaterThanOrEqual(partitions[at]?.endId ?? 0n);
    });
  });

  test('are created before the newest is full', async () => {
    const engine = await open();
    const first = firstIdAt(START);
    await put(engine, document(first, 'word'));
    const [only] = await partitionsOf(engine);
    if (!only) throw new Error('no partition');
    expect(await partitionsOf(engine)).toHaveLength(1);
    await put(engine, document(only.endId - 1n, 'word'));
    const [, next] = await partitionsOf(engine);
    expect(next?.firstId).toBe(only.endId);
  });

  test('are not left by a failed transaction, and the next one creates them', async () => {
    const engine = await open();
    const failing = engine.tx('put', async (tx) => {
      await engine.search.put(tx, [document(5n, 'word')]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await partitionsOf(engine)).toEqual([]);
    await put(engine, document(5n, 'word'));
    expect(await engine.search.page(engine, everything, EVERY_KEY, 10)).toEqual([5n]);
  });

  test('can be cleared during a search and a count, which then see the new contents', async () => {
    const engine = await open();
    const id = firstIdAt(START) + 1n;
    // First two partitions, then one: the table of the second is dropped, that of the first recreated.
    const fill = async (): Promise<void> => {
      await put(engine, document(id, 'word'), document(MAX_ID - 1n, 'other'));
      // The list of partitions is cached from here on.
      await engine.search.page(engine, everything, EVERY_KEY, 1);
    };
    await put(engine, document(id, 'word'));
    const clearOnceAfter = (part: string): Queryable => {
      let isCleared = false;
      const clearing =
        <T>(read: (query: Sql) => Promise<T>) =>
        async (query: Sql): Promise<T> => {
          const answer = await read(query);
          if (!isCleared && query.strings.join('').includes(part)) {
            isCleared = true;
            await engine.tx('clear', (tx) => engine.search.clear(tx));
            await put(engine, document(1n, 'word'));
          }
          return answer;
        };
      return { get: clearing((query) => engine.get(query)), all: clearing((query) => engine.all(query)) };
    };
    const pageOf = (db: Queryable, ...words: string[]) =>
      engine.search.page(db, word(...words), EVERY_KEY, 10);
    // The list of partitions has changed when the newest documents are read.
    expect(await pageOf(clearOnceAfter('ORDER BY first_id'), 'word')).toEqual([1n]);
    // One of the partitions read for the rest has been dropped.
    await fill();
    expect(await pageOf(clearOnceAfter('is_behind'), 'word')).toEqual([1n]);
    await fill();
    const counter = createPostgresCounter(clearOnceAfter('FROM search_partitions'));
    const edges = [SNOWFLAKE_EPOCH_MS, Number.MAX_SAFE_INTEGER];
    expect(await counter.countByTime(word('word'), EVERY_KEY, edges)).toEqual([1]);
  });

  test('of other processes are searched at once, and those of a transaction within it', async () => {
    const [one, other] = [await open(), await open()];
    await put(one, document(firstIdAt(START), 'word'));
    const pageOf = (db: Queryable) => other.search.page(db, word('word'), EVERY_KEY, 10);
    expect(await pageOf(other)).toEqual([firstIdAt(START)]);
    await put(one, document(MAX_ID - 1n, 'word'));
    expect(await pageOf(other)).toEqual([MAX_ID - 1n, firstIdAt(START)]);
    const failing = other.tx('put', async (tx) => {
      await other.search.put(tx, [document(5n, 'word')]);
      expect(await pageOf(tx)).toEqual([MAX_ID - 1n, firstIdAt(START), 5n]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await pageOf(other)).toEqual([MAX_ID - 1n, firstIdAt(START)]);
  });

  test('are recreated after a clear, also by other processes', async () => {
    const [one, other] = [await open(), await open()];
    for (const engine of [one, other]) await put(engine, document(firstIdAt(START) + 1n, 'word'));
    await one.tx('clear', (tx) => one.search.clear(tx));
    expect(await partitionsOf(one)).toEqual([]);
    expect(await other.search.page(other, everything, EVERY_KEY, 10)).toEqual([]);
    await put(other, document(7n, 'word'));
    for (const engine of [one, other]) {
      expect(await engine.search.page(engine, word('word'), EVERY_KEY, 10)).toEqual([7n]);
    }
  });
});
