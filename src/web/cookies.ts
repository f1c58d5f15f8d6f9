const MAX_COOKIES = 100;

/** Parses cookies. Of several with one name, the first wins: its path is longest (RFC 6265, section 5.4). */
export function readCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const part of (header ?? '').split(';', MAX_COOKIES)) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(0, equals)).trim();
    if (name !== '' && !cookies.has(name)) cookies.set(name, part.slice(equals + 1).trim());
  }
  return cookies;
}

/** Reads and writes this server's cookies. */
export type CookieJar = ReturnType<typeof createCookieJar>;

/**
 * Creates the cookie jar. Cookies are HttpOnly and SameSite=Lax (SECURITY.md). With `isSecure`, they are also Secure
 * and use the `__Host-` prefix, which prevents injection by sibling hosts (RFC 6265bis, section 4.1.3.2).
 */
export function createCookieJar(isSecure: boolean) {
  const fullName = (name: string) => (isSecure ? `__Host-${name}` : name);
  return {
    read: (header: string | undefined, name: string) => readCookies(header).get(fullName(name)),
    /** Returns a `set-cookie` value. Without `maxAgeSeconds` the cookie lasts for the browser session; 0 deletes it. */
    write: (name: string, value: string, maxAgeSeconds?: number) =>
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
