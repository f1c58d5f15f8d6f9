import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginningOf } from './cut.js';
import { extractEntities } from './extract.js';
import { weightedLength } from './length.js';
import { normalizePostText } from './normalize.js';

const cut = (text: string, weight: number) => beginningOf(text, extractEntities(text), weight);

test('a text that fits stays whole', () => {
  expect(cut('A heron', 7)).toBe('A heron');
  expect(cut('', 0)).toBe('');
});

test('a longer text loses its end and the white space before that', () => {
  expect(cut('A heron', 6)).toBe('A hero');
  expect(cut('A heron', 2)).toBe('A');
  expect(cut('字字', 3)).toBe('字');
});

test('a link weighs 23 and stays whole, and so do tags and mentions', () => {
  const link = `https://example.com/${'a'.repeat(100)}`;
  expect(cut(`${link} b`, 23)).toBe(link);
  expect(cut(`a ${link} b`, 24)).toBe('a');
  expect(cut('see #herons', 8)).toBe('see');
});

test('a text that begins with an entity that does not fit is cut within it', () => {
  expect(cut(`#${'a'.repeat(20)}`, 5)).toBe('#aaaa');
});

test('a beginning is one of the text, weighs at most the limit, and has the entities that lie within', () => {
  const pieces = fc.constantFrom(
    'a',
    ' ',
    '字',
    '👨‍👩‍👧‍👦',
    'e\u0323',
    '#tag',
    '@bob',
    '$CASH',
    'https://example.com/x',
    '🇫🇷',
    '\n',
  );
  const texts = fc.array(pieces, { maxLength: 60 }).map((parts) => normalizePostText(parts.join(' ')));
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 80 }), (text, weight) => {
      const beginning = cut(text, weight);
      expect(text.startsWith(beginning)).toBe(true);
      expect(weightedLength(beginning)).toBeLessThanOrEqual(weight);
      const end = Array.from(beginning).length;
      const tags = extractEntities(text).hashtags.filter((tag) => tag.end <= end);
      // A tag at the very beginning may be cut.
      if (end > 4) expect(extractEntities(beginning).hashtags).toEqual(tags);
    }),
  );
});
