import { randomBytes } from 'node:crypto';
import { NamedError } from '../../core/named-error.js';
import {
  copiedAmong,
  commonTables,
  ROWS_FROM_THE_START,
  SEARCH_PENDING,
} from '../../database/copied-tables.js';
import type { StoredIndex, StoredRows, StoredTable } from '../../database/stored-rows.js';

/** A move that cannot start, continue or end; the message gives the reason and the remedy. */
export class MoveRefused extends NamedError {}

/** A move that was interrupted at the user's request; the same command continues it. */
export class MoveStopped extends NamedError {}

/** The two databases of a move, and what it copies. */
export interface Sides {
  readonly from: StoredRows;
  readonly to: StoredRows;
  readonly tables: readonly StoredTable[];
  /** The posts to index, whose rows are marks in the target. */
  readonly searchPending: StoredTable;
  /** Throws MoveStopped after the user asked for it. */
  requireRunning(): void;
}

/** The names of notes (StoredRows.notes). */
export const ID = 'id';
const INDEXES = 'indexes';

/** The table of the steps of the schema. */
const STEPS = 'pipit_migrations';

/** From this note on only the source with the same id continues the move. */
const RECORDING = 'recording';

/** Returns the tables to copy. Throws WrongDatabase if the databases differ. */
export async function tablesOf(from: StoredRows, to: StoredRows): Promise<StoredTable[]> {
  const [ours, theirs] = [copiedAmong(await from.tableNames()), copiedAmong(await to.tableNames())];
  return commonTables(await from.describe(ours), await to.describe(theirs));
}

/** Throws MoveRefused if the databases have different schemas, as after an upgrade of one. */
export async function requireSameSchema({ from, to }: Pick<Sides, 'from' | 'to'>): Promise<void> {
  const [ours, theirs] = [await from.countRows(STEPS), await to.countRows(STEPS)];
  if (ours < theirs)
    throw new MoveRefused('the source has the schema of an older version: start this version on it once');
  if (ours > theirs)
    throw new MoveRefused(
      'the source has the schema of a newer version: --abandon this move, and use that version',
    );
}

/** Returns the table of the posts to index. */
export async function searchPendingOf(rows: StoredRows): Promise<StoredTable> {
  const [table] = await rows.describe([SEARCH_PENDING]);
  if (table === undefined) throw new MoveRefused('the database has no table of posts to index');
  return table;
}

/**
 * Begins a move or continues one. Both databases note the move's id, and from then on the source records changes. Call
 * `requireMovable` first.
 */
export async function beginMove(sides: Sides): Promise<{ readonly isResumed: boolean }> {
  const { from, to, tables, searchPending } = sides;
  const notes = await to.notes();
  if (!notes.has(ID)) await prepareTarget(sides);
  const id = (await to.notes()).get(ID) ?? '';
  await from.openNotes();
  await from.write((tx) => tx.putNote(ID, id));
  await from.recordChanges([...tables, searchPending]);
  if (!notes.has(RECORDING)) await to.write((tx) => tx.putNote(RECORDING, 'yes'));
  return { isResumed: notes.has(RECORDING) };
}

/** Throws MoveRefused if the target is not empty, or if one of the databases belongs to another move. */
export async function requireMovable({ from, to, tables }: Sides): Promise<void> {
  const [ours, theirs] = [(await from.notes()).get(ID), await to.notes()];
  const id = theirs.get(ID);
  if (id === undefined) {
    if (ours !== undefined)
      throw new MoveRefused('the source is being moved to another target: --abandon ends that move');
    for (const { name } of tables) {
      if (!ROWS_FROM_THE_START.includes(name) && (await to.countRows(name)) > 0)
        throw new MoveRefused(`the target is not empty: it has rows in ${name}`);
    }
  } else if (ours !== id && (ours !== undefined || theirs.has(RECORDING)))
    throw new MoveRefused('the target holds the unfinished move of another database: --abandon empties it');
}

async function prepareTarget({ to, tables }: Sides): Promise<void> {
  const indexes = await to.listIndexes(tables);
  await to.openNotes();
  await to.write(async (tx) => {
    // Indexes of full tables are built faster than kept, and between chunks unique ones may not hold.
    for (const { name } of indexes) await tx.run(`DROP INDEX ${name}`);
    for (const name of ROWS_FROM_THE_START) await tx.run(`DELETE FROM ${name}`);
    await tx.putNote(INDEXES, JSON.stringify(indexes));
    await tx.putNote(ID, randomBytes(12).toString('hex'));
  });
}

/** Small indexes are created together for this long, large ones alone. */
const TOGETHER_MS = 500;

/** Creates the indexes that `beginMove` dropped: the unique ones, or the others. */
export async function createIndexes({ to, requireRunning }: Sides, unique: boolean): Promise<void> {
  for (;;) {
    requireRunning();
    const indexes = JSON.parse((await to.notes()).get(INDEXES) ?? '[]') as StoredIndex[];
    const left = indexes.filter(({ isUnique }) => isUnique === unique);
    if (left.length === 0) return;
    const created = new Set<string>();
    await to.write(async (tx) => {
      const untilMs = performance.now() + TOGETHER_MS;
      for (const { name, statement } of left) {
        await tx.run(statement);
        created.add(name);
        if (performance.now() > untilMs) break;
      }
      await tx.putNote(INDEXES, JSON.stringify(indexes.filter(({ name }) => !created.has(name))));
    });
  }
}

/** Returns the name of the note about the copy of a table. */
export function copiedNote(table: StoredTable): string {
  return `copied ${table.name}`;
}
