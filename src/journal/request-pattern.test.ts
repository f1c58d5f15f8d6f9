import { expect, test } from 'vitest';
import { matchesPath, patternMatcher } from './request-pattern.js';

test.each([
  ['/2/tweets', '/2/tweets', true],
  ['/2/tweets', '/2/tweets/1', false],
  ['/2/tweets/{id}', '/2/tweets/1', true],
  ['/2/tweets/{id}', '/2/tweets/1/likes', false],
  ['/2/tweets/{id}', '/2/tweets/', false],
  ['/2/users/{id}/tweets', '/2/users/7/tweets', true],
  ['/2/*', '/2/users/7/tweets', true],
  ['*', '', true],
  ['/2/*/tweets', '/2/users/7/tweets', true],
  ['/2/*/tweets', '/2/users/7/likes', false],
  ['*/likes*', '/2/users/7/likes', true],
  ['/{', '/{', true],
  ['', '', true],
  ['', '/', false],
])('the pattern %j and the path %j match: %s', (pattern, path, matches) => {
  expect(matchesPath(pattern, path)).toBe(matches);
});

test('an app is selected by its id or its name', () => {
  const request = { operation: 'a', method: 'GET', path: '/', app: { id: '7', name: 'Seven' } };
  expect(patternMatcher({ app: '7' })(request)).toBe(true);
  expect(patternMatcher({ app: 'Seven' })(request)).toBe(true);
  expect(patternMatcher({ app: '8' })(request)).toBe(false);
  expect(patternMatcher({ userId: '1' })(request)).toBe(false);
});
