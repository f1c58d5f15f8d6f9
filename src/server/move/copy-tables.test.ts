import { expect, test } from 'vitest';
import type { RowKey, StoredRow, StoredTable } from '../../database/stored-rows.js';
import { copyTables } from './copy-tables.js';
import type { Sides } from './sides.js';

const TABLE: StoredTable = { name: 'notes', key: ['id'], columns: [{ name: 'id', type: 'integer' }] };

/** Two databases with one table, whose rows are ids. */
function sidesWith(source: number[]) {
  const target: string[] = [];
  const notes = new Map<string, string>();
  const tx = {
    insert: async (_table: StoredTable, rows: readonly StoredRow[]) => {
      for (const [id] of rows) {
        if (target.includes(id ?? '')) throw new Error(`UNIQUE constraint failed: ${id}`);
        target.push(id ?? '');
      }
    },
    putNote: async (name: string, value: string) => void notes.set(name, value),
  };
  const from = {
    pageOf: async (_table: StoredTable, after: RowKey | undefined, limit: number): Promise<StoredRow[]> =>
      source
        .filter((id) => id > Number(after?.[0] ?? -1))
        .slice(0, limit)
        .map((id) => [String(id)]),
  };
  const to = { notes: async () => notes, write: (body: (writes: typeof tx) => Promise<void>) => body(tx) };
  return {
    target,
    sides: { from, to, tables: [TABLE], requireRunning: () => undefined } as unknown as Sides,
  };
}

test.each([0, 1, 199, 200, 201, 7_000])(
  'a table of %i rows is copied once: what was added since is copied as changes',
  async (count) => {
    const source = Array.from({ length: count }, (_unused, id) => id);
    const { sides, target } = sidesWith(source);
    await copyTables(sides, () => undefined);
    expect(target).toHaveLength(count);
    source.push(count);
    target.push(String(count));
    await copyTables(sides, () => undefined);
    expect(target).toHaveLength(count + 1);
  },
);
