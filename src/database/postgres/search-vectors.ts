import { runsOf, type SearchDocument, type SearchLeaf, type SearchSelection } from '../search.js';

/** Positions in a tsvector end here, and of one word it keeps so many (PostgreSQL manual, "Limitations" of text search). */
const MAX_POSITION = 16_383;
const MAX_POSITIONS_PER_WORD = 255;

/**
 * A document as the text of a tsvector: tokens with their places, facets without any. Between the runs a place stays
 * empty, so that no phrase reaches from one into the next. Of a text beyond tsvector's limits all words are found, but
 * phrases only up to there: within the first 16,383 tokens and the first 255 places of a word.
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

/** No token has such signs. */
const FOLLOWED_BY = ' <-> ';

/** A selection as the text of a tsquery. */
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

/** Whether a query that was made here asks for words side by side. */
export function hasPhrase(query: string): boolean {
  return query.includes(FOLLOWED_BY);
}

function leafOf(leaf: SearchLeaf): string {
  if (leaf.kind === 'facets') return joined(leaf.anyOf.map(quoted), '|');
  const words = leaf.tokens.map(quoted);
  return `(${words.join(FOLLOWED_BY)}${leaf.lastIsPrefix ? ':*' : ''})`;
}

/** In halves of halves: the server follows the depth of a query, not its length. */
function joined(parts: readonly string[], operator: '&' | '|'): string {
  if (parts.length === 1) return parts.join('');
  const middle = parts.length >> 1;
  const [left, right] = [parts.slice(0, middle), parts.slice(middle)];
  return `(${joined(left, operator)} ${operator} ${joined(right, operator)})`;
}

/** Tokens hold neither quotes nor backslashes. Half a character, which a cut can leave, is no text to the server. */
function quoted(token: string): string {
  return `'${token.toWellFormed()}'`;
}
