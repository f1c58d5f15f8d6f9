/** The kind of database in a URL; `file` is a path as written. */
type DatabaseLocation =
  | { readonly kind: 'memory' | 'server' }
  | { readonly kind: 'file'; readonly file: string };

/**
 * Parses `sqlite:FILE`, `sqlite://FILE`, `sqlite::memory:` or `postgres://USER@HOST/DATABASE`, case-insensitively.
 * Returns undefined for any other text.
 */
export function parseDatabaseUrl(text: string): DatabaseLocation | undefined {
  const file = /^sqlite:(?:\/\/)?(.*)$/is.exec(text)?.[1];
  if (file) return file.toLowerCase() === ':memory:' ? { kind: 'memory' } : { kind: 'file', file };
  return /^postgres(?:ql)?:\/\//i.test(text) && URL.canParse(text) ? { kind: 'server' } : undefined;
}
