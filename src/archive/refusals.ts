import { appendFile, writeFile } from 'node:fs/promises';

/** A line or object that was not imported. */
export interface Refusal {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
  /** The id of the refused object, if any; absent when the whole line is refused. */
  readonly id?: string;
  /** The start of a refused line, at most a thousand characters. */
  readonly excerpt?: string;
}

/** Counts refusals and writes them to a file. */
export type RefusalLog = ReturnType<typeof createRefusalLog>;

const FIRST = 20;

/** Bounded, because reasons may contain field names from the file. */
const MAX_REASONS = 50;
const OTHER_REASONS = 'other reasons';

/**
 * Creates a log that writes refusals to `file`, one JSON object per line; without a file it only counts. The first
 * refusal creates the file; when `continues` returns true, an existing file is appended to.
 */
export function createRefusalLog(file: string | undefined, continues: () => boolean) {
  const first: Refusal[] = [];
  let pending: string[] = [];
  let count = 0;
  let isBegun = false;
  const reasons = new Map<string, number>();
  return {
    add: (refusal: Refusal): void => {
      count += 1;
      const reason =
        reasons.has(refusal.reason) || reasons.size < MAX_REASONS ? refusal.reason : OTHER_REASONS;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      if (first.length < FIRST) first.push(refusal);
      if (file !== undefined) pending.push(`${JSON.stringify(refusal)}\n`);
    },
    /** Writes the refusals added since the last call, if there is a file. */
    flush: async (): Promise<void> => {
      if (file === undefined || pending.length === 0) return;
      const text = pending.join('');
      pending = [];
      await (isBegun || continues() ? appendFile(file, text) : writeFile(file, text));
      isBegun = true;
    },
    get count(): number {
      return count;
    },
    /** The first refusals, for a summary. */
    first,
    /** The number of refusals by reason, most frequent first. */
    get byReason(): Readonly<Record<string, number>> {
      return Object.fromEntries([...reasons].sort(([, one], [, other]) => other - one));
    },
  };
}
