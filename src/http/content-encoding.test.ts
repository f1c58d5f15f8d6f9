import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Answer } from './answer.js';
import { bestEncoding, encoded, takes } from './content-encoding.js';

const PAGE = Buffer.from('<p>A line of a page.</p>\n'.repeat(200));
const HTML = { 'content-type': 'text/html; charset=utf-8' };

test.each([
  ['gzip', true],
  ['gzip, deflate, br', true],
  ['deflate, gzip;q=0.5', true],
  ['*', true],
  ['gzip;q=0', false],
  ['identity', false],
  [undefined, false],
  ['x-gzip', false],
])('accept-encoding %s takes gzip: %s', (header, isTaken) => expect(takes('gzip', header)).toBe(isTaken));

test.each([
  ['gzip, deflate, br', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['brown', undefined],
  ['', undefined],
])('the best encoding of %j is %s', (header, best) => expect(bestEncoding(header)).toBe(best));

describe('answers', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('are compressed by %s, and the same bytes once', (encoding, decode) => {
    const answer = new Answer(200, PAGE, { ...HTML, vary: 'accept' });
    const { body, headers } = encoded(answer, { 'accept-encoding': encoding });
    expect(headers).toEqual({ ...HTML, 'content-encoding': encoding, vary: 'accept, accept-encoding' });
    expect(decode(body as Buffer)).toEqual(PAGE);
    expect(encoded(answer, { 'accept-encoding': encoding }).body).toBe(body);
  });

  test.each([
    ['small', new Answer(200, Buffer.from('<p>'), HTML)],
    ['pictures', new Answer(200, PAGE, { 'content-type': 'image/png' })],
    ['encoded already', new Answer(200, PAGE, { ...HTML, 'content-encoding': 'br' })],
    ['objects', new Answer(200, { data: 1 }, HTML)],
  ])('that are %s stay as they are', (_, answer) => {
    expect(encoded(answer, { 'accept-encoding': 'br' })).toBe(answer);
  });

  test('stay plain for a browser with cookies that another site sent', () => {
    const headers = { 'accept-encoding': 'br', cookie: 'a=b' };
    const from = (site: string, more = headers) =>
      encoded(new Answer(200, PAGE, HTML), { ...more, 'sec-fetch-site': site }).headers['content-encoding'];
    expect(['same-origin', 'none', 'same-site', 'cross-site'].map((site) => from(site))).toEqual([
      'br',
      'br',
      undefined,
      undefined,
    ]);
    expect(from('cross-site', { 'accept-encoding': 'br', cookie: undefined as never })).toBe('br');
  });
});
