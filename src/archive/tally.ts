import { SKIPPED_KINDS, type SkippedKind } from './twarc-line.js';

/** What became of the objects of one kind; an object seen in several batches counts in each. */
export interface Tally {
  /** Stored for the first time. */
  new: number;
  /** Stored before, and changed to what a later sighting says. */
  updated: number;
  /** Stored before, and nothing new was said of it. */
  unchanged: number;
  /** Left alone: made here rather than imported, or, for posts, deleted here. */
  kept: number;
}

const TALLIED = ['posts', 'users', 'media', 'polls', 'places'] as const;

/** Tallies of everything that is stored. */
export type Tallies = Readonly<Record<(typeof TALLIED)[number], Tally>>;

export function newTallies(): Tallies {
  const tally = (): Tally => ({ new: 0, updated: 0, unchanged: 0, kept: 0 });
  return { posts: tally(), users: tally(), media: tally(), polls: tally(), places: tally() };
}

/** Adds the counts of `more` to `sum`. */
export function addTallies(sum: Tallies, more: Tallies): void {
  for (const kind of TALLIED) {
    sum[kind].new += more[kind].new;
    sum[kind].updated += more[kind].updated;
    sum[kind].unchanged += more[kind].unchanged;
    sum[kind].kept += more[kind].kept;
  }
}

/** Lines without posts and users, by what they hold instead. */
export type SkippedLines = Record<SkippedKind, number>;

/** Adds the counts of `more` to `sum`. */
export function addSkipped(sum: SkippedLines, more: SkippedLines): void {
  for (const kind of SKIPPED_KINDS) sum[kind] += more[kind];
}

export function noSkippedLines(): SkippedLines {
  return Object.fromEntries(SKIPPED_KINDS.map((kind) => [kind, 0])) as SkippedLines;
}
