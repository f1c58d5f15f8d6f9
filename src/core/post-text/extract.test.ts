import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractEntities } from './extract.js';

const urlsIn = (text: string) => extractEntities(text).urls.map(({ url }) => url);
const tagsIn = (text: string) => extractEntities(text).hashtags.map(({ tag }) => tag);
const usernamesIn = (text: string) => extractEntities(text).mentions.map(({ username }) => username);
const cashtagsIn = (text: string) => extractEntities(text).cashtags.map(({ tag }) => tag);

describe('offsets', () => {
  test('entities come in text order with code point offsets, the end exclusive', () => {
    expect(extractEntities('😀 @ann #tea $TEA at https://example.com/tea')).toEqual({
      mentions: [{ start: 2, end: 6, username: 'ann' }],
      hashtags: [{ start: 7, end: 11, tag: 'tea' }],
      cashtags: [{ start: 12, end: 16, tag: 'TEA' }],
      urls: [{ start: 20, end: 43, url: 'https://example.com/tea' }],
    });
  });

  test('a hashtag in letters beyond the basic plane has its length in code points', () => {
    expect(extractEntities('#𝐓𝐀 #b').hashtags).toEqual([
      { start: 0, end: 3, tag: '𝐓𝐀' },
      { start: 4, end: 6, tag: 'b' },
    ]);
  });

  test('a text without signs has no entities', () => {
    expect(extractEntities('nothing to see here')).toEqual({
      urls: [],
      hashtags: [],
      mentions: [],
      cashtags: [],
    });
  });
});

describe('links', () => {
  test.each([
    ['see example.com.', ['example.com']],
    ['(https://example.com/a_(b))', ['https://example.com/a_(b)']],
    ['https://example.com/a?b=c&d=e#f, and', ['https://example.com/a?b=c&d=e#f']],
    ['HTTPS://EXAMPLE.COM/A', ['HTTPS://EXAMPLE.COM/A']],
    ['example.com:8080/x', ['example.com:8080/x']],
    ['www.https://example.com', ['https://example.com']],
    ['これはexample.comです', ['example.com']],
    ['élan.com', ['élan.com']],
  ])('%j has the links %j', (text, urls) => expect(urlsIn(text)).toEqual(urls));

  test.each([
    'e.g. this',
    'i.e. that',
    '3.14',
    'wait...what',
    'file.txt',
    'ann@example.com',
    'http://localhost/x',
    '@example.com',
    '#example.com',
    '＠example.com',
  ])('%j has no link', (text) => expect(urlsIn(text)).toEqual([]));

  test('links take precedence over overlapping tags and mentions', () => {
    expect(extractEntities('https://example.com/@ann/#tag')).toMatchObject({ mentions: [], hashtags: [] });
    expect(extractEntities('#日本example.com')).toMatchObject({
      urls: [{ url: 'example.com' }],
      hashtags: [],
    });
  });
});

describe('mentions, hashtags and cashtags', () => {
  test('a mention of a List has its slug', () => {
    expect(extractEntities('@ann/my-list').mentions).toEqual([
      { start: 0, end: 12, username: 'ann', listSlug: 'my-list' },
    ]);
  });

  test('an email address is not a mention; an old repost mark may precede one', () => {
    expect(usernamesIn('ann@bob @ann@bob a@b')).toEqual([]);
    expect(usernamesIn('RT@ann rt:@bob .@cat')).toEqual(['ann', 'bob', 'cat']);
  });

  test('a hashtag has a letter and does not follow a letter, a digit or an ampersand', () => {
    expect(tagsIn('#1 #_ a#b 1#c &#39; #d1 #é (#e) #')).toEqual(['d1', 'é', 'e']);
  });

  test('a tag before another sign or a scheme is not a hashtag', () => {
    expect(tagsIn('#a#b #http://example.com')).toEqual([]);
  });

  test('a keycap is not a hashtag', () => {
    expect(tagsIn('#️⃣abc')).toEqual([]);
  });

  test('a cashtag follows a space and has at most six letters and a suffix of two', () => {
    expect(cashtagsIn('$A $ABCDEF $ABC.DE $ABCDEFG ($X) $5 $A1 $B!')).toEqual(['A', 'ABCDEF', 'ABC.DE', 'B']);
  });
});

describe('any text', () => {
  const parts =
    '@ann ＠ #tag ＃ $A . , / // http:// https:// t.co example.com 日本 みんな é 😀 👨‍👩‍👧 \ud83d ( ) - _ : ? & x 1 ://'.split(
      ' ',
    );
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...parts, ' ')).map((chosen) => chosen.join('')),
  );

  test('offsets select every entity in the text, and entities do not overlap', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const characters = [...text];
        const { urls, hashtags, mentions, cashtags } = extractEntities(text);
        const cut = ({ start, end }: { start: number; end: number }) => characters.slice(start, end).join('');
        for (const url of urls) expect(cut(url)).toBe(url.url);
        for (const tag of hashtags) expect(cut(tag)).toMatch(/^[#＃]/u);
        for (const tag of [...hashtags, ...cashtags]) expect(cut(tag).slice(1)).toBe(tag.tag);
        for (const { listSlug, ...mention } of mentions) {
          expect(cut(mention).slice(1)).toBe(
            mention.username + (listSlug === undefined ? '' : `/${listSlug}`),
          );
        }
        const spans = [...urls, ...hashtags, ...mentions, ...cashtags].sort((a, b) => a.start - b.start);
        spans.forEach((span, index) => expect(span.start).toBeGreaterThanOrEqual(spans[index - 1]?.end ?? 0));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(['a.', 'あ.', 'a.xn--', 'a@a.', '#a', '(', 'http://a.com/(', 'a-', 'a.com '])(
    'ten thousand characters of %j are read without delay',
    (part) => expect(() => extractEntities(part.repeat(10_000 / part.length))).not.toThrow(),
  );
});
