import { appendFile, writeFile } from 'node:fs/promises';

/** A line, or an object of one, that was not imported. */
export interface Refusal {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
  /** The refused object's id, if it has one; absent when the whole line is refused. */
  readonly id?: string;
  /** The beginning of a refused line, of at most a thousand characters. */
  readonly excerpt?: string;
}

/** Counts refusals and writes them down. */
export interface RefusalLog {
  add(refusal: Refusal): void;
  /** Writes what was added since; nothing when there is no file to write to. */
  flush(): Promise<void>;
  readonly count: number;
  /** The first few, for a summary. */
  readonly first: readonly Refusal[];
  /** How many there were for each reason, the most frequent first. */
  readonly byReason: Readonly<Record<string, number>>;
}

const FIRST = 20;

/** Reasons may name fields of the file's own. */
const MAX_REASONS = 50;
const OTHER_REASONS = 'other reasons';

/**
 * A log that writes refusals to `file`, one JSON object a line, or only counts them without a file. The file is made
 * with the first refusal; `continues` keeps what is in it, as when an import is resumed.
 */
export function createRefusalLog(file: string | undefined, continues: () => boolean): RefusalLog {
  const first: Refusal[] = [];
  let pending: string[] = [];
  let count = 0;
  let isBegun = false;
  const reasons = new Map<string, number>();
  return {
    add: (refusal) => {
      count += 1;
      const reason =
        reasons.has(refusal.reason) || reasons.size < MAX_REASONS ? refusal.reason : OTHER_REASONS;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      if (first.length < FIRST) first.push(refusal);
      if (file !== undefined) pending.push(`${JSON.stringify(refusal)}\n`);
    },
    flush: async () => {
      if (file === undefined || pending.length === 0) return;
      const text = pending.join('');
      pending = [];
      await (isBegun || continues() ? appendFile(file, text) : writeFile(file, text));
      isBegun = true;
    },
    get count() {
      return count;
    },
    first,
    get byReason() {
      return Object.fromEntries([...reasons].sort(([, one], [, other]) => other - one));
    },
  };
}
