import { normalizeText } from '../unicode.js';

/**
 * Accents that folding removes: those of Latin, Greek and Cyrillic letters, and the optional vowel signs of Hebrew
 * and Arabic. Marks of other scripts are part of their letters, and so is the breve of й.
 */
const ACCENTS =
  /(?<!и)\u0306|[\u0300-\u0305\u0307-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u1AB0-\u1AFF\u1DC0-\u1DFF\uFE00-\uFE0F]/g;

/** Variation selectors, which choose between pictures of the same character. */
const VARIATION_SELECTORS = /[\uFE00-\uFE0F]/g;

const ASCII = /^[\0-\x7F]*$/;

/** Folds a text so that words which count as equal become equal. Idempotent. */
export type Fold = (text: string) => string;

/**
 * Folds a text for comparing words (docs/api/search.md#matching): normalizes compatibility forms (NFKC) and removes
 * case (`ß` becomes `ss`) and accents, so `Café` and `CAFE` are equal. Idempotent.
 */
export function foldText(text: string): string {
  return folded(text, ACCENTS);
}

/** Folds as `foldText`, but keeps accents: `Café` equals `CAFÉ` but not `cafe` (docs/api/streams.md#matching). */
export function foldCase(text: string): string {
  return folded(text, VARIATION_SELECTORS);
}

function folded(text: string, dropped: RegExp): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const letters = normalizeText(text, 'NFKD').toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ');
  return normalizeText(letters.replace(dropped, ''), 'NFC');
}
