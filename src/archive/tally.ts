import { SKIPPED_KINDS, type SkippedKind } from './twarc-line.js';

/** The outcome for objects of one kind; an object in several batches counts in each. */
export interface Tally {
  /** Stored for the first time. */
  new: number;
  /** Stored before and changed by a later sighting. */
  updated: number;
  /** Stored before and not changed. */
  unchanged: number;
  /** Left unchanged because it was created here, or, for posts, deleted here. */
  kept: number;
}

const OUTCOMES = ['new', 'updated', 'unchanged', 'kept'] as const;
const TALLIED = ['posts', 'users', 'media', 'polls', 'places'] as const;

/** Tallies by kind. */
export type Tallies = Readonly<Record<(typeof TALLIED)[number], Tally>>;

export function newTallies(): Tallies {
  const tally = (): Tally => ({ new: 0, updated: 0, unchanged: 0, kept: 0 });
  return { posts: tally(), users: tally(), media: tally(), polls: tally(), places: tally() };
}

/** Adds the counts of `more` to `sum`. */
export function addTallies(sum: Tallies, more: Tallies): void {
  for (const kind of TALLIED) {
    for (const outcome of OUTCOMES) sum[kind][outcome] += more[kind][outcome];
  }
}

/** The number of lines without posts and users, by content. */
export type SkippedLines = Record<SkippedKind, number>;

/** Adds the counts of `more` to `sum`. */
export function addSkipped(sum: SkippedLines, more: SkippedLines): void {
  for (const kind of SKIPPED_KINDS) sum[kind] += more[kind];
}

export function noSkippedLines(): SkippedLines {
  return Object.fromEntries(SKIPPED_KINDS.map((kind) => [kind, 0])) as SkippedLines;
}
