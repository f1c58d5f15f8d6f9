import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasInvalidCharacters, normalizePostText } from './normalize.js';

test('white space around a text is trimmed, including ideographic spaces and line ends', () => {
  expect(normalizePostText(' \t\n\u3000\u0085hello  world\u00a0\r\n')).toBe('hello  world');
  expect(normalizePostText(' \n ')).toBe('');
});

test('a text is converted to its composed form', () => {
  expect(normalizePostText('Cafe\u0301')).toBe('Caf\u00e9');
});

test('a byte order mark is not trimmed away but refused', () => {
  expect(hasInvalidCharacters(normalizePostText('\ufeffhello'))).toBe(true);
});

test.each(['\ufffe', '\uffff', '\ufeff', '\ud83d', '\ude00', '\u0000'])(
  'character %j is refused',
  (character) => {
    expect(hasInvalidCharacters(`a${character}b`)).toBe(true);
  },
);

test.each(['plain', '😀', '\u202aleft to right\u202c', 'line\nline', '\u200d'])('%j is allowed', (text) => {
  expect(hasInvalidCharacters(text)).toBe(false);
});

test('normalization is idempotent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (raw) => {
      const text = normalizePostText(raw);
      expect(normalizePostText(text)).toBe(text);
    }),
  );
});

test('a long run of white space inside a text takes linear time', () => {
  const text = `a${' '.repeat(200_000)}b`;
  expect(normalizePostText(text)).toBe(text);
});

test('an overlong run of marks stays unchanged, and the text around it is normalized', () => {
  const run = `x${'\u0301\u0316'.repeat(40)}`;
  const text = normalizePostText(`Cafe\u0301 ${run} Cafe\u0301`);
  expect(text).toBe(`Caf\u00e9 ${run} Caf\u00e9`);
  expect(normalizePostText(text)).toBe(text);
});
