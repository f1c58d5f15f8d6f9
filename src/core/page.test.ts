import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_ID } from './ids.js';
import { isBackward, keysOf, mapPage, pageOf, type Cursor, type KeyRange, type Page } from './page.js';

/** Fetches rows like a store: the rows in the key range, in reading order, one more than the limit. */
function fetchPage(
  keys: ReadonlySet<bigint>,
  limit: number,
  cursor?: Cursor,
  window?: KeyRange,
): Page<bigint> {
  const request = { limit, cursor };
  const { above, upTo } = keysOf(request, window);
  const found = [...keys]
    .filter((key) => key > above && key <= upTo)
    .sort((one, other) => (one < other === isBackward(request) ? -1 : 1));
  return pageOf(found.slice(0, limit + 1), request, (key) => key);
}

const keysDown = (from: number, to: number): bigint[] =>
  Array.from({ length: from - to + 1 }, (_, at) => BigInt(from - at));

describe('pages', () => {
  const keys = new Set(keysDown(10, 1));

  it('start with the newest entries; the last has no next token and the first no previous one', () => {
    const first = fetchPage(keys, 4);
    const second = fetchPage(keys, 4, first.next);
    const third = fetchPage(keys, 4, second.next);
    expect([first, second, third].map((page) => page.items)).toEqual([
      keysDown(10, 7),
      keysDown(6, 3),
      keysDown(2, 1),
    ]);
    expect(third.next).toBeUndefined();
    expect(first.previous).toBeUndefined();
  });

  it('lead back to exactly the previous page and forward again', () => {
    const first = fetchPage(keys, 4);
    const second = fetchPage(keys, 4, first.next);
    const third = fetchPage(keys, 4, second.next);
    const secondAgain = fetchPage(keys, 4, third.previous);
    expect(secondAgain.items).toEqual(second.items);
    const firstAgain = fetchPage(keys, 4, secondAgain.previous);
    expect(firstAgain.items).toEqual(first.items);
    expect(firstAgain.previous).toBeUndefined();
    expect(fetchPage(keys, 4, firstAgain.next).items).toEqual(second.items);
  });

  it('that are exactly full have no next page', () => {
    expect(fetchPage(keys, 10).next).toBeUndefined();
    expect(fetchPage(new Set(), 10)).toEqual({ items: [], next: undefined, previous: undefined });
  });

  it('that lost all their entries still lead both ways', () => {
    const { next } = fetchPage(keys, 5);
    const emptied = fetchPage(new Set(keysDown(10, 6)), 5, next);
    expect(emptied.items).toEqual([]);
    expect(fetchPage(keys, 5, emptied.previous).items).toEqual(keysDown(10, 6));
    const second = fetchPage(keys, 5, next);
    const gone = fetchPage(new Set(keysDown(5, 1)), 5, second.previous);
    expect(gone.items).toEqual([]);
    expect(fetchPage(keys, 5, gone.next).items).toEqual(keysDown(5, 1));
  });

  it('stay within the window of the list, both ways', () => {
    const window = { above: 3n, upTo: 8n };
    const first = fetchPage(keys, 3, undefined, window);
    const second = fetchPage(keys, 3, first.next, window);
    expect([first.items, second.items]).toEqual([keysDown(8, 6), keysDown(5, 4)]);
    expect(second.next).toBeUndefined();
    const back = fetchPage(keys, 5, second.previous, window);
    expect(back.items).toEqual(keysDown(8, 6));
    expect(back.previous).toBeUndefined();
  });

  it('include the greatest possible key', () => {
    const extreme = new Set([MAX_ID, MAX_ID - 1n, 0n]);
    const first = fetchPage(extreme, 1);
    expect(first.items).toEqual([MAX_ID]);
    const second = fetchPage(extreme, 1, first.next);
    const third = fetchPage(extreme, 1, second.next);
    expect([...second.items, ...third.items]).toEqual([MAX_ID - 1n, 0n]);
    expect(third.next).toBeUndefined();
  });

  it('pass on the extra state of the list', () => {
    const rows = keysDown(10, 5);
    const { next } = pageOf(rows, { limit: 5 }, (key) => key, [7n]);
    const second = pageOf([5n], { limit: 5, cursor: next }, (key) => key);
    expect([next?.extra, second.previous?.extra]).toEqual([[7n], [7n]]);
  });

  it('keep their cursors when their items are mapped', () => {
    const page = fetchPage(keys, 4);
    expect(mapPage(page, String)).toEqual({ ...page, items: ['10', '9', '8', '7'] });
  });

  it('show every lasting entry exactly once, despite insertions and deletions between pages', () => {
    const changes = fc.array(
      fc.record({
        added: fc.uniqueArray(fc.bigInt(0n, 60n), { maxLength: 5 }),
        removed: fc.uniqueArray(fc.bigInt(0n, 60n), { maxLength: 5 }),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.bigInt(0n, 60n), { maxLength: 40 }),
        changes,
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        (start, edits, limit, isUpwards) => {
          const present = new Set(start);
          const stayed = new Set(start);
          const seen: bigint[] = [];
          const from: Cursor = { direction: 'previous', position: -1n, extra: [] };
          let page = fetchPage(present, limit, isUpwards ? from : undefined);
          for (let turn = 0; ; turn += 1) {
            seen.push(...page.items);
            const cursor = isUpwards ? page.previous : page.next;
            if (!cursor) break;
            for (const key of edits[turn]?.removed ?? []) [present, stayed].forEach((set) => set.delete(key));
            for (const key of edits[turn]?.added ?? []) present.add(key);
            page = fetchPage(present, limit, cursor);
          }
          expect(new Set(seen).size).toBe(seen.length);
          expect(seen).toEqual(expect.arrayContaining([...stayed]));
        },
      ),
      { numRuns: 500 },
    );
  });
});
