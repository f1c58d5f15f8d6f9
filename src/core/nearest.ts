/**
 * Returns the candidate most similar to `word`, for "did you mean …", ignoring case. Returns undefined if more than a
 * third of the longer word would have to change.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  for (const candidate of candidates) {
    const distance = typoDistance(word, candidate);
    if (distance >= least) continue;
    best = candidate;
    least = distance;
  }
  return best;
}

/** Returns how far a word is from a candidate, ignoring case; infinite if `nearest` would not return it. */
export function typoDistance(word: string, candidate: string): number {
  const limit = Math.max(word.length, candidate.length) / 3;
  const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
  return distance > limit ? Infinity : distance;
}

/** Longer texts are not typos, and comparing them takes the product of their lengths. */
const MAX_LENGTH = 100;

/** Returns the number of insertions, deletions, replacements and swaps of neighbours between two texts. */
function editDistance(from: string, to: string): number {
  if (from.length > MAX_LENGTH || to.length > MAX_LENGTH) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
