const UNRESERVED = /^[\w.~-]*$/;
const LEFT_BY_ENCODE_URI_COMPONENT = /[!'()*]/g;

/** Percent-encodes everything except `A-Z a-z 0-9 - . _ ~` (RFC 5849 3.6). Throws URIError for a lone surrogate. */
export function encodePercent(text: string): string {
  if (UNRESERVED.test(text)) return text;
  return encodeURIComponent(text).replace(
    LEFT_BY_ENCODE_URI_COMPONENT,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Percent-decodes a text; undefined for broken escapes and invalid UTF-8. `+` stays unchanged. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
