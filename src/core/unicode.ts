/** NUL and lone surrogates: not every database stores them. */
const NOT_TEXT = /[\0\p{Surrogate}]/u;

/** Reports whether a string is Unicode text that every database stores: without NUL and lone surrogates. */
export function isUnicodeText(text: string): boolean {
  return !NOT_TEXT.test(text);
}

/** Returns the length of a text in code points. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

/** Reports whether a UTF-16 unit is the second half of a character. */
export function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
