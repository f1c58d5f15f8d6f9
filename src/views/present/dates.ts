/** A time as every answer writes it: whole seconds, UTC, ending in `.000Z` (reference/fine-points.md 10). */
export function presentDate(timeMs: number): string {
  return new Date(Math.floor(timeMs / 1000) * 1000).toISOString();
}
