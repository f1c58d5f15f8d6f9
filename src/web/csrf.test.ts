import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csrfTokenOf, isCsrfTokenOf } from './csrf.js';

test('each token of a secret looks different and is valid for it alone', () => {
  const tokens = Array.from({ length: 20 }, () => csrfTokenOf('secret'));
  expect(new Set(tokens).size).toBe(20);
  // Not a character is in the same place of all tokens, so that no guess compresses better than another.
  for (let at = 0; at < 85; at += 1)
    expect(new Set(tokens.map((token) => token[at])).size).toBeGreaterThan(1);
  for (const token of tokens) {
    expect(isCsrfTokenOf('secret', token)).toBe(true);
    expect(isCsrfTokenOf('other', token)).toBe(false);
  }
});

test('no other text is a token', () => {
  const valid = csrfTokenOf('secret');
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String({ minLength: 80, maxLength: 90 })), (text) => {
      expect(isCsrfTokenOf('secret', text)).toBe(false);
    }),
  );
  for (const text of ['', valid.slice(1), `${valid}AAAA`, 'A'.repeat(86)])
    expect(isCsrfTokenOf('secret', text)).toBe(false);
});
