/** Only its path is of interest; no host has this name (RFC 2606). */
const NOWHERE = 'http://own.invalid';

/**
 * The path and query that `text` names on this server, spelled as a browser would; undefined when it leads, or could lead,
 * anywhere else. For `next` parameters: an open redirect lends our name to phishers.
 */
export function ownPath(text: string | null): string | undefined {
  if (text?.startsWith('/') !== true || !URL.canParse(text, NOWHERE)) return undefined;
  const { origin, pathname, search } = new URL(text, NOWHERE);
  // `/.//host` loses its dot, and what is left names a host.
  return origin === NOWHERE && !pathname.startsWith('//') ? pathname + search : undefined;
}

/** The query that hands `next` on, for who signs up instead of signing in or the other way round; empty without one. */
export function nextQuery(query: URLSearchParams): string {
  const next = ownPath(query.get('next'));
  return next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`;
}
