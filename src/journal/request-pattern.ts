/** Selects requests; absent members match everything. */
export interface RequestPattern {
  /** The id of an endpoint, or method and path pattern of another route. */
  readonly operation?: string;
  readonly method?: string;
  /** As `matchesPath` takes it. */
  readonly path?: string;
  /** The id or the name of the authenticated app. */
  readonly app?: string;
  /** The id of the authenticated user. */
  readonly userId?: string;
}

/** The members of a request that patterns select by. */
export interface MatchedRequest {
  readonly operation: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly app?: { readonly id: string; readonly name: string };
  readonly userId?: string;
}

/** Returns a function that reports whether a request matches. */
export function patternMatcher(pattern: RequestPattern): (request: MatchedRequest) => boolean {
  const { operation, path, app, userId } = pattern;
  const method = pattern.method?.toUpperCase();
  return (request) =>
    (operation === undefined || operation === request.operation) &&
    (method === undefined || method === request.method) &&
    (path === undefined || matchesPath(path, request.path)) &&
    (app === undefined || app === request.app?.id || app === request.app?.name) &&
    (userId === undefined || userId === request.userId);
}

/**
 * Reports whether a path matches a pattern: `*` stands for any text, a segment in braces for any one segment. Takes
 * time in proportion to the product of both lengths.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const tokens = pattern.match(/\*|\{[^{}/]*\}|[^*{]+|\{/g) ?? [];
  // The ends, in the path, of everything that the tokens before may match.
  let ends = new Set([0]);
  for (const token of tokens) ends = endsAfter(token, path, ends);
  return ends.has(path.length);
}

function endsAfter(token: string, path: string, starts: ReadonlySet<number>): Set<number> {
  if (token === '*') {
    const first = Math.min(...starts);
    return new Set(Array.from({ length: Math.max(0, path.length - first + 1) }, (_, at) => first + at));
  }
  const ends = [...starts].map((start) => endOf(token, path, start));
  return new Set(ends.filter((end) => end !== undefined));
}

function endOf(token: string, path: string, start: number): number | undefined {
  if (!token.startsWith('{') || token === '{') {
    return path.startsWith(token, start) ? start + token.length : undefined;
  }
  const slash = path.indexOf('/', start);
  const end = slash === -1 ? path.length : slash;
  return end > start ? end : undefined;
}
