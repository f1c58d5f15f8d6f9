/**
 * A slot for something that a reader makes of a decoded object and keeps with it. A member that is not there from the
 * beginning would give the object a hidden class of its own (core/with-members.ts).
 */
export const KEPT = Symbol('kept');

/**
 * Returns an object with these members, all null, to be copied (`{ ...blank }`) and filled. V8 turns an object that gets
 * more than a dozen members one by one into a hash table, which is slow to read. Copies of an object from JSON stay fast.
 */
export function blankOf(names: readonly string[]): Readonly<Record<string, null>> {
  const blank = Object.fromEntries(names.map((name) => [name, null]));
  return JSON.parse(JSON.stringify(blank)) as typeof blank;
}
