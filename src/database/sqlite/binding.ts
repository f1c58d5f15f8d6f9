import { SqlList, type Sql, type SqlValue } from '../sql.js';

/** Values that the driver can bind. */
export type Bound = bigint | number | string | null | Uint8Array;

/** SQLite plans with the value of such a limit, so it would prepare the statement again at every run. */
const PLANNED_LIMIT = /\bLIMIT \?/g;

/**
 * Returns the text of a statement with plain `?`. A list is one parameter, so that one statement serves every length.
 */
export function textOf(query: Sql): string {
  let text = query.strings[0] ?? '';
  query.params.forEach((param, index) => {
    text += param instanceof SqlList ? '(SELECT value FROM json_each(?))' : '?';
    text += query.strings[index + 1] ?? '';
  });
  return text.replace(PLANNED_LIMIT, 'LIMIT +?');
}

/** Returns the values for `textOf`, in order. */
export function boundValues(query: Sql): Bound[] {
  return query.params.map((param) => (param instanceof SqlList ? jsonOf(param) : bound(param)));
}

/**
 * Converts integers to bigint: the driver binds numbers as REAL, so 3 would be stored as '3.0' in a TEXT column and 3
 * / 2 would be 1.5.
 */
function bound(value: SqlValue): Bound {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
}

/** Serializes a list: JSON.stringify refuses bigints, and as strings they would compare as text. */
function jsonOf({ values }: SqlList): string {
  return `[${values.map((value) => (typeof value === 'bigint' ? value : JSON.stringify(value))).join(',')}]`;
}
