/** Returns what matches the paths of a template: `/2/tweets/{id}`, or `/2/chat/*` with everything below. */
export function pathPattern(path: string): RegExp {
  const escaped = path.replaceAll(/[.+?^$()|[\]\\]/g, '\\$&');
  const withParameters = pathParameters(path).reduce(
    (pattern, name) => pattern.replace(`{${name}}`, '[^/]+'),
    escaped,
  );
  return new RegExp(`^${withParameters.replace(/\*$/, '.*')}$`);
}

/** The names of the placeholders of a path, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
}
