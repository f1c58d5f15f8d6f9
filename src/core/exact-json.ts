import { WireJson, type WireObject } from './wire-json.js';

/** A value of JSON whose integers may be larger than the precision of numbers. */
export type ExactJson =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | WireJson
  | WireObject
  | readonly ExactJson[]
  | { readonly [name: string]: ExactJson };

/**
 * Serializes like JSON.stringify, with bigints as integers of all their digits, as ids of v1.1 are, and serialized
 * objects as they are.
 */
export function writeExactJson(value: ExactJson): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof WireJson) return value.json;
  if (Array.isArray(value)) return `[${value.map((item: ExactJson) => writeExactJson(item ?? null)).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value as Readonly<Record<string, ExactJson>>);
  const written = members.flatMap(([name, member]) =>
    member === undefined ? [] : `${JSON.stringify(name)}:${writeExactJson(member)}`,
  );
  return `{${written.join()}}`;
}
