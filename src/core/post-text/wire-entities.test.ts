import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeText } from './escape.js';
import { extractEntities } from './extract.js';
import { type MentionedUser, displayUrl, toWireEntities } from './wire-entities.js';

const ann = new Map<string, MentionedUser>([['ann', { id: '7', username: 'Ann' }]]);
const wire = (text: string, mentioned = ann) => toWireEntities(text, extractEntities(text), mentioned);

test('offsets refer to the escaped text', () => {
  expect(wire('<3 & 😀 @ann #tea $TEA')).toEqual({
    mentions: [{ start: 14, end: 18, username: 'Ann', id: '7' }],
    hashtags: [{ start: 19, end: 23, tag: 'tea' }],
    cashtags: [{ start: 24, end: 28, tag: 'TEA' }],
  });
});

test('a link has its scheme in expanded_url only and an ampersand moves its end', () => {
  expect(wire('www.example.com/?a&b')).toEqual({
    urls: [
      {
        start: 0,
        end: 24,
        url: 'www.example.com/?a&b',
        expanded_url: 'http://www.example.com/?a&b',
        display_url: 'example.com/?a&b',
      },
    ],
  });
});

test('mentions of unknown accounts and of Lists are not entities, regardless of case', () => {
  expect(wire('@bob @ann/list')).toBeUndefined();
  expect(wire('@ANN')?.mentions).toEqual([{ start: 0, end: 4, username: 'Ann', id: '7' }]);
});

test('keys without entities are absent, and so is the object without keys', () => {
  expect(Object.keys(wire('#tea') ?? {})).toEqual(['hashtags']);
  expect(wire('nothing')).toBeUndefined();
});

test.each([
  ['https://www.example.com/', 'example.com'],
  ['http://Example.com', 'Example.com'],
  ['https://example.com/1234567890123456', 'example.com/12345678901234…'],
  ['https://example.com/123456789012345', 'example.com/123456789012345'],
  ['https://example.com?a=1', 'example.com?a=1'],
])('%s is displayed as %s', (url, shown) => expect(displayUrl(url)).toBe(shown));

test('offsets select every entity in the escaped text', () => {
  const parts = ['&', '<', '>', ' ', '😀', '@ann', '#tea', '$TEA', 'example.com/?a&b', 'é'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts)), (chosen) => {
      const text = chosen.join('');
      const characters = [...escapeText(text)];
      const cut = ({ start, end }: { start: number; end: number }) => characters.slice(start, end).join('');
      const entities = wire(text);
      for (const url of entities?.urls ?? []) expect(cut(url)).toBe(escapeText(url.url));
      for (const tag of entities?.hashtags ?? []) expect(cut(tag)).toBe(`#${tag.tag}`);
      for (const tag of entities?.cashtags ?? []) expect(cut(tag)).toBe(`$${tag.tag}`);
      for (const mention of entities?.mentions ?? []) expect(cut(mention)).toBe('@ann');
    }),
  );
});
