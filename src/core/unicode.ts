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

/** Returns a function from UTF-16 offsets in a text to code point offsets. */
export function codePointOffsets(text: string): (unit: number) => number {
  if (!/[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text)) return (unit) => unit;
  const offsets = new Uint32Array(text.length + 1);
  let codePoints = 0;
  for (let unit = 0; unit < text.length;) {
    const width = (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
    unit += width;
    codePoints++;
    offsets[unit] = codePoints;
  }
  return (unit) => offsets[unit] ?? codePoints;
}

/** Marks, and the two letters whose compatibility forms are marks. */
const MARKS = '\\p{M}\\uFF9E\\uFF9F';

/** No writing system stacks this many marks; the Stream-Safe Text Format (UAX #15, section 13) allows 30. */
const MAX_MARKS = 64;

const LONG_RUN = new RegExp(`[^${MARKS}]?[${MARKS}]{${MAX_MARKS + 1},}`, 'gu');

/**
 * Normalizes a text in linear time. Ordering marks takes quadratic time, so a run of more than 64 marks stays
 * unchanged.
 */
export function normalizeText(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  if (text.length <= MAX_MARKS) return text.normalize(form);
  let normalized = '';
  let from = 0;
  for (const { 0: run, index } of text.matchAll(LONG_RUN)) {
    normalized += text.slice(from, index).normalize(form) + run;
    from = index + run.length;
  }
  return normalized + text.slice(from).normalize(form);
}
