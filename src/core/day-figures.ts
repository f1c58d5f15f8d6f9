/** What the server counts for each day, for the operators' overview (docs/operations.md#the-operators-desk). */
export const DAY_FIGURES = ['posts', 'authors', 'sign_ups', 'people', 'media_bytes'] as const;
export type DayFigureName = (typeof DAY_FIGURES)[number];

/** A figure of one day. */
export interface DayFigure {
  /** Days since 1970, in UTC. */
  readonly day: number;
  readonly name: DayFigureName;
  readonly value: number;
  /** A figure counted after the end of its day is final. */
  readonly countedAtMs: number;
}

export const DAY_MS = 24 * 3_600_000;

/** Returns the day of a time. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}
