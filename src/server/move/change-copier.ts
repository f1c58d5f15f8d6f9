import { SEARCH_PENDING } from '../../database/copied-tables.js';
import type { RowSum } from '../../database/row-sums.js';
import {
  keyOfRow,
  type RecordedChange,
  type RowKey,
  type RowsTx,
  type StoredRow,
  type StoredTable,
} from '../../database/stored-rows.js';
import type { Sides } from './sides.js';

/** The number of changes that are copied at once. */
const BATCH = 2_000;

/** What was copied of one table: its rows by key before and now. */
export interface CopiedRows {
  readonly table: StoredTable;
  readonly keys: readonly RowKey[];
  readonly before: readonly StoredRow[];
  readonly now: readonly StoredRow[];
}

/** Copies the rows whose changes the source recorded. */
export class ChangeCopier {
  /** The checksums of the target's tables, once they are known. */
  sums: ReadonlyMap<string, RowSum> | undefined;
  /** Receives what was copied, after it is stored. */
  onCopied: (copied: CopiedRows) => Promise<void> | void = () => undefined;
  readonly #tables: ReadonlyMap<string, StoredTable>;

  constructor(private readonly sides: Sides) {
    this.#tables = new Map(sides.tables.map((table) => [table.name, table]));
  }

  /**
   * Copies all changes that were committed before the call, and returns how many there were. A change is forgotten
   * after its row is stored: a killed move copies it again, which changes nothing.
   */
  async copyChanges(): Promise<number> {
    const { from } = this.sides;
    let count = 0;
    for (;;) {
      this.sides.requireRunning();
      const changes = await from.readChanges(BATCH);
      if (changes.length > 0) await this.#copy(changes);
      count += changes.length;
      if (changes.length < BATCH) return count;
    }
  }

  async #copy(changes: readonly RecordedChange[]): Promise<void> {
    const { from, to, searchPending } = this.sides;
    const byTable = keysByTable(changes);
    const copied: CopiedRows[] = [];
    for (const [name, keys] of byTable) {
      const table = this.#tables.get(name);
      if (table) copied.push({ table, keys, ...(await this.#read(table, keys)) });
    }
    const marks = [...(byTable.get(SEARCH_PENDING) ?? []), ...copied.flatMap(indexedKeys)];
    await to.write(async (tx) => {
      for (const each of copied) await replace(tx, each);
      if (marks.length > 0) await tx.upsert(searchPending, marksOf(searchPending, marks));
    });
    for (const each of copied) {
      this.#count(each);
      await this.onCopied(each);
    }
    await from.forgetChanges(changes);
  }

  async #read(table: StoredTable, keys: readonly RowKey[]): Promise<Pick<CopiedRows, 'before' | 'now'>> {
    const { from, to } = this.sides;
    return { before: await to.findRows(table, keys), now: await from.findRows(table, keys) };
  }

  #count({ table, before, now }: CopiedRows): void {
    const sum = this.sums?.get(table.name);
    if (!sum) return;
    for (const row of before) sum.remove(row);
    for (const row of now) sum.add(row);
  }
}

/** Returns the text of a key, which no other key of its table has: no engine's texts have this character. */
export function keyText(key: RowKey): string {
  return key.length === 1 ? (key[0] ?? '') : key.join('\0');
}

/** Returns the changed keys of each table, each once. */
function keysByTable(changes: readonly RecordedChange[]): Map<string, RowKey[]> {
  const byTable = new Map<string, Map<string, RowKey>>();
  for (const { table, key } of changes) {
    const keys = byTable.get(table) ?? new Map<string, RowKey>();
    byTable.set(table, keys.set(keyText(key), key));
  }
  return new Map([...byTable].map(([table, keys]) => [table, [...keys.values()]]));
}

async function replace(tx: RowsTx, { table, keys, now }: CopiedRows): Promise<void> {
  const kept = new Set(now.map((row) => keyText(keyOfRow(table, row))));
  const deleted = keys.filter((key) => !kept.has(keyText(key)));
  if (deleted.length > 0) await tx.delete(table, deleted);
  if (now.length > 0) await tx.upsert(table, now);
}

/** Returns the time and id of changed posts: some writers put posts into the index without marking them. */
function indexedKeys({ table, before, now }: CopiedRows): RowKey[] {
  if (table.name !== 'posts') return [];
  const [id, createdAt] = ['id', 'created_at'].map((name) =>
    table.columns.findIndex((column) => column.name === name),
  );
  return [...before, ...now].map((row) => [row[createdAt ?? 0] ?? '0', row[id ?? 0] ?? '0']);
}

/** Returns the rows that mark posts for indexing, each once. */
function marksOf({ columns }: StoredTable, keys: readonly RowKey[]): StoredRow[] {
  const distinct = new Map(keys.map((key) => [keyText(key), key]));
  return [...distinct.values()].map(([createdAt = '0', postId = '0']) => {
    const values: Readonly<Record<string, string>> = { created_at: createdAt, post_id: postId };
    return columns.map(({ name }) => values[name] ?? '0');
  });
}
