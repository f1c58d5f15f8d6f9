import { expect, it } from 'vitest';
import type { ImportProgress, ImportResult } from '../archive/import-twarc.js';
import type { Source } from '../archive/source.js';
import { newTallies, noSkippedLines } from '../archive/tally.js';
import { createProgress } from './import-progress.js';

const source = (name: string, sizeBytes?: number): Source => ({
  name,
  origin: name,
  sizeBytes,
  read: () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
  }),
});

function progressAt(files: number, storedBytes: number, posts: number, refused = 0): ImportProgress {
  const tallies = newTallies();
  tallies.posts.new = posts;
  const result: ImportResult = {
    files,
    resumed: 0,
    lines: 0,
    unreadableFiles: [],
    skipped: noSkippedLines(),
    tallies,
    refused,
    firstRefusals: [],
    refusedByReason: {},
  };
  return { file: 'b.jsonl', lines: 7, bytes: 9_999, storedBytes, result };
}

function report(sources: readonly Source[], isTerminal: boolean) {
  const shown: string[] = [];
  const noted: string[] = [];
  let nowMs = 0;
  const showStatus = (line: string) => void shown.push(line);
  const io = { note: (line: string) => void noted.push(line), ...(isTerminal && { showStatus }) };
  const progress = createProgress(io, sources, () => nowMs);
  const tell = (atMs: number, told: ImportProgress): void => {
    nowMs = atMs;
    progress.onProgress(told);
  };
  return { shown, noted, tell, end: progress.end };
}

it('on a terminal progress is one line with share, rate and time left, by the stored size of all files', () => {
  const { shown, noted, tell, end } = report([source('a.jsonl', 1_000), source('b.jsonl', 3_000)], true);
  tell(0, progressAt(0, 400, 100));
  tell(10_000, progressAt(1, 200, 1_100));
  tell(10_100, progressAt(1, 300, 1_200));
  tell(20_000, progressAt(1, 1_000, 2_100, 3));
  end();
  expect(shown).toEqual([
    '30 %, 1100 posts, 100 posts/s, 35 s left, b.jsonl',
    '50 %, 2100 posts, 100 posts/s, 25 s left, 3 refused, b.jsonl',
    '',
  ]);
  expect(noted).toEqual([]);
});

it('longer times are told in minutes and hours', () => {
  const { shown, tell } = report([source('b.jsonl', 100_000)], true);
  tell(0, progressAt(0, 0, 0));
  tell(10_000, progressAt(0, 5_000, 1));
  tell(20_000, progressAt(0, 5_001, 1));
  tell(1_000_000, progressAt(0, 5_002, 1));
  expect(shown.map((line) => line.split(', ').find((part) => part.endsWith(' left')))).toEqual([
    '4 min left',
    '7 min left',
    '5 h 17 min left',
  ]);
});

it('of what has no size the line is told; elsewhere than on a terminal progress is JSON lines', () => {
  const terminal = report([source('standard input')], true);
  terminal.tell(0, progressAt(0, 10, 5));
  terminal.tell(1_000, progressAt(0, 20, 15));
  expect(terminal.shown).toEqual(['line 7, 15 posts, 10 posts/s, b.jsonl']);
  const piped = report([source('b.jsonl', 100)], false);
  piped.tell(0, progressAt(0, 10, 5));
  piped.tell(999, progressAt(0, 15, 10));
  piped.tell(1_000, progressAt(0, 20, 15, 2));
  expect(piped.noted).toEqual([
    '{"file":"b.jsonl","lines":7,"bytes":9999,"new_posts":15,"new_users":0,"refused":2}',
  ]);
});
