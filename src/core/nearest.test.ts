import { expect, test } from 'vitest';
import { nearest } from './nearest.js';

test('the nearest candidate is found despite typos, and no unrelated word', () => {
  const names = ['username', 'name', 'protected', 'profile_image_url'];
  expect(nearest('usrename', names)).toBe('username');
  expect(nearest('Name', names)).toBe('name');
  expect(nearest('protcted', names)).toBe('protected');
  expect(nearest('profile_image', names)).toBe('profile_image_url');
  expect(nearest('colour', names)).toBeUndefined();
  expect(nearest('', names)).toBeUndefined();
  expect(nearest('x'.repeat(100_000), ['y'.repeat(100_000)])).toBeUndefined();
});
