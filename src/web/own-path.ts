/** A base URL with a host that cannot exist (RFC 2606). */
const NOWHERE = 'http://own.invalid';

/**
 * Returns the normalized path and query of `text` on this server, or undefined when it leads or could lead elsewhere.
 * Used for `next` parameters, to prevent open redirects.
 */
export function ownPath(text: string | null): string | undefined {
  if (text?.startsWith('/') !== true || !URL.canParse(text, NOWHERE)) return undefined;
  const { origin, pathname, search } = new URL(text, NOWHERE);
  // `/.//host` normalizes to `//host`, which names a host.
  return origin === NOWHERE && !pathname.startsWith('//') ? pathname + search : undefined;
}

/** Returns the query that passes `next` on between sign-in and sign-up; empty without `next`. */
export function nextQuery(query: URLSearchParams): string {
  const next = ownPath(query.get('next'));
  return next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`;
}
