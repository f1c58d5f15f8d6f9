import { expect, test } from 'vitest';
import { shareFastClass } from '../../test/support/hidden-classes.js';
import { withMembers } from './with-members.js';

test('the members win, and the object stays as it is', () => {
  const object = { id: 1, name: 'alice' };
  expect(withMembers(object, { name: 'bob', city: 'Rome' })).toEqual({ id: 1, name: 'bob', city: 'Rome' });
  expect(object).toEqual({ id: 1, name: 'alice' });
});

test('copies of alike objects share a hidden class', () => {
  const copies = Array.from({ length: 1_000 }, (_, id) =>
    withMembers({ id, name: 'alice' }, { city: 'Rome' }),
  );
  const [first = {}] = copies;
  expect(copies.every((copy) => shareFastClass(first, copy))).toBe(true);
});
