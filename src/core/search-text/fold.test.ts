import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText } from './fold.js';

/** Any character, including lone surrogates, with a bias towards ASCII. */
const character = fc
  .oneof(fc.nat(0x7f), fc.nat(0xffff), fc.nat(0x10ffff))
  .map((codePoint) => String.fromCodePoint(codePoint));

describe('words are compared without case, accents and compatible forms (docs/api/search.md#matching)', () => {
  test.each([
    ['HELLO', 'hello'],
    ['Café', 'cafe'],
    ['Cafe\u0301', 'cafe'],
    ['cumpleaños', 'cumpleanos'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['ẞ', 'ss'],
    ['ΟΔΥΣΣΕΎΣ', 'οδυσσευσ'],
    ['İzmir', 'izmir'],
    ['Ｆｕｌｌ', 'full'],
    ['ﬁn', 'fin'],
    ['Ёлка', 'елка'],
    ['مُحَمَّد', 'محمد'],
    ['שָׁלוֹם', 'שלום'],
  ])('%s is %s', (text, folded) => expect(foldText(text)).toBe(folded));

  test.each([
    ['the Russian й', 'йод'],
    ['voiced kana', 'が'],
    ['Hangul', '한국'],
    ['Devanagari vowels', 'हिन्दी'],
    ['Thai vowels', 'ที่'],
  ])('%s keeps its marks', (_, text) => expect(foldText(text)).toBe(text));

  test('halfwidth kana are kana', () => expect(foldText('ｶﾞ')).toBe('ガ'));

  test('folding is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 20 }), (text) => {
        const folded = foldText(text);
        expect(foldText(folded)).toBe(folded);
      }),
      { numRuns: 2000 },
    );
  });
});
