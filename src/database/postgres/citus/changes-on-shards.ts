import { CHANGES, keyColumns, keyColumnsOf, type StoredTable } from '../../stored-rows.js';
import type { Records } from '../recording.js';
import { firstOfGroup, PLACEMENTS } from './placement.js';

/**
 * Where changes are recorded in a distributed database. Rows change on the workers, so triggers run there, and a
 * transaction on a shard can only write to shards beside it. So each group of tables has a table of changes with the
 * same shards, which move along with them.
 */

/** Selects the tables that Citus has placed. */
export const PLACED_TABLES = `SELECT c.relname FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
  WHERE c.relnamespace = current_schema()::regnamespace`;

/** Citus cannot know whether a trigger writes to another server; these do not. */
export const ALLOW_TRIGGERS = 'SET LOCAL citus.enable_unsafe_triggers TO on';

/** Citus refuses a change of functions after it has asked several shards at once. */
export const IN_SEQUENCE = 'SET LOCAL citus.multi_shard_modify_mode TO sequential';

const GROUPS = [
  ...new Set(PLACEMENTS.flatMap((placed) => (placed.kind === 'sharded' ? [placed.group] : []))),
];

/** The tables of changes beside shards. */
export const CHANGES_ON_SHARDS: readonly string[] = GROUPS.map(changesOf);

function changesOf(group: string): string {
  return `${CHANGES}_${group}`;
}

/** Returns the statements that create the tables of changes beside the shards of `tables`. */
export function createChangesOnShards(tables: readonly StoredTable[]): string[] {
  return PLACEMENTS.flatMap((placement) => {
    const table = tables.find(({ name }) => name === placement.table);
    if (!table || placement.kind !== 'sharded' || firstOfGroup(placement.group) !== table.name) return [];
    const [owner] = keyColumnsOf({ ...table, key: [placement.key] });
    const changes = changesOf(placement.group);
    return [
      `CREATE TABLE IF NOT EXISTS ${changes} (
        owner ${owner?.type === 'integer' ? 'BIGINT' : 'TEXT'} NOT NULL,
        number TEXT NOT NULL DEFAULT gen_random_uuid()::text, name TEXT NOT NULL,
        ${keyColumns()
          .map((name) => `${name} TEXT`)
          .join(', ')}, PRIMARY KEY (number, owner))`,
      `SELECT create_distributed_table('${changes}', 'owner', colocate_with => '${table.name}')
        WHERE NOT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = '${changes}'::regclass)`,
    ];
  });
}

/** Returns where the changes of a placed table are recorded. */
export function recordsOf(table: string): Records {
  const placement = PLACEMENTS.find((placed) => placed.table === table);
  if (placement?.kind !== 'sharded')
    return { into: CHANGES, where: '(SELECT groupid FROM pg_dist_local_group) = 0' };
  const { group, key } = placement;
  return { into: changesOf(group), prefix: { columns: 'owner', values: (row) => `${row}.${key}` } };
}

/** Selects recorded changes for `changeOf`, whose numbers say where they are. */
export function readChangesOf(changes: string): string {
  return `SELECT '${changes}:' || number, name, ${keyColumns().join(', ')} FROM ${changes} LIMIT $1`;
}

/** Deletes changes by their numbers. */
export function forgetChangesOf(changes: string): string {
  return `DELETE FROM ${changes} WHERE '${changes}:' || number = ANY($1::text[])`;
}
