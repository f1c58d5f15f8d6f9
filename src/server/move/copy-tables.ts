import { keyOfRow, type RowKey, type StoredRow, type StoredTable } from '../../database/stored-rows.js';
import { copiedNote, type Sides } from './sides.js';

/** How far a table is copied. */
interface Copied {
  readonly rows: number;
  /** The last copied key; absent at the end of the table. */
  readonly after?: RowKey;
  readonly isDone?: true;
}

/** Called after each chunk. */
export type OnRows = (table: string, rows: number) => void;

/** Texts that a chunk should hold; a chunk has between 1 and 5,000 rows. */
const CHUNK_CHARACTERS = 2_000_000;
const MAX_ROWS = 5_000;
const FIRST_ROWS = 200;

/**
 * Copies all tables chunk by chunk, each with the note of its last key in one transaction, and continues after the
 * last chunk of an interrupted copy. What changes meanwhile was recorded.
 */
export async function copyTables(sides: Sides, onRows: OnRows): Promise<void> {
  const notes = await sides.to.notes();
  for (const table of sides.tables) {
    const copied = JSON.parse(notes.get(copiedNote(table)) ?? '{"rows":0}') as Copied;
    if (!copied.isDone) await copyTable(sides, table, copied, onRows);
  }
}

async function copyTable(
  { from, to, requireRunning }: Sides,
  table: StoredTable,
  { rows: copied, after }: Copied,
  onRows: OnRows,
): Promise<void> {
  let rows = copied;
  let limit = FIRST_ROWS;
  let next = from.pageOf(table, after, limit);
  for (let isDone = false; !isDone;) {
    requireRunning();
    const page = await next;
    const last = page.at(-1);
    // What the source adds behind the last key from now on is recorded.
    const key = last === undefined || page.length < limit ? undefined : keyOfRow(table, last);
    isDone = key === undefined;
    rows += page.length;
    // An empty table is noted too: a later run would insert rows that were copied as changes.
    const progress: Copied = key ? { rows, after: key } : { rows, isDone: true };
    limit = rowsAfter(page);
    if (key) next = readAhead(from.pageOf(table, key, limit));
    await to.write(async (tx) => {
      if (page.length > 0) await tx.insert(table, page);
      await tx.putNote(copiedNote(table), JSON.stringify(progress));
    });
    onRows(table.name, rows);
  }
}

/** Returns a page that is read while the one before is written; its error counts when it is awaited. */
function readAhead<T>(page: Promise<T>): Promise<T> {
  page.catch(() => undefined);
  return page;
}

/** Returns the number of rows of the chunk after this one. */
function rowsAfter(page: readonly StoredRow[]): number {
  let characters = 1;
  for (const row of page) for (const value of row) characters += value?.length ?? 0;
  return Math.max(1, Math.min(MAX_ROWS, Math.floor((CHUNK_CHARACTERS * page.length) / characters)));
}
