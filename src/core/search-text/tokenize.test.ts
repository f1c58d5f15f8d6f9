import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText } from './fold.js';
import { containsPhrase, phraseOf, tokensOf } from './tokenize.js';

/** Any character, including lone surrogates, with a bias towards ASCII. */
const character = fc
  .oneof(fc.nat(0x7f), fc.nat(0xffff), fc.nat(0x10ffff))
  .map((codePoint) => String.fromCodePoint(codePoint));

const matches = (text: string, query: string): boolean => {
  const phrase = phraseOf(query);
  return phrase !== undefined && containsPhrase(tokensOf(text), phrase);
};

describe('a text becomes tokens (docs/api/search.md#matching)', () => {
  test.each([
    ['I like coca-cola', ['i', 'like', 'coca', 'cola']],
    ["Don't stop…", ['don', 't', 'stop']],
    ['foo_bar _stop_ __', ['foo_bar', 'stop']],
    ['#Fun with @Bob_1, $TWTR', ['fun', 'with', 'bob_1', 'twtr']],
    ['Apple™ café', ['apple', '™', 'cafe']],
    ['½', ['1', '2']],
    ['東京都', ['東京', '京都', '都']],
    ['東京。都', ['東京', '京', '都']],
    ['iPhoneを買う', ['iphone', 'を買', '買う', 'う']],
    ['안녕', ['안녕', '녕']],
    ['ครับ', ['คร', 'รั', 'ับ', 'บ']],
    ['हिन्दी में', ['हिन्दी', 'में']],
    ['👍 👍🏽', ['👍', '👍', '👍🏽']],
    ['😂😂', ['😂', '😂']],
    ['👨‍👩‍👧', ['👨', '👨‍👩‍👧']],
    ['🇫🇷🇩🇪', ['🇫🇷', '🇩🇪']],
    ['❤️ 1️⃣', ['❤', '1⃣']],
    ['', []],
    [' .,!? ', []],
    ['\ud800', []],
  ])('%s', (text, tokens) => expect(tokensOf(text)).toEqual(tokens));
});

describe('keywords and phrases match (docs/api/search.md#operators, docs/api/search.md#matching)', () => {
  test.each([
    ['I like Coca-Cola', 'coca'],
    ['I like Coca-Cola', 'coca-cola'],
    ['I like Coca-Cola', 'LIKE coca'],
    ['the #thanku tag', 'thanku'],
    ['un café', 'café'],
    ['un cafe', 'café'],
    ['un café', 'cafe'],
    ['東京都タワー', '京都'],
    ['東京都タワー', '都'],
    ['東京都', '東京都'],
    ['東京、都', '東京 都'],
    ['안녕하세요', '안녕'],
    ['nice 👍🏽 job', '👍'],
    ['nice 👍🏽 job', '👍🏽'],
    ['nice 👍🏽 job', 'nice 👍🏽 job'],
    ['❤️', '❤'],
  ])('%s holds %s', (text, query) => expect(matches(text, query)).toBe(true));

  test.each([
    ['#thankunext', 'thanku'],
    ['Coca and cola', 'coca cola'],
    ['cola coca', 'coca cola'],
    ['foo_bar', 'foo'],
    ['東京タワー', '京都'],
    ['東京 都内', '京都'],
    ['東京都内', '東京 都内'],
    ['都内', '東京都'],
    ['nice 👍 job', '👍🏽'],
    ['日', '目'],
  ])('%s does not hold %s', (text, query) => expect(matches(text, query)).toBe(false));

  test('a query without letters, digits or emoji is not a phrase', () => {
    expect(phraseOf('!?')).toBeUndefined();
    expect(phraseOf('')).toBeUndefined();
  });
});

describe('in any text', () => {
  const texts = fc.oneof(
    fc.string({ unit: character, maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom(...'aB é1_ 東京都かがーハ한국สวั👍🏽\u200D❤️🇫🇷#.\'"'),
      maxLength: 60,
    }),
  );

  test('every word is found', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const word of text.match(/[\p{Alphabetic}\p{M}\p{N}_]+/gu) ?? []) {
          if (phraseOf(word) !== undefined) expect(matches(text, word)).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('the text as a phrase is found, also inside longer texts', () => {
    fc.assert(
      fc.property(texts, texts, (text, other) => {
        if (phraseOf(text) === undefined) return;
        expect(matches(text, text)).toBe(true);
        expect(matches(`${other} . ${text} . ${other}`, text)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('exactly the substrings of a run of Han characters are found', () => {
    const run = fc.string({ unit: fc.constantFrom(...'東京都'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(run, run, (text, query) => {
        expect(matches(text, query)).toBe(text.includes(query));
      }),
      { numRuns: 2000 },
    );
  });

  test('tokens are folded and contain no syntax of an index', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const token of tokensOf(text)) {
          expect(token).not.toMatch(/[\s"'()\0:&|!<>\\-]/);
          expect(token).not.toBe('');
          if (!/\p{Extended_Pictographic}/u.test(token)) expect(foldText(token)).toBe(token);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
