import { WrongDatabase } from './errors.js';
import { CHANGES, MAX_KEY_COLUMNS, NOTES, type StoredTable } from './stored-rows.js';

/**
 * The tables that a move does not copy, and why. All others are copied, those of later migrations too
 * (docs/design/moves.md#tables).
 */
export const NOT_COPIED: Readonly<Record<string, string>> = {
  pipit_migrations: 'the target records its own steps',
  search_posts: 'the index is built from the posts',
  search_partitions: 'part of the index, where the engine has it in parts',
  search_pending: 'what the source still indexes; what it marks meanwhile is marked in the target too',
  search_rebuild: 'the progress of the source',
  search_untimed: 'derived from the posts while they are indexed',
  search_format: 'the target has the format of its engine',
  shared_facts: 'what the servers of one database share, which the first server of the target records',
  cluster_commits: 'belongs to transactions over several servers',
  cluster_turns: 'belongs to transactions over several servers',
  [CHANGES]: 'belongs to the move',
  [NOTES]: 'belongs to the move',
};

/**
 * The parts of the index: partitions, or what the full-text search of the engine keeps; and what belongs to the move
 * beside the shards of a distributed database.
 */
const PARTS = new RegExp(`^(?:search_posts|${CHANGES})_\\w+$`);

/** Tables that have rows before anyone uses the database, or after a server only started. */
export const ROWS_FROM_THE_START: readonly string[] = [
  'change_feed',
  'fan_out_progress',
  'webhook_dispatch',
  'snowflake_workers',
];

/** The posts to index; its rows name the posts that the source changed. */
export const SEARCH_PENDING = 'search_pending';

/** Returns the names of the tables that a move copies. */
export function copiedAmong(names: readonly string[]): string[] {
  return names.filter((name) => !(name in NOT_COPIED) && !PARTS.test(name)).sort();
}

/**
 * Returns the tables with the columns that both databases have. Throws WrongDatabase if they have different tables or
 * keys.
 */
export function commonTables(from: readonly StoredTable[], to: readonly StoredTable[]): StoredTable[] {
  const others = new Map(to.map((table) => [table.name, table]));
  if (from.length !== to.length) throw new WrongDatabase('the two databases have different tables');
  return from.map((table) => {
    const other = others.get(table.name);
    const { name, key } = table;
    if (other === undefined || other.key.join() !== key.join() || !isKeyOf(key))
      throw new WrongDatabase(`the table ${name} is not the same in both databases`);
    const types = new Map(other.columns.map((column) => [column.name, column.type]));
    return { name, key, columns: table.columns.filter((column) => types.get(column.name) === column.type) };
  });
}

function isKeyOf(key: readonly string[]): boolean {
  return key.length > 0 && key.length <= MAX_KEY_COLUMNS;
}
