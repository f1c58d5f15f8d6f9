/** Accented letters and combining accents that count as Latin in links and after mentions, as a class body. */
export const LATIN_ACCENTS =
  '\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u024F\\u0253\\u0254\\u0256\\u0257\\u0259\\u025B\\u0263\\u0268\\u026F\\u0272\\u0289' +
  '\\u028B\\u02BB\\u0300-\\u036F\\u1E00-\\u1EFF';

/** White space between entities, as a class body. */
export const SPACES =
  '\\u0009-\\u000D\\u0020\\u0085\\u00A0\\u1680\\u180E\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000';

/** Directional marks, as a class body. */
export const DIRECTIONAL_MARKS = '\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';

/** Characters not allowed in posts, as a class body. */
export const INVALID = '\\uFFFE\\uFEFF\\uFFFF';

/** ASCII punctuation that ends a cashtag, as a class body. */
export const PUNCTUATION = "!'#%&()*+,\\\\\\-./:;<=>?@\\[\\]\\^_{|}~$";

/** A set of UTF-16 code units with a fast test. */
export type CodeUnitSet = (unit: number) => boolean;

/**
 * Creates a set from a class body (as above): a table for ASCII, the most common case, and a pattern for other units.
 */
export function codeUnitSet(classBody: string): CodeUnitSet {
  const pattern = new RegExp(`[${classBody}]`);
  const ascii = Array.from({ length: 128 }, (_, unit) => pattern.test(String.fromCharCode(unit)));
  return (unit) => (unit < 128 ? ascii[unit] === true : pattern.test(String.fromCharCode(unit)));
}
