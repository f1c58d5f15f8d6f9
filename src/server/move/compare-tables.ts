import { RowSum } from '../../database/row-sums.js';
import {
  keyOfRow,
  type RowKey,
  type StoredRow,
  type StoredRows,
  type StoredTable,
} from '../../database/stored-rows.js';
import { pagesOf } from '../media-names.js';
import { keyText, type ChangeCopier, type CopiedRows } from './change-copier.js';
import type { OnRows } from './copy-tables.js';
import { MoveRefused, type Sides } from './sides.js';

const PAGE_ROWS = 1_000;

/** Rows are compared this often: more changes may be recorded than are read. */
const TRIES = 20;
const MAX_PENDING = 20_000;

/** A table with more differences is not worth another look. */
const MAX_DIFFERENCES = 50_000;

/**
 * Compares each row of the target with the source's, while changes may still be recorded, and returns the checksums of
 * the target's tables. `copier` keeps them up to date from then on. Throws MoveRefused if a row differs that the source
 * did not change.
 */
export async function compareTables(
  sides: Sides,
  copier: ChangeCopier,
  onRows: OnRows,
): Promise<ReadonlyMap<string, RowSum>> {
  const sums = new Map<string, RowSum>();
  copier.sums = sums;
  for (const table of sides.tables) {
    const { sum, different } = await compareTable(sides, table, onRows);
    sums.set(table.name, sum);
    await requireEqual(sides, copier, table, different);
  }
  return sums;
}

async function compareTable(
  { from, to, requireRunning }: Sides,
  table: StoredTable,
  onRows: OnRows,
): Promise<{ readonly sum: RowSum; readonly different: readonly RowKey[] }> {
  const sum = new RowSum();
  const different: RowKey[] = [];
  for await (const page of pagesOf(to, table, PAGE_ROWS)) {
    requireRunning();
    for (const row of page) sum.add(row);
    const keys = page.map((row) => keyOfRow(table, row));
    different.push(...differences(table, keys, page, await from.findRows(table, keys)));
    if (different.length > MAX_DIFFERENCES) throw differs(table, different);
    onRows(table.name, sum.rows);
  }
  return { sum, different };
}

/** Returns the keys whose rows are not the same on both sides. */
function differences(
  table: StoredTable,
  keys: readonly RowKey[],
  ours: readonly StoredRow[],
  theirs: readonly StoredRow[],
): RowKey[] {
  const byKey = (rows: readonly StoredRow[]) =>
    new Map(rows.map((row) => [keyText(keyOfRow(table, row)), row]));
  const [one, other] = [byKey(ours), byKey(theirs)];
  return keys.filter((key) => {
    const text = keyText(key);
    return !isSame(one.get(text), other.get(text));
  });
}

function isSame(one: StoredRow | undefined, other: StoredRow | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.every((value, index) => value === other[index]);
}

/** Copies what was recorded until the rows with these keys are the same on both sides, or have changed again. */
async function requireEqual(
  { from, to }: Sides,
  copier: ChangeCopier,
  table: StoredTable,
  keys: readonly RowKey[],
): Promise<void> {
  let different = keys;
  for (let tries = 0; tries < TRIES && different.length > 0; tries += 1) {
    await copier.copyChanges();
    const [ours, theirs] = [await to.findRows(table, different), await from.findRows(table, different)];
    // Read after the rows: what they have changed since the copy is recorded by now.
    const pending = await pendingKeys(from, table);
    different = differences(table, different, ours, theirs).filter((key) => !pending.has(keyText(key)));
  }
  if (different.length > 0) throw differs(table, different);
}

/** Returns the keys of a table whose changes are not copied yet: their rows are compared when they are (LateKeys). */
async function pendingKeys(from: StoredRows, { name }: StoredTable): Promise<ReadonlySet<string>> {
  const changes = await from.readChanges(MAX_PENDING);
  return new Set(changes.filter(({ table }) => table === name).map(({ key }) => keyText(key)));
}

function differs({ name, key }: StoredTable, [first, ...others]: readonly RowKey[]): MoveRefused {
  const row = key.map((column, index) => `${column} ${first?.[index]}`).join(', ');
  const more = others.length > 0 ? ` and ${others.length} other rows` : '';
  return new MoveRefused(`${name} is not the same in both databases: the row with ${row}${more} differs`);
}

/** The keys that were copied after the comparison. */
export class LateKeys {
  readonly #byTable = new Map<string, Map<string, RowKey>>();

  get size(): number {
    return [...this.#byTable.values()].reduce((sum, keys) => sum + keys.size, 0);
  }

  add({ table, keys }: CopiedRows): void {
    const known = this.#byTable.get(table.name) ?? new Map<string, RowKey>();
    for (const key of keys) known.set(keyText(key), key);
    this.#byTable.set(table.name, known);
  }

  /** Compares their rows, and the number of rows of each table. Nothing may change meanwhile. */
  async compare(sides: Sides, copier: ChangeCopier): Promise<void> {
    for (const table of sides.tables) {
      const keys = [...(this.#byTable.get(table.name)?.values() ?? [])];
      for (let at = 0; at < keys.length; at += PAGE_ROWS) {
        const some = keys.slice(at, at + PAGE_ROWS);
        const [ours, theirs] = [await sides.to.findRows(table, some), await sides.from.findRows(table, some)];
        const different = differences(table, some, ours, theirs);
        if (different.length > 0) throw differs(table, different);
      }
      const [rows, expected] = [copier.sums?.get(table.name)?.rows, await sides.from.countRows(table.name)];
      if (rows !== expected)
        throw new MoveRefused(`${table.name} has ${expected} rows in the source, ${rows} in the target`);
    }
  }
}
