/**
 * Returns how often a random test repeats: `count`, times PIPIT_TEST_ROUNDS if that is set, for a longer search for
 * rare failures.
 */
export function rounds(count: number): number {
  return count * Number(process.env['PIPIT_TEST_ROUNDS'] ?? 1);
}
