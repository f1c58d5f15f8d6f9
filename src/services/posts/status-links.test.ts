import { expect, it } from 'vitest';
import { linkedPosts } from './status-links.js';

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
