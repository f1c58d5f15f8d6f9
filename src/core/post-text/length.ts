import { isLowSurrogate, normalizeText } from '../unicode.js';
import { findUrls } from './urls.js';

const URL_WEIGHT = 23;
const EMOJI_WEIGHT = 2;
const WIDE_WEIGHT = 2;
const NARROW_WEIGHT = 1;

/**
 * An emoji with optional skin tone and emoji variation selector. The text variation selector makes it a plain
 * character, and so does the lack of any selector for the two that default to text.
 */
const PICTOGRAPH =
  '(?:[©®]\\uFE0F|(?![©®])\\p{Extended_Pictographic}(?!\\uFE0E)\\p{Emoji_Modifier}?\\uFE0F?)';
/** A fast check: a text without these units contains no emoji. */
const EMOJI_UNIT = /[\u20E3\uFE0F\u203C-\u32FF\uD83C-\uD83F]/;
/**
 * An emoji sequence by the grammar of UTS #51: flags of regions and subdivisions, keycaps, and up to four pictographs
 * joined by U+200D, the longest in use. A grammar, not a list, so that sequences newer than the runtime's Unicode
 * version count right; bounded, so that a long chain of joined emoji does not weigh 2.
 */
const EMOJI = new RegExp(
  '\\u{1F3F4}[\\u{E0020}-\\u{E007E}]{1,6}\\u{E007F}|\\p{Regional_Indicator}{2}|[0-9#*]\\uFE0F?\\u20E3|' +
    `${PICTOGRAPH}(?:\\u200D${PICTOGRAPH}){0,3}`,
  'gu',
);

/**
 * Returns the weighted length of a text (docs/api/posts.md#length): of its NFC form, each link 23, each emoji
 * sequence 2, characters of the narrow ranges 1, all others 2. The caller must exclude reply prefixes and links
 * appended by the server.
 */
export function weightedLength(text: string): number {
  if (/^[\0-\x2D\x2F-\x7F]*$/.test(text)) return text.length;
  const normalized = normalizeText(text, 'NFC');
  let weight = 0;
  let from = 0;
  for (const { start, end } of findUrls(normalized)) {
    weight += weightWithoutUrls(normalized.slice(from, start)) + URL_WEIGHT;
    from = end;
  }
  return weight + weightWithoutUrls(normalized.slice(from));
}

const CHARACTERS = new Intl.Segmenter();

/**
 * Returns the end, in UTF-16 units, of the longest beginning of an NFC text whose links and visible characters weigh
 * at most `maxWeight`.
 */
export function endOfWeight(text: string, maxWeight: number): number {
  let [weight, end] = [0, 0];
  for (const piece of piecesOf(text)) {
    weight += piece.weight;
    if (weight > maxWeight) break;
    end = piece.end;
  }
  return end;
}

interface Piece {
  readonly end: number;
  readonly weight: number;
}

function* piecesOf(text: string): Generator<Piece> {
  let from = 0;
  for (const { start, end } of findUrls(text)) {
    yield* charactersOf(text, from, start);
    yield { end, weight: URL_WEIGHT };
    from = end;
  }
  yield* charactersOf(text, from, text.length);
}

function* charactersOf(text: string, from: number, to: number): Generator<Piece> {
  for (const { index, segment } of CHARACTERS.segment(text.slice(from, to))) {
    yield { end: from + index + segment.length, weight: weightWithoutUrls(segment) };
  }
}

function weightWithoutUrls(text: string): number {
  if (!EMOJI_UNIT.test(text)) return weightOfCharacters(text);
  let emoji = 0;
  const rest = text.replace(EMOJI, () => {
    emoji++;
    return '';
  });
  return emoji * EMOJI_WEIGHT + weightOfCharacters(rest);
}

function weightOfCharacters(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    weight += isNarrow(unit) ? NARROW_WEIGHT : WIDE_WEIGHT;
    if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(at + 1))) at++;
  }
  return weight;
}

/** Reports whether a unit is in a range of weight 100 (of 200) in text configuration v3. */
function isNarrow(unit: number): boolean {
  if (unit <= 0x10ff) return true;
  if (unit < 0x2000 || unit > 0x2037) return false;
  return unit <= 0x200d || (unit >= 0x2010 && unit <= 0x201f) || unit >= 0x2032;
}
