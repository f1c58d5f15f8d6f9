import { timeOfId } from '../../core/snowflake.js';

/** An entry of a world file, as JSON. */
export type Entry = Readonly<Record<string, unknown>>;

/** Returns an entry without the members that are undefined, which are the defaults. */
export function entryOf(members: Entry): Entry {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Returns a time as world files have it. */
export function worldTimeOf(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** Returns the time of an entry unless its id has the same. */
export function timeBeside(id: bigint, timeMs: number): string | undefined {
  return timeOfId(id) === timeMs ? undefined : worldTimeOf(timeMs);
}

/** Returns a list, or undefined if it is empty. */
export function someOf<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}

/** Returns the value unless it is the default. */
export function unless<T>(initial: T, value: T | undefined): T | undefined {
  return value === initial ? undefined : value;
}
