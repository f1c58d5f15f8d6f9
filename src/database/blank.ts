/** A member for something that a reader makes of an object and keeps with it. Adding another one would be slow to read. */
export const KEPT = Symbol('kept');

/**
 * Returns an object with these members, all null, to be copied (`{ ...blank }`) and filled. V8 turns an object that gets
 * more than a dozen members one by one into a hash table, which is slow to read. Copies of an object from JSON stay fast.
 */
export function blankOf(names: readonly string[]): Readonly<Record<string, null>> {
  return JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null])))) as Record<
    string,
    null
  >;
}
