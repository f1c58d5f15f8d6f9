import { CHANGES, keyColumns, type StoredTable } from '../stored-rows.js';

const FUNCTION = 'move_record';

/** Selects the tables with a trigger that records changes. */
export const RECORDED_TABLES = `SELECT c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE t.tgname = '${FUNCTION}' AND c.relnamespace = current_schema()::regnamespace`;

/** Creates the table of recorded changes. */
export const CREATE_CHANGES = `CREATE TABLE IF NOT EXISTS ${CHANGES} (
  number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name TEXT NOT NULL,
  ${keyColumns()
    .map((name) => `${name} TEXT`)
    .join(', ')})`;

/** Selects the oldest recorded changes, for `changeOf`. */
export const READ_CHANGES = `SELECT number, name, ${keyColumns().join(', ')} FROM ${CHANGES}
  ORDER BY number LIMIT $1`;

/** Deletes changes by their numbers. */
export const FORGET_CHANGES = `DELETE FROM ${CHANGES} WHERE number = ANY($1::bigint[])`;

/** Where the changes of a table are recorded, if that is not `CHANGES` on one server (citus/recording.ts). */
export interface Records {
  readonly into: string;
  /** The first columns of a record, and their values from `row`, OLD or NEW. */
  readonly prefix?: { readonly columns: string; values(row: string): string };
  /** A condition of the server that records. */
  readonly where?: string;
}

/** Returns the statements after which every process records the keys of the rows that it changes in the table. */
export function startRecording(
  { name, key }: StoredTable,
  records: Records = { into: CHANGES },
): readonly string[] {
  const { into, prefix, where = 'TRUE' } = records;
  const columns = [...(prefix ? [prefix.columns] : []), 'name', ...keyColumns(key.length)].join(', ');
  const record = (row: 'OLD' | 'NEW'): string => {
    const first = prefix ? `${prefix.values(row)}, ` : '';
    const values = key.map((column) => `${row}.${column}::text`).join(', ');
    return `INSERT INTO ${into} (${columns}) VALUES (${first}'${name}', ${values});`;
  };
  const isMoved = key.map((column) => `NEW.${column} <> OLD.${column}`).join(' OR ');
  return [
    `CREATE OR REPLACE FUNCTION ${FUNCTION}_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NOT (${where}) THEN RETURN NULL; END IF;
      IF TG_OP <> 'INSERT' THEN ${record('OLD')} END IF;
      IF TG_OP = 'INSERT' THEN ${record('NEW')}
      ELSIF TG_OP = 'UPDATE' THEN IF ${isMoved} THEN ${record('NEW')} END IF;
      END IF;
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER ${FUNCTION} AFTER INSERT OR UPDATE OR DELETE ON ${name}
      FOR EACH ROW EXECUTE FUNCTION ${FUNCTION}_${name}()`,
  ];
}

/**
 * Returns the statements that undo `startRecording`. A shard that has moved to another server leaves a copy with a trigger
 * behind, which Citus deletes later.
 */
export function stopRecording(table: string): readonly string[] {
  return [
    `DROP TRIGGER IF EXISTS ${FUNCTION} ON ${table}`,
    `DROP FUNCTION IF EXISTS ${FUNCTION}_${table}() CASCADE`,
  ];
}
