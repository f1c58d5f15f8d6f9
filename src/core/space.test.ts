import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayBecome, queryTokens, SPACE_ID_PATTERN, SPACE_STATES, spaceIdOf, titleTokens } from './space.js';

const finds = (query: string, title: string): boolean => {
  const tokens = new Set(titleTokens(title));
  const wanted = queryTokens(query);
  return wanted.length > 0 && wanted.every((token) => tokens.has(token));
};

describe('the title of a Space', () => {
  it.each([
    ['birds', 'Birds of the pond'],
    ['POND birds', 'Birds of the pond'],
    ['#birds', 'All about #Birds'],
    ['birds', 'All about #birds'],
    ['@alice', 'A talk with @Alice'],
    ['alice', 'A talk with @alice!'],
    ['cafe', 'Café talk'],
    ['京都', '東京都の鳥'],
    ['東', '東京都の鳥'],
    ['鳥', '東京都の鳥'],
    ['🐦', 'Talk 🐦 talk'],
  ])('is found by %s: %s', (query, title) => expect(finds(query, title)).toBe(true));

  it.each([
    ['bird', 'Birds of the pond'],
    ['birds sea', 'Birds of the pond'],
    ['東鳥', '東京都の鳥'],
    ['!', 'Birds!'],
  ])('is not found by %s: %s', (query, title) => expect(finds(query, title)).toBe(false));

  it('is always found by itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (title) => {
        if (queryTokens(title).length > 0) expect(finds(title, title)).toBe(true);
      }),
    );
  });
});

describe('the id of a new Space', () => {
  it('is 13 letters and digits, unique per snowflake and in the same order', () => {
    const snowflake = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(snowflake, snowflake, (one, other) => {
        const ids = [spaceIdOf(one), spaceIdOf(other)];
        for (const id of ids) expect([id.length, SPACE_ID_PATTERN.test(id)]).toEqual([13, true]);
        expect((ids[0] ?? '') < (ids[1] ?? '')).toBe(one < other);
      }),
    );
  });
});

it('a Space goes from scheduled to live to ended, and never back (docs/api/spaces.md)', () => {
  const steps = SPACE_STATES.flatMap((from) =>
    SPACE_STATES.filter((to) => mayBecome(from, to)).map((to) => `${from} ${to}`),
  );
  expect(steps).toEqual(['scheduled live', 'scheduled ended', 'live ended']);
});
