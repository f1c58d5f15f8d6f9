import { setTimeout as delay } from 'node:timers/promises';
import { ChangeCopier } from './change-copier.js';
import { compareTables, LateKeys } from './compare-tables.js';
import { copyTables } from './copy-tables.js';
import type { MediaCopied, MediaCopier } from './media-copier.js';
import { buildIndex, dropOwnEntries } from './search-index.js';
import { beginMove, createIndexes, MoveRefused, requireSameSchema, type Sides } from './sides.js';
import type { SourceUse } from './source-use.js';

/** What a move is doing; `table` and `rows` while it copies or compares one. */
export interface MoveProgress {
  readonly step: 'copy' | 'media' | 'indexes' | 'search' | 'compare' | 'follow';
  readonly table?: string;
  readonly rows: number;
}

export interface MoveParts {
  readonly sides: Sides;
  readonly use: SourceUse;
  /** Undefined if both databases have the same files. */
  readonly media: MediaCopier | undefined;
  /** The URL of the target. */
  readonly to: string;
  /** Whether servers may use the source until the switch. */
  readonly follows: boolean;
  readonly onProgress: (progress: MoveProgress) => void;
  /** Called when the target has everything, and the servers of the source may stop. */
  readonly onInStep: () => void;
}

/** The rows of a table and their checksum, which are those of the source. */
export interface MovedTable {
  readonly name: string;
  readonly rows: number;
  readonly checksum: string;
}

export interface Moved {
  readonly isResumed: boolean;
  readonly tables: readonly MovedTable[];
  readonly media: MediaCopied | undefined;
  /** The time from the stop of the source's servers to the end; undefined if none ran. */
  readonly stoppedMs: number | undefined;
  /** How long each step took, in milliseconds. */
  readonly stepMs: Readonly<Partial<Record<MoveStep, number>>>;
}

type MoveStep = MoveProgress['step'];

const POLL_MS = 200;

/** A connection that was just closed may still be there. */
const TRIES = 10;

/** With fewer changes at a time the target is in step: copying them takes less than a second. */
const MAX_LAG = 1_000;

/** With more keys in memory the tables are compared again before the switch. */
const MAX_LATE_KEYS = 200_000;

/**
 * Moves a database with its media (docs/design/moves.md). A killed move continues where it was. Throws MoveRefused and
 * MoveStopped.
 */
export async function move(parts: MoveParts): Promise<Moved> {
  const { sides, use, media, follows, onProgress } = parts;
  if (!follows && !(await keepSoon(use)))
    throw new MoveRefused('a process uses the source: stop it, or add --follow to copy while it runs');
  const { isResumed } = await beginMove(sides);
  await dropOwnEntries(sides);
  const copier = new ChangeCopier(sides);
  const stepMs: Partial<Record<MoveStep, number>> = {};
  const timed = async <T>(step: MoveStep, work: () => Promise<T>): Promise<T> => {
    const startMs = performance.now();
    onProgress({ step, rows: 0 });
    const result = await work();
    stepMs[step] = performance.now() - startMs;
    return result;
  };
  await timed('copy', () => copyTables(sides, (table, rows) => onProgress({ step: 'copy', table, rows })));
  if (media) {
    await timed('media', () => media.copyAll());
    copier.onCopied = (copied) => media.copyChanged(copied);
  }
  await timed('indexes', async () => {
    await copier.copyChanges();
    await createIndexes(sides, false);
  });
  await timed('search', () => indexPosts(parts));
  const late = await timed('compare', () => compare(parts, copier));
  const stoppedMs = await timed('follow', () => follow(parts, copier, late));
  return { isResumed, tables: tablesIn(copier), media: media?.copied, stoppedMs, stepMs };
}

async function keepSoon(use: SourceUse): Promise<boolean> {
  for (let tries = 1; !(await use.keep()); tries += 1) {
    if (tries === TRIES) return false;
    await delay(POLL_MS);
  }
  return true;
}

async function indexPosts({ sides, to, onProgress }: MoveParts): Promise<void> {
  await buildIndex(sides, to, (rows) => onProgress({ step: 'search', rows }));
}

/** Compares all rows, and collects the keys that are copied from then on. */
async function compare({ sides, media, onProgress }: MoveParts, copier: ChangeCopier): Promise<LateKeys> {
  const late = new LateKeys();
  copier.onCopied = async (copied) => {
    late.add(copied);
    await media?.copyChanged(copied);
  };
  await compareTables(sides, copier, (table, rows) => onProgress({ step: 'compare', table, rows }));
  return late;
}

/** Copies changes until no other process uses the source, then the last ones. */
async function follow(parts: MoveParts, copier: ChangeCopier, first: LateKeys): Promise<number | undefined> {
  const { sides, use, onInStep, onProgress } = parts;
  let late = first;
  let isInStep = false;
  let followed = 0;
  while (!(await use.keep())) {
    const count = await copier.copyChanges();
    followed += count;
    onProgress({ step: 'follow', rows: followed });
    if (late.size > MAX_LATE_KEYS) late = await compare(parts, copier);
    if (count > MAX_LAG) continue;
    // The servers of the target index the last posts themselves.
    if ((await sides.to.countRows(sides.searchPending.name)) > MAX_LAG) await indexPosts(parts);
    if (!isInStep) onInStep();
    isInStep = true;
    await delay(POLL_MS);
  }
  const startMs = performance.now();
  await finish(parts, copier, late);
  return isInStep ? performance.now() - startMs : undefined;
}

async function finish({ sides, media }: MoveParts, copier: ChangeCopier, late: LateKeys): Promise<void> {
  const { from, to, tables } = sides;
  await from.holdWrites(tables);
  await requireSameSchema(sides);
  await copier.copyChanges();
  await media?.copySegments();
  await createIndexes(sides, true);
  await late.compare(sides, copier);
  await to.advanceSequences();
  // In this order, a move that is killed in between can end: see `endMove`.
  await to.write((tx) => tx.putNote(ENDED, 'yes'));
  await from.endRecording();
  await to.closeNotes();
}

/** The note that everything was copied and compared. */
const ENDED = 'ended';

/** Ends a move that was killed after all of its work; returns false if it was not. */
export async function endMove({ from, to }: Sides): Promise<boolean> {
  if (!(await to.notes()).has(ENDED) || (await from.notes()).size > 0) return false;
  await to.closeNotes();
  return true;
}

function tablesIn({ sums }: ChangeCopier): MovedTable[] {
  return [...(sums ?? [])].map(([name, sum]) => ({ name, rows: sum.rows, checksum: sum.hex }));
}
