import { type Fold, foldText } from './fold.js';
import { UNSPACED } from './unspaced-scripts.js';

const PICTOGRAPH = '\\p{Extended_Pictographic}(?:\\p{Emoji_Modifier}|\\uFE0F)?';
/** Groups: an emoji sequence (by the grammar of UTS #51), a run of an unspaced script, a word of any other. */
const PIECE = new RegExp(
  '(\\u{1F3F4}[\\u{E0020}-\\u{E007E}]+\\u{E007F}|\\p{Regional_Indicator}{2}|[0-9#*]\\uFE0F?\\u20E3|' +
    `${PICTOGRAPH}(?:\\u200D${PICTOGRAPH})*|\\p{Emoji_Modifier})|` +
    `([${UNSPACED}]+)|` +
    `((?:(?![${UNSPACED}])[\\p{Alphabetic}\\p{M}\\p{N}_])+)`,
  'uy',
);
/** Characters that fold to several may produce symbols: ½ becomes 1⁄2. */
const NO_WORD = /[^\p{Alphabetic}\p{M}\p{N}_]+/u;
const EMOJI_MODIFIERS = /[\p{Emoji_Modifier}\uFE0F]/gu;

/** The kind of a piece of text, which determines its tokens. */
type PieceKind = 'emoji' | 'run' | 'word' | 'asciiWord';

interface Piece {
  readonly kind: PieceKind;
  readonly text: string;
}

/**
 * Returns the tokens of a text in order. Other characters are dropped without a gap, so adjacent words have adjacent
 * tokens (docs/api/search.md#matching). Takes linear time.
 *
 * - A word of letters, digits, marks and inner `_`, folded: `Don't` gives `don`, `t`.
 * - A run of an unspaced script gives its pairs of characters and then its last character: `東京都` gives
 *   `東京`, `京都`, `都`. So any part of two or more characters is found by its pairs, and a single character
 *   by a prefix.
 * - An emoji gives its base and then, if longer, its whole sequence: `👍🏽` gives `👍`, `👍🏽`.
 *
 * Tokens contain no white space, quotes or ASCII punctuation except `_`, `#` and `*` (the latter two in keycap emoji
 * only).
 */
export function tokensOf(text: string, fold: Fold = foldText): string[] {
  const tokens: string[] = [];
  scan(text, (kind, piece) => addTokens(tokens, kind, piece, fold));
  return tokens;
}

/** A sequence of tokens that a text must contain, adjacent and in this order. */
export interface TokenPhrase {
  readonly tokens: readonly string[];
  /** The last token may be a prefix of a longer one. */
  readonly lastIsPrefix: boolean;
}

/**
 * Returns the tokens that a text must contain to match a keyword or phrase; undefined if the query has no tokens.
 * Words match whole. At the end of the query, a run of an unspaced script also matches inside a longer run.
 */
export function phraseOf(text: string, fold: Fold = foldText): TokenPhrase | undefined {
  const tokens = tokensOf(text, fold);
  const last = lastPiece(text, fold);
  if (last === undefined || tokens.length === 0) return undefined;
  if (last.kind !== 'run') return { tokens, lastIsPrefix: false };
  const isSingle = [...fold(last.text)].length === 1;
  return isSingle ? { tokens, lastIsPrefix: true } : { tokens: tokens.slice(0, -1), lastIsPrefix: false };
}

/** Reports whether tokens of a text contain a phrase. Every index must give phrases this meaning. */
export function containsPhrase(tokens: readonly string[], phrase: TokenPhrase): boolean {
  const last = phrase.tokens.length - 1;
  return tokens.some((_, start) =>
    phrase.tokens.every((token, index) => {
      const found = tokens[start + index];
      return phrase.lastIsPrefix && index === last ? found?.startsWith(token) === true : found === token;
    }),
  );
}

function lastPiece(text: string, fold: Fold): Piece | undefined {
  let last: Piece | undefined;
  scan(text, (kind, piece) => {
    if (addTokens([], kind, piece, fold)) last = { kind, text: piece };
  });
  return last;
}

/** Calls back for each piece of a text. ASCII, the most common case, uses no pattern. */
function scan(text: string, found: (kind: PieceKind, piece: string) => void): void {
  const end = text.length;
  for (let at = 0; at < end;) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) {
      let next = at;
      while (isAsciiWord(text.charCodeAt(next))) next++;
      if (next === end || text.charCodeAt(next) < 0x80) {
        if (next > at) found('asciiWord', text.slice(at, next));
        at = next > at ? next : at + 1;
        continue;
      }
    } else if (isPlainSign(unit)) {
      at++;
      continue;
    }
    at = scanPiece(text, at, found);
  }
}

function scanPiece(text: string, at: number, found: (kind: PieceKind, piece: string) => void): number {
  PIECE.lastIndex = at;
  const match = PIECE.exec(text);
  if (match === null) return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  const [piece, emoji, run] = match;
  found(emoji === undefined ? (run === undefined ? 'word' : 'run') : 'emoji', piece);
  return at + piece.length;
}

/** Reports whether a unit is part of a word; false for NaN, beyond the end of a text. */
function isAsciiWord(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x5f
  );
}

/** Reports whether a unit is a typographic space, dash, quote or ellipsis: common, and never part of a token. */
function isPlainSign(unit: number): boolean {
  return (unit >= 0x2000 && unit <= 0x203b) || unit === 0xa0;
}

/** Adds the tokens of a piece. Returns false if it has none. */
function addTokens(tokens: string[], kind: PieceKind, piece: string, fold: Fold): boolean {
  const before = tokens.length;
  switch (kind) {
    case 'asciiWord':
      addWord(tokens, piece.toLowerCase());
      break;
    case 'word':
      for (const word of fold(piece).split(NO_WORD)) addWord(tokens, word);
      break;
    case 'run':
      addPairs(tokens, fold(piece));
      break;
    case 'emoji':
      addEmoji(tokens, piece);
  }
  return tokens.length > before;
}

function addWord(tokens: string[], word: string): void {
  const trimmed = withoutOuterUnderscores(word);
  if (trimmed !== '') tokens.push(trimmed);
}

function withoutOuterUnderscores(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && word.charCodeAt(start) === 0x5f) start++;
  while (end > start && word.charCodeAt(end - 1) === 0x5f) end--;
  return start === 0 && end === word.length ? word : word.slice(start, end);
}

function addPairs(tokens: string[], run: string): void {
  let previous: string | undefined;
  for (const character of run) {
    if (previous !== undefined) tokens.push(previous + character);
    previous = character;
  }
  if (previous !== undefined) tokens.push(previous);
}

function addEmoji(tokens: string[], piece: string): void {
  const exact = piece.replaceAll('\uFE0F', '');
  const base = (exact.split('\u200D')[0] ?? exact).replace(EMOJI_MODIFIERS, '');
  if (base !== '' && base !== exact) tokens.push(base);
  tokens.push(exact);
}
