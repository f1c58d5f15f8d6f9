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
