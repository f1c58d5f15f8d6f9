/**
 * Leaves out entries whose post an entry before them shows, so that a list shows each post once: a repost and its
 * original, or a reply that also mentions the reader, are one. Entries without a post remain.
 */
export function distinctPosts<T>(
  entries: readonly T[],
  postIdOf: (entry: T) => string | undefined,
): readonly T[] {
  const shown = new Set<string>();
  return entries.filter((entry) => {
    const id = postIdOf(entry);
    if (id === undefined) return true;
    const isNew = !shown.has(id);
    shown.add(id);
    return isNew;
  });
}
