/** Reading JSON that others wrote: each function takes whatever is there and gives what is usable of it. */

/** An object of the wire, members unchecked. */
export type WireObject = Readonly<Record<string, unknown>>;

/** An object of a file that cannot be imported. `message` says why, for the operator; it names fields, not content. */
export class RefusedObject extends Error {
  override readonly name = 'RefusedObject';
}

export function isObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, if it is one and has members: writers of other languages put `{}` where nothing is. */
export function asObject(value: unknown): WireObject | undefined {
  if (!isObject(value)) return undefined;
  for (const _member in value) return value;
  return undefined;
}

/** The members of an array; none for anything else, as for `{}`, which some writers put for an empty array. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects with members in an array. */
export function asObjects(value: unknown): WireObject[] {
  return asArray(value).filter((item): item is WireObject => asObject(item) !== undefined);
}

/** An array, or undefined when it is empty or none: what may be left out is left out. */
export function asFilledArray(value: unknown): readonly unknown[] | undefined {
  const items = asArray(value);
  return items.length > 0 ? items : undefined;
}

/**
 * Text that every engine can store and give back: without NUL, which PostgreSQL refuses, and with U+FFFD for halves of
 * surrogate pairs, which UTF-8 has no form for.
 */
export function asText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return (value.includes('\0') ? value.replaceAll('\0', '') : value).toWellFormed();
}

/** A count: a whole number from 0 up, also as digits. */
export function asCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** A number that is whole once rounded: sizes and durations. */
export function asWhole(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? asCount(Math.round(value)) : undefined;
}

/** The digits of an id, also of one written as a number, as long as no digit was lost by that. */
export function asIdText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The milliseconds of an ISO 8601 time. */
export function asTimeMs(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}T/.test(value)) return undefined;
  const timeMs = Date.parse(value);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** The members that have a value. */
export function withoutUndefined<T extends object>(value: T): T {
  const kept: Partial<T> = {};
  for (const name in value) if (value[name] !== undefined) kept[name] = value[name];
  return kept as T;
}

/** Deeper values than this are no work of the interface; walking them would exhaust the stack. */
const MAX_LEVELS = 16;

/** Throws RefusedObject when the value nests too deeply to be written as JSON again. */
export function requireShallow(value: unknown, levels = MAX_LEVELS): void {
  if (typeof value !== 'object' || value === null) return;
  if (levels === 0) throw new RefusedObject('nested too deeply');
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) requireShallow(members[name], levels - 1);
}
