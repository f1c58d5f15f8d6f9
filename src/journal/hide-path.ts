import { hasSecretName, HIDDEN } from '../core/secret-parameters.js';

/** Longer parts may be tokens, whatever they consist of. */
const MAX_PART_LENGTH = 40;
/** Shorter parts are too short for tokens. */
const MIN_TOKEN_LENGTH = 16;
/** Letters in a row that are no word. */
const LETTERS_IN_A_ROW = /[a-z]{25}|[A-Z]{25}/;
/** Random characters change between letters, capitals and digits more often than words and numbers do. */
const MIN_WORD_LENGTH = 3.2;
const HEXADECIMAL = /^[\da-f-]{24,}$/i;

const MAX_PATH_LENGTH = 200;

/** What may be one token: no separator of a path, and no other escape than those of base64. */
const PART = /(?:[\w~+-]|%2[bf])+/gi;
const PAIR = /([\w.-]{1,60})(=|%3d)([^&;,]+)/gi;

/** Hides the parts of a path that may be secrets, for the log. */
export function hidePath(path: string): string {
  return hideInPath(path).slice(0, MAX_PATH_LENGTH);
}

/** Hides the parts of a path that may be secrets: tokens by their shape, and values with a secret name. */
export function hideInPath(path: string): string {
  return path.split('/').map(hideInSegment).join('/');
}

/** Returns the parts of a path that are hidden because of their shape. */
export function tokensIn(path: string): readonly string[] {
  return (path.match(PART) ?? []).filter(isTokenLike);
}

function hideInSegment(segment: string): string {
  const hidden = segment
    .replace(PAIR, (pair, name: string, equals: string) =>
      hasSecretName(name) ? `${name}${equals}${HIDDEN}` : pair,
    )
    .replace(PART, (part) => (isTokenLike(part) ? HIDDEN : part));
  return hidden.includes('%') && isHiddenByEscapes(hidden) ? HIDDEN : hidden;
}

/** Reports whether a segment has a secret whose letters are escaped. */
function isHiddenByEscapes(segment: string): boolean {
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    return segment.length > MAX_PART_LENGTH;
  }
  const parts = decoded.match(PART) ?? [];
  const pairs = [...decoded.matchAll(PAIR)];
  return (
    parts.some(isTokenLike) || pairs.some(([, name = '', , value]) => hasSecretName(name) && value !== HIDDEN)
  );
}

/** Reports whether a part of a path has the shape of a token: long, and neither a number nor words. */
function isTokenLike(part: string): boolean {
  if (part.length > MAX_PART_LENGTH) return true;
  if (part.length < MIN_TOKEN_LENGTH) return false;
  if (LETTERS_IN_A_ROW.test(part)) return true;
  if (!/\d/.test(part) || !/[a-z]/i.test(part)) return false;
  if (HEXADECIMAL.test(part)) return true;
  return countWords(part) * MIN_WORD_LENGTH > part.length;
}

/** Counts the words and numbers of a text such as `getUser2`. */
function countWords(part: string): number {
  let count = 0;
  let before = '';
  for (const character of part) {
    const kind = /\d/.test(character)
      ? '0'
      : /[a-z]/.test(character)
        ? 'a'
        : /[A-Z]/.test(character)
          ? 'A'
          : '';
    // A capital before small letters begins their word.
    if (kind !== '' && kind !== before && !(kind === 'a' && before === 'A')) count += 1;
    before = kind;
  }
  return count;
}
