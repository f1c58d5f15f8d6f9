import { expect, it } from 'vitest';
import { answerUri } from './answer-uri.js';

it.each([
  ['https://a.example/b', 'https://a.example/b?code=x+y'],
  ['https://a.example/b?c=d', 'https://a.example/b?c=d&code=x+y'],
  ['https://a.example/b?', 'https://a.example/b?code=x+y'],
  ['app://back', 'app://back?code=x+y'],
])('response parameters are added to %s, which stays as registered', (uri, expected) => {
  expect(answerUri(uri, { code: 'x y', state: undefined })).toBe(expected);
});
