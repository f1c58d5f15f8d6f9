/** Makes one member of a wire object; undefined leaves it out. */
export type Present<T> = (object: T) => unknown;

/** Shows an object by a wire object. */
export type Presenter<T> = (object: T) => Record<string, unknown>;

/**
 * A presenter of the members that always are and those that the fields ask for: what they do not ask for costs nothing.
 * `optional` has the members in the order of their names.
 */
export function presenter<T>(
  always: Presenter<T>,
  optional: Readonly<Record<string, Present<T>>>,
  fields: ReadonlySet<string>,
): Presenter<T> {
  const wanted = Object.entries(optional).filter(([field]) => fields.has(field));
  if (wanted.length === 0) return always;
  return (object) => {
    const wire = always(object);
    for (const [field, present] of wanted) {
      const value = present(object);
      if (value !== undefined) wire[field] = value;
    }
    return wire;
  };
}
