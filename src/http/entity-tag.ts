/**
 * Reports whether the value of `If-None-Match` names an entity tag, or any with `*`. The comparison is weak
 * (RFC 9110 13.1.2): proxies that compress answers make tags weak.
 */
export function isNamedIn(tags: string | undefined, etag: string): boolean {
  const known = (tags ?? '').split(',').map((tag) => withoutWeakness(tag.trim()));
  return known.includes(withoutWeakness(etag)) || known.includes('*');
}

function withoutWeakness(tag: string): string {
  return tag.replace(/^W\//, '');
}
