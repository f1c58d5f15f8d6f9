import type { Lane, Sql } from '../sql.js';

/** The end of a statement with one condition, before its parameter. */
const ONE_CONDITION = /\sWHERE\s+\w+\s+(?:=|IN)\s*$/i;
/** Names of columns and of one table: nothing nested, sorted, counted or joined. */
const PLAIN = /^\s*SELECT\s[\w\s,=]+$/i;
const SEVERAL_TABLES = /\b(?:JOIN|UNION)\b/i;

const known = new WeakMap<readonly string[], boolean>();

/**
 * Returns the lane of a query: the one that it names, or that of lookups if it finds rows of one table by the value of one
 * column, or by a list of values. The text is read once for each line of source; a composed statement is no lookup.
 */
export function laneOf({ strings, lane }: Pick<Sql, 'strings' | 'lane'>): Lane | undefined {
  if (lane !== undefined || !Object.isFrozen(strings)) return lane;
  let isLookup = known.get(strings);
  if (isLookup === undefined) known.set(strings, (isLookup = readsLikeLookup(strings)));
  return isLookup ? 'lookup' : undefined;
}

function readsLikeLookup([before = '', after = '', ...others]: readonly string[]): boolean {
  if (others.length > 0 || after.trim() !== '') return false;
  return PLAIN.test(before) && ONE_CONDITION.test(before) && !SEVERAL_TABLES.test(before);
}
