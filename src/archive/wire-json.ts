import { isObject } from '../core/validators.js';
import { NamedError } from '../core/named-error.js';

/** Readers for foreign JSON: each function accepts any value and returns the usable part. */

/** An object of the wire; its members are unchecked. */
export type WireObject = Readonly<Record<string, unknown>>;

/** Thrown for an object that cannot be imported. The message is for the operator; it names fields, not content. */
export class RefusedObject extends NamedError {}

/** Returns a non-empty object, otherwise undefined: some writers use `{}` for absent values. */
export function asObject(value: unknown): WireObject | undefined {
  if (!isObject(value)) return undefined;
  for (const _member in value) return value;
  return undefined;
}

/** Returns the items of an array; none for other values such as `{}`, which some writers use for an empty array. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the non-empty objects of an array. */
export function asObjects(value: unknown): WireObject[] {
  return asArray(value).filter((item): item is WireObject => asObject(item) !== undefined);
}

/** Returns a non-empty array, otherwise undefined. */
export function asFilledArray(value: unknown): readonly unknown[] | undefined {
  const items = asArray(value);
  return items.length > 0 ? items : undefined;
}

/**
 * Returns text that every engine can store: NUL is removed because PostgreSQL refuses it, and lone surrogates are
 * replaced by U+FFFD because UTF-8 cannot represent them.
 */
export function asText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return (value.includes('\0') ? value.replaceAll('\0', '') : value).toWellFormed();
}

/** Returns a non-negative integer, given as a number or as digits. */
export function asCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** Returns a number rounded to a non-negative integer, for sizes and durations. */
export function asWhole(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? asCount(Math.round(value)) : undefined;
}

/** Returns the digits of an id, also of one written as a number that is a safe integer. */
export function asIdText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Returns an ISO 8601 time in milliseconds. */
export function asTimeMs(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}T/.test(value)) return undefined;
  const timeMs = Date.parse(value);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** Returns the members that are not undefined. */
export function withoutUndefined<T extends object>(value: T): T {
  const kept: Partial<T> = {};
  for (const name in value) if (value[name] !== undefined) kept[name] = value[name];
  return kept as T;
}

/** The wire has no deeper values; walking them could exhaust the stack. */
const MAX_LEVELS = 16;

/** Throws RefusedObject when a value is nested too deeply. */
export function requireShallow(value: unknown, levels = MAX_LEVELS): void {
  if (typeof value !== 'object' || value === null) return;
  if (levels === 0) throw new RefusedObject('nested too deeply');
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) requireShallow(members[name], levels - 1);
}
