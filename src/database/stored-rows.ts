/** The text of each value of a row, in the order of the columns: the same on every engine. */
export type StoredRow = readonly (string | null)[];

/** The text of each value of a primary key. */
export type RowKey = readonly string[];

export interface StoredColumn {
  readonly name: string;
  readonly type: 'integer' | 'text';
}

/** A table as an engine declares it. */
export interface StoredTable {
  readonly name: string;
  /** In alphabetical order, so that rows of every engine compare. */
  readonly columns: readonly StoredColumn[];
  /** The names of the columns of the primary key. */
  readonly key: readonly string[];
}

/** A row that was inserted, changed or deleted while changes are recorded. */
export interface RecordedChange {
  readonly number: string;
  readonly table: string;
  readonly key: RowKey;
}

/** An index besides the primary key, with the statement that creates it. */
export interface StoredIndex {
  readonly name: string;
  readonly isUnique: boolean;
  readonly statement: string;
}

/** The writes of one transaction. */
export interface RowsTx {
  /** Adds rows. Rejects if a key is taken. */
  insert(table: StoredTable, rows: readonly StoredRow[]): Promise<void>;
  /** Adds rows, and replaces those with the same keys. */
  upsert(table: StoredTable, rows: readonly StoredRow[]): Promise<void>;
  delete(table: StoredTable, keys: readonly RowKey[]): Promise<void>;
  /** Runs a statement that both engines understand. */
  run(statement: string): Promise<void>;
  /** Stores a note about the move, or deletes it. */
  putNote(name: string, value: string | undefined): Promise<void>;
}

/**
 * All rows of a database as they are stored, below the engine: for moves between databases. Nothing that is written
 * here appears in the feed of changes, so no server may use the database. Methods run one at a time. They reject with
 * StorageUnavailable while the database cannot serve.
 */
export interface StoredRows {
  /** Returns the names of all tables. */
  tableNames(): Promise<readonly string[]>;
  /** Returns the tables among `names`. Rejects for a column that moves cannot copy. */
  describe(names: readonly string[]): Promise<StoredTable[]>;
  countRows(table: string): Promise<number>;
  /** Returns up to `limit` rows after a key, or the first ones, in the order of the primary key. */
  pageOf(table: StoredTable, after: RowKey | undefined, limit: number): Promise<StoredRow[]>;
  /** Returns the rows with these keys, in no order. */
  findRows(table: StoredTable, keys: readonly RowKey[]): Promise<StoredRow[]>;
  /** Returns the highest key of a table whose key is one number; undefined without rows. */
  lastKey(table: StoredTable): Promise<string | undefined>;
  /** Runs a transaction and resolves when it is durable. `body` must await its writes. */
  write(body: (tx: RowsTx) => Promise<void>): Promise<void>;
  /** Returns the notes about the move; none outside a move. */
  notes(): Promise<ReadonlyMap<string, string>>;
  /** Creates the place of the notes. */
  openNotes(): Promise<void>;
  /** Deletes the notes and their place. */
  closeNotes(): Promise<void>;
  /** From now on records the keys of all rows that any process changes in these tables. Does nothing the second time. */
  recordChanges(tables: readonly StoredTable[]): Promise<void>;
  /** Returns the oldest recorded changes. */
  readChanges(limit: number): Promise<RecordedChange[]>;
  forgetChanges(changes: readonly RecordedChange[]): Promise<void>;
  /** Keeps all others from writing to these tables until `endRecording` or `close`. Waits for writes under way. */
  holdWrites(tables: readonly StoredTable[]): Promise<void>;
  /** Ends the recording and `holdWrites`, and removes what they left in the database. */
  endRecording(): Promise<void>;
  /** Returns the indexes of tables besides their primary keys. */
  listIndexes(tables: readonly StoredTable[]): Promise<StoredIndex[]>;
  /** Brings numbers that the database generates beyond those in its rows. */
  advanceSequences(): Promise<void>;
  /** Returns the number of connections of other Pipit processes; 0 for a file, which has locks for that. */
  countUsers(): Promise<number>;
  /** Reports whether the tables are spread over several servers. */
  isDistributed(): Promise<boolean>;
  /** Deletes all tables. */
  dropEverything(): Promise<void>;
  close(): Promise<void>;
}

/** The tables of a move's own, which it removes in the end. */
export const NOTES = 'move_notes';
export const CHANGES = 'move_changes';

/** The largest number of columns of a primary key that `CHANGES` has room for. */
export const MAX_KEY_COLUMNS = 4;

/** Returns the names of the columns that hold a recorded key. */
export function keyColumns(count = MAX_KEY_COLUMNS): string[] {
  return Array.from({ length: count }, (_unused, index) => `k${index + 1}`);
}

/** Returns the recorded change of a row of `CHANGES`: number, table and the columns of `keyColumns`. */
export function changeOf([number, table, ...key]: StoredRow): RecordedChange {
  return { number: number ?? '', table: table ?? '', key: key.filter((value) => value !== null) };
}

/** Returns the key of a row. */
export function keyOfRow(table: StoredTable, row: StoredRow): RowKey {
  let places = keyPlaces.get(table);
  if (places === undefined) {
    places = table.key.map((name) => table.columns.findIndex((column) => column.name === name));
    keyPlaces.set(table, places);
  }
  return places.map((place) => row[place] ?? '');
}

/** The places of the key columns of a table among its columns. */
const keyPlaces = new WeakMap<StoredTable, readonly number[]>();

/** Returns the columns of the key in its order. */
export function keyColumnsOf({ columns, key }: StoredTable): StoredColumn[] {
  return key.map((name) => ({ name, type: columns.find((column) => column.name === name)?.type ?? 'text' }));
}

/** Returns the names of the columns as a list of SQL. */
export function namesOf(columns: readonly StoredColumn[]): string {
  return columns.map(({ name }) => name).join(', ');
}

/** Returns the clause with which an INSERT replaces a row of the same key. */
export function upsertClause({ columns, key }: StoredTable): string {
  const others = columns.filter(({ name }) => !key.includes(name));
  const set = others.map(({ name }) => `${name} = excluded.${name}`).join(', ');
  return `ON CONFLICT (${key.join(', ')}) DO ${set === '' ? 'NOTHING' : `UPDATE SET ${set}`}`;
}
