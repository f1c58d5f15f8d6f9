import { expect, test } from 'vitest';
import { queryWords, userWords } from './user-words.js';

test('a user has the words of the name, the username and its parts, each once', () => {
  expect(userWords({ username: 'Ada_L', name: 'Ada Lovelace' })).toEqual(['ada_l', 'ada', 'l', 'lovelace']);
});

test('accents and case do not matter', () => {
  expect(userWords({ username: 'jose', name: 'JOSÉ Ángel' })).toEqual(['jose', 'angel']);
  expect(queryWords('José José')).toEqual(['jose']);
});

test('outer underscores stay part of the username', () => {
  expect(userWords({ username: '_ada_', name: '' })).toEqual(['_ada_', 'ada']);
});

test('an apostrophe separates words in names and queries alike', () => {
  expect(userWords({ username: 'kob', name: "Kate O'Brien" })).toEqual(['kob', 'kate', 'o', 'brien']);
  expect(queryWords("o'brien")).toEqual(['o', 'brien']);
});
