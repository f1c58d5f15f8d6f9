import type { Sql } from '../database/sql.js';

/** Bounds what is kept of a statement. */
const MAX_CHARACTERS = 2_000;

/** Returns a statement on one line, with `?` for its parameters. */
export function statementText({ strings }: Sql): string {
  return strings.join('?').replaceAll(/\s+/g, ' ').trim().slice(0, MAX_CHARACTERS);
}
