/** Describes a past time in a sentence, such as `2026-01-01T00:00:00.000Z, 2 hours before this request`. */
export function sinceWords(timeMs: number, nowMs: number): string {
  return `${new Date(timeMs).toISOString()}, ${durationWords(nowMs - timeMs)} before this request`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Describes a duration by its largest unit, such as `2 hours`. */
export function durationWords(durationMs: number): string {
  const size = Math.abs(durationMs);
  const [unit, unitMs] = UNITS.find(([, each]) => size >= each) ?? (['second', 1_000] as const);
  const count = Math.round(size / unitMs);
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
