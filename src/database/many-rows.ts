import type { Tx } from './engine.js';
import { Sql, toParameter, type SqlList, type SqlValue } from './sql.js';

/** A row to be added: its values in the order of the columns. */
type NewRow = readonly (SqlValue | boolean | undefined)[];

/** Adds rows to a table. */
export type InsertRows = (tx: Tx, rows: readonly NewRow[]) => Promise<void>;

/** Rows a statement: few texts, which engines keep prepared, and within the parameters that any engine takes. */
const SIZES = [256, 32, 4, 1] as const;

/**
 * An INSERT of many rows in few statements: what a statement costs beside its rows is most of what writing them costs,
 * and on a server each one is a way there and back. `before` is the text up to the values, `after` the text behind them;
 * both are the code's own words.
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

/** Written for speed: an import comes through here with every value it stores. */
function valuesOf(rows: readonly NewRow[], from: number, to: number): (SqlValue | SqlList)[] {
  const values: (SqlValue | SqlList)[] = [];
  for (let at = from; at < to; at += 1) for (const value of rows[at] ?? []) values.push(toParameter(value));
  return values;
}

/** Frozen, as the parts of a template literal are: by that engines know a statement again. */
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
