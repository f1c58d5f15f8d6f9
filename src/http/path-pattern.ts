/** Returns a pattern for the paths of a template: `/2/tweets/{id}`, or `/2/chat/*` for everything below. */
export function pathPattern(path: string): RegExp {
  const escaped = path.replaceAll(/[.+?^$()|[\]\\]/g, '\\$&');
  const withParameters = pathParameters(path).reduce(
    (pattern, name) => pattern.replace(`{${name}}`, '[^/]+'),
    escaped,
  );
  return new RegExp(`^${withParameters.replace(/\*$/, '.*')}$`);
}

/** Returns the names of the placeholders of a path, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
}
