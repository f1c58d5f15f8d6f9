import { describe, expect, test } from 'vitest';
import type { UserId } from '../core/ids.js';
import type { Engine, Row } from '../database/engine.js';
import { SqlList, type Sql } from '../database/sql.js';
import { createWatchers } from '../database/watchers.js';
import { RelationCache } from './relation-cache.js';

const FOLLOWS = 0n;

/** Creates a fake engine in which a user follows the first `count` ids. */
function createRelated(count: number) {
  const state = { count, reads: 0 };
  const watchers = createWatchers();
  const all = async ({ params }: Sql): Promise<Row[]> => {
    state.reads += 1;
    const asked = params.find((param) => param instanceof SqlList)?.values as bigint[] | undefined;
    const ids = asked ?? Array.from({ length: state.count }, (_, n) => BigInt(n));
    const found = ids.filter((id) => id < BigInt(state.count)).map((id) => ({ kind: FOLLOWS, other: id }));
    await Promise.resolve();
    return found;
  };
  const engine = { all, changesIn: watchers.watch } as unknown as Engine;
  const follow = (userId: bigint) => {
    state.count += 1;
    watchers.add({ table: 'follows', kind: 'insert', keys: [userId] });
  };
  return { state, follow, cache: new RelationCache(engine) };
}

const user = 1000n as UserId;
const ids = (...numbers: number[]) => numbers.map((number) => BigInt(number) as UserId);

describe('the relation cache', () => {
  test('reads all relations of a user once', async () => {
    const { state, cache } = createRelated(2);
    const { follows } = await cache.read(user, ids(1));
    expect(ids(0, 1, 2).map((id) => follows.has(id))).toEqual([true, true, false]);
    expect((await cache.read(user, ids(5))).follows.has(5n as UserId)).toBe(false);
    expect(state.reads).toBe(1);
  });

  test('reads them again after a change of the user, not of another', async () => {
    const { state, cache, follow } = createRelated(2);
    await cache.readAll(user);
    follow(7n);
    expect(cache.peekAll(user)?.follows.size).toBe(2);
    follow(user);
    expect(cache.peekAll(user)).toBeUndefined();
    expect((await cache.readAll(user))?.follows.size).toBe(4);
    expect(state.reads).toBe(2);
  });

  test('does not keep rows that were read during a change', async () => {
    const { cache, follow } = createRelated(2);
    const reading = cache.readAll(user);
    follow(user);
    expect((await reading)?.follows.size).toBe(2);
    expect((await cache.readAll(user))?.follows.size).toBe(3);
  });

  test('looks up the others of a user with very many relations', async () => {
    const { cache } = createRelated(5_001);
    expect(await cache.readAll(user)).toBeUndefined();
    const { follows } = await cache.read(user, ids(5, 6_000));
    expect(ids(5, 6, 6_000).map((id) => follows.has(id))).toEqual([true, false, false]);
  });
});
