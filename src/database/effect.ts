import { INVALIDATED_BY_INSERT } from './cached-tables.js';

/**
 * The effect of a statement on existing rows: none, changes in one table, or unknown. In the tables of
 * INVALIDATED_BY_INSERT (cached-tables.ts) an insert counts as a change.
 */
export type Effect = 'none' | { readonly changes: string } | 'unknown';

const READS = /^\s*(?:SELECT|PRAGMA|EXPLAIN)\b/i;
const READS_WITH = /^\s*WITH\b(?![\s\S]*\b(?:INSERT|UPDATE|DELETE|REPLACE|MERGE)\b)/i;
const CHANGES = /^\s*(?:UPDATE|DELETE\s+FROM|REPLACE\s+INTO)\s+(\w+)/i;
const UPSERT = /^\s*INSERT\s+INTO\s+(\w+)\b[\s\S]*\bDO\s+UPDATE\b/i;
const INSERT = /^\s*INSERT\s+INTO\s+(\w+)/i;

/** Derives the effect from the text: all statements are written by hand and start with their verb. */
export function effectOf(text: string): Effect {
  const table = (CHANGES.exec(text) ?? UPSERT.exec(text))?.[1];
  if (table !== undefined) return { changes: table.toLowerCase() };
  const grown = INSERT.exec(text)?.[1]?.toLowerCase() ?? '';
  if (INVALIDATED_BY_INSERT.includes(grown)) return { changes: grown };
  return [READS, READS_WITH, INSERT].some((harmless) => harmless.test(text)) ? 'none' : 'unknown';
}
