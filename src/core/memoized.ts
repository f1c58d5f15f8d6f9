/** Returns `create` with its results kept for as long as its arguments live. They must not be undefined. */
export function memoized<K extends object, V>(create: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = create(key);
      known.set(key, value);
    }
    return value;
  };
}
