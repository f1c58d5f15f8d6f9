import { normalizeText } from '../normalize-text.js';

/**
 * Accents that fall away: those of Latin, Greek and Cyrillic letters, and the vowel signs that Hebrew and Arabic leave
 * out at will. Marks of other scripts are letters to their readers, among them the sign that makes и an й.
 */
const ACCENTS =
  /(?<!и)\u0306|[\u0300-\u0305\u0307-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u1AB0-\u1AFF\u1DC0-\u1DFF\uFE00-\uFE0F]/g;

const ASCII = /^[\0-\x7F]*$/;

/**
 * The form in which words are compared (docs/api/search.md#matching): compatible forms of a character are one
 * (NFKC), case (with `ß` as `ss`) and accents do not count, so `Café` and `CAFE` are alike. Folding a folded text
 * changes nothing.
 */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const letters = normalizeText(text, 'NFKD').toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ');
  return normalizeText(letters.replace(ACCENTS, ''), 'NFC');
}
