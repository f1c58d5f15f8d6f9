/**
 * Returns a copy of `object` with `members`, which win; together at most a dozen, for V8 makes a hash table of more. For code
 * that runs with each request: V8 of Node 20 gives each object of `{ ...object, x }` a hidden class of its own if `x` is
 * new. Creating such an object takes twenty times as long, and so does reading from it. A literal that begins with a
 * member of its own, `{ x, ...object }`, is as fast as this.
 */
export function withMembers<T extends object, M extends object>(object: T, members: M): Omit<T, keyof M> & M {
  return Object.assign({}, object, members);
}
