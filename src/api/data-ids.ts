/** Returns the ids of the objects in `data`, whether it is one or a list. */
export function idsOfData(body: unknown): readonly string[] {
  const data = (body as { readonly data?: unknown } | undefined)?.data;
  const items: readonly unknown[] = Array.isArray(data) ? data : data === undefined ? [] : [data];
  return items.map((item) => (item as { readonly id: string }).id);
}
