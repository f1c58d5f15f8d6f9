import { expect, test } from 'vitest';
import { shareFastClass } from '../../test/support/hidden-classes.js';
import { blankOf, KEPT } from './blank.js';

const NAMES = Array.from({ length: 40 }, (_, index) => `column_${index}`);

test('a blank object has all members, in their order', () => {
  const blank = blankOf(['b', 'a', '"']);
  expect(blank).toEqual({ b: null, a: null, '"': null });
  expect(Object.keys(blank)).toEqual(['b', 'a', '"']);
});

test('filled copies share a hidden class, also after something was kept with them', () => {
  const blank = { ...blankOf(NAMES), [KEPT]: undefined };
  const copies = Array.from({ length: 1_000 }, (_, index) => {
    const copy: Record<string | symbol, unknown> = { ...blank };
    for (const name of NAMES) copy[name] = `${index}`;
    if (index % 2 === 0) copy[KEPT] = {};
    return copy;
  });
  const last = copies.at(-1) ?? {};
  expect(copies.slice(10).every((copy) => shareFastClass(last, copy))).toBe(true);
});
