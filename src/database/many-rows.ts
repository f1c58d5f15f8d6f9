import type { Tx } from './engine.js';
import { Sql, toParameter, type Parameter, type SqlList, type SqlValue } from './sql.js';

/** The values of a new row, in the order of the columns. */
type NewRow = readonly Parameter[];

export type InsertRows = (tx: Tx, rows: readonly NewRow[]) => Promise<void>;

/**
 * Rows per statement: few sizes keep the number of prepared statements small and within the parameter limit of every
 * engine.
 */
const SIZES = [256, 32, 4, 1] as const;

/**
 * Creates a bulk INSERT. Multi-row statements avoid most of the cost per row and, on a server, a round trip each.
 * `before` is the text before the values, `after` the text behind them; both are constants of the code.
 */
export function insertRows(before: string, columns: number, after = ''): InsertRows {
  const texts = SIZES.map((size) => ({ size, strings: partsOf(before, { columns, size }, after) }));
  return async (tx, rows) => {
    let at = 0;
    for (const { size, strings } of texts) {
      for (; rows.length - at >= size; at += size) {
        await tx.run(new Sql(strings, valuesOf(rows, at, at + size)));
      }
    }
  };
}

/** Returns the parameters of some rows. Optimized for speed: imports pass every stored value through here. */
function valuesOf(rows: readonly NewRow[], from: number, to: number): (SqlValue | SqlList)[] {
  const values: (SqlValue | SqlList)[] = [];
  for (let at = from; at < to; at += 1) for (const value of rows[at] ?? []) values.push(toParameter(value));
  return values;
}

/** Returns the parts of a statement, frozen like a template literal: engines cache statements by identity. */
function partsOf(
  before: string,
  { columns, size }: { readonly columns: number; readonly size: number },
  after: string,
): readonly string[] {
  const isFirstOfRow = (index: number): boolean => index % columns === 0;
  const between = Array.from({ length: columns * size - 1 }, (_unused, index) =>
    isFirstOfRow(index + 1) ? '), (' : ', ',
  );
  return Object.freeze([`${before} VALUES (`, ...between, `) ${after}`]);
}
