import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_POST_WEIGHT } from '../limits.js';
import { weightedLength } from './length.js';

describe('weights', () => {
  test.each([
    ['', 0],
    ['hello', 5],
    ['é', 1],
    ['e\u0301', 1],
    ['日本', 4],
    ['“quoted”…', 10],
    ['\u2010', 1],
    ['\u2020', 2],
    ['©', 1],
    ['©️', 2],
    ['\ud83d', 2],
  ])('%j weighs %i', (text, weight) => expect(weightedLength(text)).toBe(weight));

  test('a link of any length weighs 23, also without a scheme', () => {
    expect(weightedLength('http://a.co')).toBe(23);
    expect(weightedLength('example.com')).toBe(23);
    expect(weightedLength(`see https://example.com/${'x'.repeat(300)}`)).toBe(27);
  });

  test('140 ideographs or 280 letters fill a post', () => {
    expect(weightedLength('字'.repeat(140))).toBe(MAX_POST_WEIGHT);
    expect(weightedLength('a'.repeat(280))).toBe(MAX_POST_WEIGHT);
  });
});

describe('an emoji sequence weighs 2', () => {
  test.each([
    ['a plain emoji', '😀'],
    ['a skin tone', '👍🏽'],
    ['a flag', '🇫🇷'],
    ['the flag of a subdivision', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['a keycap', '5️⃣'],
    ['a family', '👨‍👩‍👧‍👦'],
    ['a couple with skin tones', '👩🏻‍❤️‍💋‍👩🏿'],
    ['a sequence without the emoji sign', '🏳‍🌈'],
    ['a profession (Unicode 11)', '🧑🏻‍🚀'],
    ['a new hand (14)', '🫵🏻'],
    ['a phoenix (15.1)', '🐦‍🔥'],
    ['a direction (15.1)', '🧑🏿‍🦽‍➡️'],
    ['a nod (15.1)', '🙂‍↕️'],
    ['a flag (16)', '🇨🇶'],
    ['a tired face (16)', '🫩'],
  ])('%s: %s', (_, emoji) => expect(weightedLength(emoji)).toBe(2));

  test('two sequences weigh 4, and one in text form as much as its characters', () => {
    expect(weightedLength('👍🏽👨‍👩‍👧')).toBe(4);
    expect(weightedLength('✌\ufe0e')).toBe(4);
  });

  test('a long chain of joined emoji weighs more than 2', () => {
    expect(weightedLength(Array(100).fill('👨').join('\u200d'))).toBe(25 * 2 + 24);
  });

  test('every pictograph of the runtime weighs 2 in emoji form', () => {
    for (let codePoint = 0x203c; codePoint < 0x20000; codePoint++) {
      const character = String.fromCodePoint(codePoint);
      if (/\p{Extended_Pictographic}/u.test(character)) expect(weightedLength(`${character}\ufe0f`)).toBe(2);
    }
  });
});

describe('any text', () => {
  test('plain letters add up', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abc XYZ 0189,;!?-()') });
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        expect(weightedLength(a + b)).toBe(weightedLength(a) + weightedLength(b));
        expect(weightedLength(a)).toBe(a.length);
      }),
    );
  });

  test('a weight is never negative, and zero only for the empty text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(weightedLength(text) > 0).toBe(text !== '');
      }),
      { numRuns: 1_000 },
    );
  });
});
