/** A piece of a text, and whether the other text lacks it. */
export interface Piece {
  readonly text: string;
  readonly isDifferent: boolean;
}

/** The longest table of a comparison by words; longer texts are compared by their ends. */
const MAX_CELLS = 250_000;

/** The escapes, separators and words of base strings and lists. */
const WORDS = /%[0-9A-Fa-f]{2}|[%&=\s,]|[^%&=\s,]+/g;

/**
 * Compares two texts and returns the pieces of each, which joined give the text. Base strings are compared parameter by
 * parameter. The work is bounded.
 */
export function textDifference(one: string, other: string): readonly [Piece[], Piece[]] {
  const [a, b] = [one.match(WORDS) ?? [], other.match(WORDS) ?? []];
  const start = commonLength(a, b, (words, index) => words[index]);
  const rest = (words: readonly string[]) => words.slice(start);
  const end = commonLength(rest(a), rest(b), (words, index) => words.at(-1 - index));
  const middle = (words: readonly string[]) => words.slice(start, words.length - end);
  const [keptA, keptB] = commonWords(middle(a), middle(b));
  const pieces = (words: readonly string[], kept: ReadonlySet<number>) =>
    joined(
      words.map((text, index) => ({
        text,
        isDifferent: index >= start && index < words.length - end && !kept.has(index - start),
      })),
    );
  return [pieces(a, keptA), pieces(b, keptB)];
}

type At = (words: readonly string[], index: number) => string | undefined;

function commonLength(a: readonly string[], b: readonly string[], at: At): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (length < limit && at(a, length) === at(b, length)) length += 1;
  return length;
}

/** Returns the indexes, in both lists, of their longest common subsequence; nothing for long lists. */
function commonWords(a: readonly string[], b: readonly string[]): [Set<number>, Set<number>] {
  const kept: [Set<number>, Set<number>] = [new Set(), new Set()];
  const width = b.length + 1;
  if ((a.length + 1) * width > MAX_CELLS) return kept;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      kept[0].add(i);
      kept[1].add(j);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return kept;
}

/** Joins neighbours of the same kind. */
function joined(words: readonly Piece[]): Piece[] {
  const pieces: Piece[] = [];
  for (const word of words) {
    const last = pieces.at(-1);
    if (last?.isDifferent === word.isDifferent)
      pieces[pieces.length - 1] = { ...word, text: last.text + word.text };
    else pieces.push(word);
  }
  return pieces;
}
