/** The kind of database that a URL names; `file` is a path as it was written. */
type DatabaseLocation =
  { readonly kind: 'memory' | 'server' } | { readonly kind: 'file'; readonly file: string };

/**
 * Reads `sqlite:FILE`, `sqlite://FILE`, `sqlite::memory:` or `postgres://USER@HOST/DATABASE`, in any case. Returns
 * undefined for any other text.
 */
export function parseDatabaseUrl(text: string): DatabaseLocation | undefined {
  const file = /^sqlite:(?:\/\/)?(.*)$/is.exec(text)?.[1];
  if (file) return file.toLowerCase() === ':memory:' ? { kind: 'memory' } : { kind: 'file', file };
  return /^postgres(?:ql)?:\/\//i.test(text) && URL.canParse(text) ? { kind: 'server' } : undefined;
}
