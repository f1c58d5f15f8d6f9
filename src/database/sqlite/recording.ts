import { CHANGES, keyColumns, type StoredTable } from '../stored-rows.js';

const PREFIX = 'move_';

/** Selects the names of the triggers that record changes. */
export const TRIGGERS = `SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE '${PREFIX}%'`;

const KEY = keyColumns()
  .map((name) => `CAST(${name} AS TEXT)`)
  .join(', ');

/** Selects the oldest recorded changes, for `changeOf`. */
export const READ_CHANGES = `SELECT CAST(number AS TEXT), name, ${KEY} FROM ${CHANGES} ORDER BY number LIMIT ?`;

/** Deletes changes, whose numbers are a JSON array. */
export const FORGET_CHANGES = `DELETE FROM ${CHANGES} WHERE number IN (SELECT value FROM json_each(?))
  RETURNING 1`;

/** Returns the statements after which every process records the keys of the rows that it changes in the tables. */
export function recordingStatements(tables: readonly StoredTable[]): string[] {
  return [
    `CREATE TABLE ${CHANGES} (number INTEGER PRIMARY KEY, name TEXT NOT NULL, ${keyColumns().join(', ')})`,
    ...tables.flatMap(triggers),
  ];
}

function triggers({ name, key }: StoredTable): string[] {
  const into = `INSERT INTO ${CHANGES} (name, ${keyColumns(key.length).join(', ')})`;
  const select = (row: 'OLD' | 'NEW'): string =>
    `SELECT '${name}', ${key.map((column) => `${row}.${column}`).join(', ')}`;
  const trigger = (event: string, body: string): string =>
    `CREATE TRIGGER ${PREFIX}${name}_${event.toLowerCase()} AFTER ${event} ON ${name} BEGIN ${into} ${body}; END`;
  return [
    trigger('INSERT', select('NEW')),
    trigger('UPDATE', `${select('OLD')} UNION ${select('NEW')}`),
    trigger('DELETE', select('OLD')),
  ];
}
