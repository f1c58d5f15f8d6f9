import { expect, it } from 'vitest';
import { linkedPosts, postIdOfStatusUrl } from './status-links.js';

const HERE = 'http://pond.example:8080';

it.each([
  ['no link at all', []],
  ['see http://pond.example:8080/alice/status/12', [12n]],
  [
    'https://x.com/a/status/3 and twitter.com/b/status/4?s=20, then\nhttps://x.com/a/status/3 again',
    [3n, 4n],
  ],
  ['(https://x.com/a/status/5). "https://twitter.com/i/web/status/6"!', [5n, 6n]],
  ['https://elsewhere.example/a/status/7 https://x.com/a/likes/8', []],
])('the posts that %j links to', (text, ids) => {
  expect(linkedPosts(text, HERE)).toEqual(ids);
});

it.each([
  'https://twitter.com/ann/status/20',
  'https://x.com/ann/status/20',
  'http://www.twitter.com/ann/status/20',
  'https://mobile.twitter.com/ann/status/20?s=20&t=x',
  'https://X.com/ann/status/20/photo/1',
  'https://twitter.com/i/web/status/20',
  'twitter.com/ann/statuses/20#top',
])('%s leads to post 20', (url) => expect(postIdOfStatusUrl(url)).toBe(20n));

it.each([
  'https://example.com/ann/status/20',
  'https://twitter.com.example.com/ann/status/20',
  'https://example.com/twitter.com/ann/status/20',
  'https://twitter.com/ann/status/20x',
  'https://twitter.com/ann/status/',
  'https://twitter.com/ann/likes/20',
  'https://twitter.com/ann/status/9999999999999999999',
  'https://ann@twitter.com/ann/status/20',
  '',
])('%j leads to no post', (url) => expect(postIdOfStatusUrl(url)).toBeUndefined());

it('own hosts count with their port', () => {
  const own = ['Pipit.example', 'localhost:8080'];
  expect(postIdOfStatusUrl('https://pipit.example/ann/status/20', own)).toBe(20n);
  expect(postIdOfStatusUrl('http://localhost:8080/ann/status/20', own)).toBe(20n);
  expect(postIdOfStatusUrl('http://localhost/ann/status/20', own)).toBeUndefined();
});
