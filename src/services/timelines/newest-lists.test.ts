import { expect, test } from 'vitest';
import type { PostId, UserId } from '../../core/ids.js';
import { IdSet } from '../../core/maps.js';
import type { Engine } from '../../database/engine.js';
import { createWatchers } from '../../database/watchers.js';
import type { RelationCache } from '../../stores/relation-cache.js';
import { seededRandom } from '../../core/seeded-random.js';
import { NewestHomes } from './newest-lists.js';

const PAGE = 20;
const AUTHORS = 200;

test.each([
  ['reads often and follows many', 150, 5],
  ['reads rarely and follows few', 4, 900],
  ['reads so rarely that the log does not reach back', 4, 20_000],
])('a reader who %s sees what is stored', async (_which, followed, changes) => {
  const random = seededRandom(followed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const watchers = createWatchers();
  const follows = new IdSet(Array.from({ length: followed }, (_, n) => BigInt(n + 1) as UserId));
  const relations = { readAll: async () => ({ follows }), peekAll: () => ({ follows }) };
  const homes = new NewestHomes(
    { changesIn: watchers.watch } as Engine,
    relations as unknown as RelationCache,
  );
  const reader = { userId: 5n as UserId, period: 0 };
  const stored: { readonly id: PostId; readonly authorId: UserId }[] = [];
  const shown = (limit: number): PostId[] =>
    stored
      .filter(({ authorId }) => follows.has(authorId) || authorId === reader.userId)
      .map(({ id }) => id)
      .sort((one, other) => (one < other ? 1 : -1))
      .slice(0, limit);
  let loads = 0;
  const load = async (limit: number) => {
    loads += 1;
    return { ids: shown(limit), isWhole: shown(limit + 1).length <= limit };
  };

  let next = 1n;
  const change = (): void => {
    const recent = stored.length - 1 - below(50);
    const removed = below(5) === 0 ? stored.splice(Math.max(recent, 0), 1)[0] : undefined;
    const made = { id: next as PostId, authorId: BigInt(below(AUTHORS)) as UserId };
    next += 1n;
    if (!removed) stored.push(made);
    watchers.add({
      table: 'user_posts',
      kind: removed ? 'delete' : 'insert',
      keys: [(removed ?? made).authorId],
      row: { post_id: (removed ?? made).id },
    });
  };
  const reads = Math.min(400, Math.ceil(60_000 / changes));
  for (let read = 0; read < reads; read += 1) {
    for (let made = below(changes); made >= 0; made -= 1) change();
    expect(await homes.read(reader, PAGE, load)).toEqual(shown(PAGE));
  }
  // Deletions leave gaps, and a log that does not reach back is no use.
  expect(loads).toBeLessThan(changes > 4_000 ? reads + 1 : reads / 2);
});
