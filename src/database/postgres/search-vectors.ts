import { runsOf, type SearchDocument, type SearchLeaf, type SearchSelection } from '../search.js';

/**
 * The highest position in a tsvector, and the maximum number of positions per word (PostgreSQL manual, "Limitations"
 * of text search).
 */
const MAX_POSITION = 16_383;
const MAX_POSITIONS_PER_WORD = 255;

/**
 * Formats a document as a tsvector: tokens with positions, facets without. A position stays empty between runs, so
 * that no phrase spans two runs. Beyond tsvector's limits words are still found, but phrases only within the first
 * 16,383 tokens and the first 255 positions of a word.
 */
export function vectorOf(document: SearchDocument): string {
  const positions = new Map<string, number[]>();
  let position = 1;
  for (const run of runsOf(document)) {
    for (const token of run) {
      const known = positions.get(token);
      const places = known ?? [];
      if (!known) positions.set(token, places);
      if (position <= MAX_POSITION && places.length < MAX_POSITIONS_PER_WORD) places.push(position);
      position += 1;
    }
    position += 1;
  }
  const words = [...positions].map(([token, places]) =>
    places.length === 0 ? quoted(token) : `${quoted(token)}:${places.join(',')}`,
  );
  return [...words, ...document.facets.split(' ').map(quoted)].join(' ');
}

/** Tokens never contain these characters. */
const FOLLOWED_BY = ' <-> ';

/** Formats a selection as a tsquery. */
export function queryOf(selection: SearchSelection): string {
  switch (selection.kind) {
    case 'only':
      return leafOf(selection.leaf);
    case 'all':
      return joined(selection.of.map(queryOf), '&');
    case 'any':
      return joined(selection.of.map(queryOf), '|');
    case 'except':
      return `(${queryOf(selection.from)} & !${queryOf(selection.without)})`;
  }
}

/** Reports whether a query of `queryOf` contains a phrase. */
export function hasPhrase(query: string): boolean {
  return query.includes(FOLLOWED_BY);
}

function leafOf(leaf: SearchLeaf): string {
  if (leaf.kind === 'facets') return joined(leaf.anyOf.map(quoted), '|');
  const words = leaf.tokens.map(quoted);
  return `(${words.join(FOLLOWED_BY)}${leaf.lastIsPrefix ? ':*' : ''})`;
}

/** Joins as a balanced tree: the server limits the depth of a query, not its length. */
function joined(parts: readonly string[], operator: '&' | '|'): string {
  if (parts.length === 1) return parts.join('');
  const middle = parts.length >> 1;
  const [left, right] = [parts.slice(0, middle), parts.slice(middle)];
  return `(${joined(left, operator)} ${operator} ${joined(right, operator)})`;
}

/** Tokens contain no quotes or backslashes. The server refuses a lone surrogate, which truncation can leave. */
function quoted(token: string): string {
  return `'${token.toWellFormed()}'`;
}
