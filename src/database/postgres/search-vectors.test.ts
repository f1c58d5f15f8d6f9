import { describe, expect, test } from 'vitest';
import type { PostId } from '../../core/ids.js';
import type { SearchSelection } from '../search.js';
import { queryOf, vectorOf } from './search-vectors.js';

const id = 1n as PostId;

function word(...tokens: string[]): SearchSelection {
  return { kind: 'only', leaf: { kind: 'phrase', tokens, lastIsPrefix: false } };
}

describe('a document as a tsvector', () => {
  test('tokens have positions with a gap between runs; facets have none', () => {
    const document = { id, runs: 'a b a : u:x u:y', facets: 'from:7' };
    expect(vectorOf(document)).toBe("'a':1,3 'b':2 'u:x':5 'u:y':6 'from:7'");
  });

  test('tokens beyond the highest position are still found as words', () => {
    const run = [...Array.from({ length: 16_383 }, (_, n) => `w${n % 1_000}`), 'last'];
    expect(vectorOf({ id, runs: run.join(' '), facets: 'from:7' })).toMatch(/ 'last' 'from:7'$/);
    const many = vectorOf({ id, runs: Array(300).fill('ha').join(' '), facets: 'from:7' });
    expect(many.split(',')).toHaveLength(255);
  });

  test('a lone surrogate is replaced', () =>
    expect(vectorOf({ id, runs: 'a\uD83D', facets: 'from:7' })).toBe("'a\uFFFD':1 'from:7'"));
});

describe('a selection as a tsquery', () => {
  test.each([
    [word('a', 'b'), "('a' <-> 'b')"],
    [{ kind: 'all', of: [word('a'), word('b'), word('c')] }, "(('a') & (('b') & ('c')))"],
    [
      { kind: 'except', from: word('a'), without: { kind: 'any', of: [word('b'), word('c')] } },
      "(('a') & !(('b') | ('c')))",
    ],
    [{ kind: 'only', leaf: { kind: 'phrase', tokens: ['a', '東'], lastIsPrefix: true } }, "('a' <-> '東':*)"],
    [{ kind: 'only', leaf: { kind: 'facets', anyOf: ['from:1', 'from:2'] } }, "('from:1' | 'from:2')"],
  ] as [SearchSelection, string][])('%j', (selection, query) => expect(queryOf(selection)).toBe(query));
});
