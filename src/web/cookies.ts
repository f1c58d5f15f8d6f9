const MAX_COOKIES = 100;

/** The cookies of a request by name; of two with one name the first, which is that of the closest path (RFC 6265 5.4). */
export function readCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const part of (header ?? '').split(';', MAX_COOKIES)) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(0, equals)).trim();
    if (name !== '' && !cookies.has(name)) cookies.set(name, part.slice(equals + 1).trim());
  }
  return cookies;
}

/** How this server's cookies are named and limited. */
export interface CookieJar {
  /** What a request's cookie of this name holds. */
  read(header: string | undefined, name: string): string | undefined;
  /** The value of `set-cookie`. Without `maxAgeSeconds` the cookie ends with the browser, with 0 at once. */
  write(name: string, value: string, maxAgeSeconds?: number): string;
}

/**
 * Cookies that no script reads and no other site's form sends (SECURITY.md). With `isSecure` they travel over TLS
 * alone, and their prefix keeps neighbouring hosts from planting them (RFC 6265bis 4.1.3.2).
 */
export function createCookieJar(isSecure: boolean): CookieJar {
  const fullName = (name: string) => (isSecure ? `__Host-${name}` : name);
  return {
    read: (header, name) => readCookies(header).get(fullName(name)),
    write: (name, value, maxAgeSeconds) =>
      [
        `${fullName(name)}=${value}`,
        'Path=/',
        'HttpOnly',
        'SameSite=Lax',
        ...(isSecure ? ['Secure'] : []),
        ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
      ].join('; '),
  };
}
