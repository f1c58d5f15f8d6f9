import { describe, expect, test } from 'vitest';
import type { UserId } from '../core/ids.js';
import type { Engine, Row } from '../database/engine.js';
import { RelationCache } from './relation-cache.js';
import type { Sql } from '../database/sql.js';
import { SqlList } from '../database/sql.js';

const FOLLOWS = 0n;
const BLOCKED_BY = 3n;

/** Creates a fake engine in which users with even ids are followed and those with odd ids block, while `isOn`. */
function createRelated() {
  const state = { version: 1, isOn: true, asked: [] as bigint[][] };
  const all = async ({ params }: Sql): Promise<Row[]> => {
    const ids = params.find((param) => param instanceof SqlList)?.values as bigint[];
    state.asked.push([...ids]);
    const { isOn } = state;
    await Promise.resolve();
    return isOn ? ids.map((id) => ({ kind: id % 2n === 0n ? FOLLOWS : BLOCKED_BY, other: id })) : [];
  };
  const engine = { all, changesIn: () => () => state.version } as unknown as Engine;
  return { state, cache: new RelationCache(engine) };
}

const user = 1000n as UserId;
const ids = (...numbers: number[]) => numbers.map((number) => BigInt(number) as UserId);

describe('the relation cache', () => {
  test('looks up only users that are not cached', async () => {
    const { state, cache } = createRelated();
    await cache.read(user, ids(1, 2));
    const { follows, blockedBy } = await cache.read(user, ids(1, 2, 3));
    expect(state.asked).toEqual([[1n, 2n], [3n]]);
    expect([...follows]).toEqual([2n]);
    expect([...blockedBy]).toEqual([1n, 3n]);
  });

  test('is invalidated by any change', async () => {
    const { state, cache } = createRelated();
    await cache.read(user, ids(1, 2));
    Object.assign(state, { version: 2, isOn: false });
    expect((await cache.read(user, ids(1, 2))).blockedBy.size).toBe(0);
  });

  test('does not keep rows that were read during a change', async () => {
    const { state, cache } = createRelated();
    const reading = cache.read(user, ids(1));
    Object.assign(state, { version: 2, isOn: false });
    expect((await reading).blockedBy.size).toBe(1);
    expect((await cache.read(user, ids(1))).blockedBy.size).toBe(0);
  });

  test('is bounded and never returns partial relations', async () => {
    const { state, cache } = createRelated();
    for (let from = 0; from < 1000; from += 100) {
      const others = ids(...Array.from({ length: 100 }, (_, index) => from + index));
      const { follows, blockedBy } = await cache.read(user, others);
      expect(others.every((id) => follows.has(id) || blockedBy.has(id))).toBe(true);
      expect(follows.size + blockedBy.size).toBeLessThanOrEqual(400);
    }
    expect(state.asked).toHaveLength(10);
  });
});
