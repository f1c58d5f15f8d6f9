/** A time as every answer writes it: whole seconds, UTC, ending in `.000Z` (docs/api/requests.md#times). */
export function presentDate(timeMs: number): string {
  return new Date(Math.floor(timeMs / 1000) * 1000).toISOString();
}
