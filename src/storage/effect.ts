/** What a statement does to rows that are there already: nothing, or it changes those of one table, or it may do anything. */
export type Effect = 'none' | { readonly changes: string } | 'unknown';

const READS = /^\s*(?:SELECT|PRAGMA|EXPLAIN)\b/i;
const READS_WITH = /^\s*WITH\b(?![\s\S]*\b(?:INSERT|UPDATE|DELETE|REPLACE|MERGE)\b)/i;
const CHANGES = /^\s*(?:UPDATE|DELETE\s+FROM|REPLACE\s+INTO)\s+(\w+)/i;
const UPSERT = /^\s*INSERT\s+INTO\s+(\w+)\b[\s\S]*\bDO\s+UPDATE\b/i;
const INSERT = /^\s*INSERT\s+INTO\s/i;

/** Reads the effect off the text: all statements here are written by hand and begin with their verb. */
export function effectOf(text: string): Effect {
  const table = (CHANGES.exec(text) ?? UPSERT.exec(text))?.[1];
  if (table !== undefined) return { changes: table.toLowerCase() };
  return [READS, READS_WITH, INSERT].some((harmless) => harmless.test(text)) ? 'none' : 'unknown';
}
