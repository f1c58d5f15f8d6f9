import { INVALIDATED_BY_INSERT } from './cached-tables.js';

/**
 * What a statement does to rows that are there already: nothing, or it changes those of one table, or it may do
 * anything. In the tables that are kept as a whole (cached-tables.ts), a row that is added changes what there is.
 */
export type Effect = 'none' | { readonly changes: string } | 'unknown';

const READS = /^\s*(?:SELECT|PRAGMA|EXPLAIN)\b/i;
const READS_WITH = /^\s*WITH\b(?![\s\S]*\b(?:INSERT|UPDATE|DELETE|REPLACE|MERGE)\b)/i;
const CHANGES = /^\s*(?:UPDATE|DELETE\s+FROM|REPLACE\s+INTO)\s+(\w+)/i;
const UPSERT = /^\s*INSERT\s+INTO\s+(\w+)\b[\s\S]*\bDO\s+UPDATE\b/i;
const INSERT = /^\s*INSERT\s+INTO\s+(\w+)/i;

/** Reads the effect off the text: all statements here are written by hand and begin with their verb. */
export function effectOf(text: string): Effect {
  const table = (CHANGES.exec(text) ?? UPSERT.exec(text))?.[1];
  if (table !== undefined) return { changes: table.toLowerCase() };
  const grown = INSERT.exec(text)?.[1]?.toLowerCase() ?? '';
  if (INVALIDATED_BY_INSERT.includes(grown)) return { changes: grown };
  return [READS, READS_WITH, INSERT].some((harmless) => harmless.test(text)) ? 'none' : 'unknown';
}
