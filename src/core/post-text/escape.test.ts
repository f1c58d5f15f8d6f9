import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapedOffsets, escapeText, unescapeText } from './escape.js';

test('ampersand and angle brackets are escaped, quotes are not', () => {
  expect(escapeText(`<b> & "c" 'd'`)).toBe(`&lt;b&gt; &amp; "c" 'd'`);
});

test('a text that looks escaped is escaped again', () => {
  expect(escapeText('&amp;')).toBe('&amp;amp;');
  expect(unescapeText('&amp;lt;')).toBe('&lt;');
});

test('references other than the three stay unchanged', () => {
  expect(unescapeText('&quot;&#39;&amp')).toBe('&quot;&#39;&amp');
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom('&', '<', '>', 'amp;', 'lt;', '😀', 'a')).map((parts) => parts.join('')),
);

test('unescaping undoes escaping', () => {
  fc.assert(
    fc.property(anyText, (raw) => {
      expect(unescapeText(escapeText(raw))).toBe(raw);
    }),
  );
});

test('an escaped offset is the length of the escaped text before it', () => {
  fc.assert(
    fc.property(anyText, (raw) => {
      const characters = [...raw];
      const offset = escapedOffsets(raw);
      for (let at = 0; at <= characters.length; at++) {
        expect(offset(at)).toBe([...escapeText(characters.slice(0, at).join(''))].length);
      }
    }),
  );
});
