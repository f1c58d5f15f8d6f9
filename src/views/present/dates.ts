/** Returns a time as answers write it: whole seconds, UTC, ending in `.000Z` (docs/api/requests.md#times). */
export function presentDate(timeMs: number): string;
export function presentDate(timeMs: number | undefined): string | undefined;
export function presentDate(timeMs: number | undefined): string | undefined {
  return timeMs === undefined ? undefined : new Date(Math.floor(timeMs / 1000) * 1000).toISOString();
}
