import type { AppAccess } from './access.js';

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the UTC day number since the epoch: "the same day" for the post cap. */
export function usageDay(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

/** A month of the post cap, in days of `usageDay`: from `first` to before `next`. */
export interface UsagePeriod {
  readonly first: number;
  readonly next: number;
}

/**
 * Returns the period of a time: a month from the project's renewal day, which is the day of the month of its creation
 * or, in shorter months, the last day (docs/api/authentication.md#levels-and-tracks).
 */
export function usagePeriod(nowMs: number, createdAtMs: number): UsagePeriod {
  const now = new Date(nowMs);
  const renewal = new Date(createdAtMs).getUTCDate();
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const isBefore = usageDay(nowMs) < renewalDay(year, month, renewal);
  return {
    first: renewalDay(year, isBefore ? month - 1 : month, renewal),
    next: renewalDay(year, isBefore ? month : month + 1, renewal),
  };
}

/** Returns the renewal day of a month. `month` counts from 0 and may be outside its year. */
function renewalDay(year: number, month: number, renewal: number): number {
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return usageDay(Date.UTC(year, month, Math.min(renewal, lastOfMonth)));
}

const RESEARCH_CAP = 10_000_000;
const CAPS: Readonly<Record<AppAccess['accessLevel'], number>> = {
  essential: 500_000,
  elevated: 2_000_000,
  basic: 10_000,
};

/**
 * Returns the number of posts that a project may retrieve per month (docs/api/authentication.md#levels-and-tracks).
 */
export function postCap({ accessLevel, track }: Pick<AppAccess, 'accessLevel' | 'track'>): number {
  return track === 'academic_research' ? RESEARCH_CAP : CAPS[accessLevel];
}
