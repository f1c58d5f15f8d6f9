import { expect, test } from 'vitest';
import { webLink } from './rich-text.js';

const shown = (url: string): string => webLink(url).markup.replace(/^<a[^>]*>(.*)<\/a>$/s, '$1');

test('a link shows the host that it leads to', () => {
  expect(shown('https://www.example.com/path')).toBe('example.com/path');
  expect(shown('https://bank.example%2Fsign-in%2Fand%2Fsome%2Fmore%2Fwords@evil.example/x')).toBe(
    'evil.example/x',
  );
  expect(shown('https://bank.example:x@evil.example')).toBe('evil.example');
  expect(shown('https://evil.exam\u00adple/\u3164')).toBe('evil.example/%E3%85%A4');
  expect(shown('javascript:alert(1)')).toBe('javascript:alert(1)');
});
