import { expect, it } from 'vitest';
import { originForm } from './routing.js';

it.each([
  ['/2/tweets?ids=1', '/2/tweets?ids=1'],
  ['/2/search?query=http://x/y', '/2/search?query=http://x/y'],
  ['http://api.twitter.com/2/tweets?ids=1', '/2/tweets?ids=1'],
  ['HTTPS://a:b@[::1]:443/2/tweets', '/2/tweets'],
  ['http://x?ids=1', '/?ids=1'],
  ['http://x', '/'],
  ['http://x//y/../z', '//y/../z'],
  ['*', '/*'],
])('the request target %s is routed as %s (RFC 9112 3.2)', (target, path) => {
  expect(originForm(target)).toBe(path);
});
