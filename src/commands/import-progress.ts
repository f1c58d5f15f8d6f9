import { performance } from 'node:perf_hooks';
import type { ImportProgress } from '../archive/import-twarc.js';
import type { Source } from '../archive/source.js';
import type { CommandIo } from './command.js';
import { createPace } from './progress-pace.js';

export interface ProgressReport {
  readonly onProgress: (progress: ImportProgress) => void;
  /** Removes the line from the terminal. */
  readonly end: () => void;
}

/** Reports progress in a status line on a terminal, otherwise in JSON lines. */
export function createProgress(
  io: Pick<CommandIo, 'note' | 'showStatus'>,
  sources: readonly Source[],
  nowMs = (): number => performance.now(),
): ProgressReport {
  const { showStatus } = io;
  let isTime: ReturnType<typeof createPace> | undefined;
  let first: Point | undefined;
  return {
    onProgress: (progress) => {
      const point = { ms: nowMs(), share: shareOf(progress, sources), posts: countPosts(progress) };
      first ??= point;
      isTime ??= createPace(io, point.ms);
      if (!isTime(point.ms)) return;
      if (showStatus) showStatus(statusLine(progress, first, point));
      else io.note(jsonLine(progress));
    },
    end: () => showStatus?.(''),
  };
}

/** The progress of an import at a time. */
interface Point {
  readonly ms: number;
  /** The share of all files; undefined if the size of one is unknown. */
  readonly share: number | undefined;
  readonly posts: number;
}

function shareOf({ result, storedBytes }: ImportProgress, sources: readonly Source[]): number | undefined {
  let total = 0;
  let done = storedBytes;
  for (const [index, { sizeBytes }] of sources.entries()) {
    if (sizeBytes === undefined) return undefined;
    total += sizeBytes;
    if (index < result.files) done += sizeBytes;
  }
  return total === 0 ? undefined : Math.min(1, done / total);
}

function countPosts({ result }: ImportProgress): number {
  return Object.values(result.tallies.posts).reduce((sum: number, count: number) => sum + count, 0);
}

function statusLine({ file, lines, result }: ImportProgress, first: Point, now: Point): string {
  const seconds = (now.ms - first.ms) / 1000;
  const parts = [
    now.share === undefined ? `line ${lines}` : `${Math.floor(now.share * 100)} %`,
    `${now.posts} posts`,
    ...(seconds > 0 ? [`${Math.round((now.posts - first.posts) / seconds)} posts/s`] : []),
    ...timeLeft(first, now),
    ...(result.refused > 0 ? [`${result.refused} refused`] : []),
    file,
  ];
  return parts.join(', ');
}

function timeLeft(first: Point, now: Point): string[] {
  if (first.share === undefined || now.share === undefined || now.share <= first.share) return [];
  const seconds = (((now.ms - first.ms) / 1000) * (1 - now.share)) / (now.share - first.share);
  if (seconds < 60) return [`${Math.ceil(seconds)} s left`];
  const minutes = Math.ceil(seconds / 60);
  return [minutes < 60 ? `${minutes} min left` : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`];
}

function jsonLine({ file, lines, bytes, result }: ImportProgress): string {
  const { tallies, refused } = result;
  return JSON.stringify({
    file,
    lines,
    bytes,
    new_posts: tallies.posts.new,
    new_users: tallies.users.new,
    refused,
  });
}
