const UNRESERVED = /^[\w.~-]*$/;
const LEFT_BY_ENCODE_URI_COMPONENT = /[!'()*]/g;

/** Percent-encodes all but `A-Z a-z 0-9 - . _ ~` (RFC 5849 3.6). Throws URIError for a lone surrogate. */
export function encodePercent(text: string): string {
  if (UNRESERVED.test(text)) return text;
  return encodeURIComponent(text).replace(
    LEFT_BY_ENCODE_URI_COMPONENT,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The reverse; undefined for broken escapes and for bytes that are not UTF-8. A `+` stays one. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
