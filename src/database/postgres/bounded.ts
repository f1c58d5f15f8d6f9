import type { Sql } from '../sql.js';

/** The end of a statement with one condition, before its parameter. */
const ONE_CONDITION = /\sWHERE\s+\w+\s+(?:=|IN)\s*$/i;
/** Names of columns and of one table: nothing nested, sorted, counted or joined. */
const PLAIN = /^\s*SELECT\s[\w\s,=]+$/i;
const SEVERAL_TABLES = /\b(?:JOIN|UNION)\b/i;

const known = new WeakMap<readonly string[], boolean>();

/**
 * Reports whether a query is marked as bounded, or is a lookup: it finds rows of one table by the value of one column, or
 * by a list of values. The text is read once for each line of source; a composed statement is no lookup.
 */
export function isBounded(query: Pick<Sql, 'strings' | 'isBounded'>): boolean {
  const { strings } = query;
  if (query.isBounded) return true;
  if (!Object.isFrozen(strings)) return false;
  let isLookup = known.get(strings);
  if (isLookup === undefined) known.set(strings, (isLookup = readsLikeLookup(strings)));
  return isLookup;
}

function readsLikeLookup([before = '', after = '', ...others]: readonly string[]): boolean {
  if (others.length > 0 || after.trim() !== '') return false;
  return PLAIN.test(before) && ONE_CONDITION.test(before) && !SEVERAL_TABLES.test(before);
}
