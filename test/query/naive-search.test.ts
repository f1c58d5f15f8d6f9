import { describe, expect, test } from 'vitest';
import { readQuery } from '../../src/query/read-query.js';
import { naiveMatch } from '../support/naive-search.js';
import { SEARCH_CASES, SEARCH_POSTS } from './search-cases.js';

describe('matching of queries (docs/api/search.md#operators, docs/api/search.md#matching)', () => {
  test.each(SEARCH_CASES)('%s', (query, ids) => {
    const reading = readQuery(query, { level: 'elevated', track: 'standard', product: 'recent' });
    if (!reading.ok) throw new Error(reading.message);
    const found = SEARCH_POSTS.filter((post) => naiveMatch(post, reading.expression));
    expect(found.map(({ id }) => id)).toEqual(ids);
  });
});
