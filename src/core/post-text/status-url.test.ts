import { expect, test } from 'vitest';
import { postIdOfStatusUrl } from './status-url.js';

test.each([
  'https://twitter.com/ann/status/20',
  'https://x.com/ann/status/20',
  'http://www.twitter.com/ann/status/20',
  'https://mobile.twitter.com/ann/status/20?s=20&t=x',
  'https://X.com/ann/status/20/photo/1',
  'https://twitter.com/i/web/status/20',
  'twitter.com/ann/statuses/20#top',
])('%s leads to post 20', (url) => expect(postIdOfStatusUrl(url)).toBe(20n));

test.each([
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

test('own hosts count with their port', () => {
  const own = ['Pipit.example', 'localhost:8080'];
  expect(postIdOfStatusUrl('https://pipit.example/ann/status/20', own)).toBe(20n);
  expect(postIdOfStatusUrl('http://localhost:8080/ann/status/20', own)).toBe(20n);
  expect(postIdOfStatusUrl('http://localhost/ann/status/20', own)).toBeUndefined();
});
