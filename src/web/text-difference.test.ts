import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { type Piece, textDifference } from './text-difference.js';

const text = (pieces: readonly Piece[]) => pieces.map((piece) => piece.text).join('');
const marked = (pieces: readonly Piece[]) =>
  pieces.filter(({ isDifferent }) => isDifferent).map((piece) => piece.text);

it('marks what only one of two base strings has', () => {
  const [a, b] = textDifference(
    'GET&https%3A%2F%2Fapi.x.com%2F2&ids%3D1%26oauth_nonce%3Dn',
    'GET&https%3A%2F%2Flocalhost%2F2&oauth_nonce%3Dn',
  );
  expect(marked(a)).toEqual(['api.x.com', 'ids%3D1%26']);
  expect(marked(b)).toEqual(['localhost']);
});

test('the pieces of any two texts give the texts, and equal texts have no mark', () => {
  const part = fc.oneof(fc.constantFrom('%26', '%3D', '%', '&', '=', ' ', 'a', '%2G'), fc.string());
  const any = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(any, any, (one, other) => {
      const [a, b] = textDifference(one, other);
      expect([text(a), text(b)]).toEqual([one, other]);
      const kept = (pieces: readonly Piece[]) => text(pieces.filter(({ isDifferent }) => !isDifferent));
      expect(kept(a)).toBe(kept(b));
      expect(marked(textDifference(one, one)[0])).toEqual([]);
    }),
  );
});

it('is bounded for long texts', () => {
  const [a] = textDifference('a&'.repeat(4_000), 'b&'.repeat(4_000));
  expect(text(a)).toHaveLength(8_000);
});
