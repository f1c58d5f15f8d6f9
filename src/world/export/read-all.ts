const PAGE = 1_000;

/** Reads a list to its end. `readPage` returns up to `limit` items after `last`, or the first ones. */
export async function readAll<T>(
  readPage: (last: T | undefined, limit: number) => Promise<readonly T[]>,
): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const page = await readPage(items.at(-1), PAGE);
    items.push(...page);
    if (page.length < PAGE) return items;
  }
}
