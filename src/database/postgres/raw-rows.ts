import type { StoredColumn, StoredRow } from '../stored-rows.js';

/** Statements on rows of texts. */
export type ReadRows = (text: string, values?: readonly unknown[]) => Promise<StoredRow[]>;
export type Execute = (text: string) => Promise<void>;

/** Returns the text of an array: the driver's own way quotes numbers too. */
export function arrayOf(type: StoredColumn['type'], values: readonly (string | null)[]): string {
  const texts = type === 'integer' ? values.map((value) => value ?? 'NULL') : values.map(quoted);
  return `{${texts.join(',')}}`;
}

function quoted(value: string | null): string {
  return value === null ? 'NULL' : `"${value.replace(/[\\"]/g, '\\$&')}"`;
}
