import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../../test/support/any-text.js';
import { startCpuTime } from '../../../test/support/cpu-time.js';
import { translateSearch } from './search-query.js';

test.each([
  ['cat', {}, 'cat'],
  ['cat filter:media', {}, 'cat has:media'],
  ['cat -filter:retweets', {}, 'cat -is:retweet'],
  ['cat exclude:replies', {}, 'cat -is:reply'],
  ['cat -exclude:replies', {}, 'cat is:reply'],
  ['cat include:retweets filter:safe', {}, 'cat'],
  ['cat FILTER:Images', {}, 'cat has:images'],
  ['cat filter:unheard', {}, 'cat filter:unheard'],
  ['filter:constructor constructor:cat', {}, 'filter:constructor constructor:cat'],
  ['min_faves:5 -min_retweets:2 cat', {}, 'min_likes:5 -min_reposts:2 cat'],
  ['"filter:media" cat', {}, '"filter:media" cat'],
  ['(cat filter:links) OR dog', {}, '(cat has:links) OR dog'],
  ['cat', { lang: 'en' }, 'cat lang:en'],
  ['cat OR dog', { lang: 'en' }, '(cat OR dog) lang:en'],
  ['cat', { geocode: '40.7, -74, 5km' }, 'cat point_radius:[-74 40.7 5km]'],
] as const)('%s with %j is %s', (q, more, query) => {
  expect(translateSearch(q, more)).toEqual({ query });
});

test('since: and until: become dates, if they are', () => {
  expect(translateSearch('cat since:2022-10-01 until:2022-10-07', {})).toEqual({
    query: 'cat',
    since: '2022-10-01',
    until: '2022-10-07',
  });
  expect(translateSearch('cat since:yesterday', {})).toEqual({ query: 'cat since:yesterday' });
});

test('queries without words of v1.1 stay as they are, except for white space', () => {
  const piece = fc.constantFrom(
    'cat',
    'OR',
    '-dog',
    '"a b"',
    'from:alice',
    'has:media',
    '#tag',
    '(',
    ')',
    '"',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const q = pieces.join(' ');
      const squeezed = (text: string) => text.replace(/\s+/g, '');
      expect(squeezed(translateSearch(q, {}).query)).toBe(squeezed(q));
    }),
  );
});

test('any text is translated in linear time', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 200 }), fc.string(), (q, geocode) => {
      expect(typeof translateSearch(q, { geocode }).query).toBe('string');
    }),
  );
  for (const piece of ['"', '"\\', 'a:', '( )', 'filter:', '-']) {
    const cpuMs = startCpuTime();
    translateSearch(piece.repeat(50_000), {});
    expect(cpuMs(), piece).toBeLessThan(1_000);
  }
});
