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

function createReport(sources: readonly Source[], isTerminal: boolean) {
  const shown: string[] = [];
  const noted: string[] = [];
  let nowMs = 0;
  const showStatus = (line: string) => void shown.push(line);
  const io = { note: (line: string) => void noted.push(line), ...(isTerminal && { showStatus }) };
  const progress = createProgress(io, sources, () => nowMs);
  const report = (atMs: number, current: ImportProgress): void => {
    nowMs = atMs;
    progress.onProgress(current);
  };
  return { shown, noted, report, end: progress.end };
}

it('on a terminal, progress is a line with percentage, rate and time left, based on the size of all files', () => {
  const { shown, noted, report, end } = createReport(
    [source('a.jsonl', 1_000), source('b.jsonl', 3_000)],
    true,
  );
  report(0, progressAt(0, 400, 100));
  report(10_000, progressAt(1, 200, 1_100));
  report(10_100, progressAt(1, 300, 1_200));
  report(20_000, progressAt(1, 1_000, 2_100, 3));
  end();
  expect(shown).toEqual([
    '30 %, 1100 posts, 100 posts/s, 35 s left, b.jsonl',
    '50 %, 2100 posts, 100 posts/s, 25 s left, 3 refused, b.jsonl',
    '',
  ]);
  expect(noted).toEqual([]);
});

it('longer times are shown in minutes and hours', () => {
  const { shown, report } = createReport([source('b.jsonl', 100_000)], true);
  report(0, progressAt(0, 0, 0));
  report(10_000, progressAt(0, 5_000, 1));
  report(20_000, progressAt(0, 5_001, 1));
  report(1_000_000, progressAt(0, 5_002, 1));
  expect(shown.map((line) => line.split(', ').find((part) => part.endsWith(' left')))).toEqual([
    '4 min left',
    '7 min left',
    '5 h 17 min left',
  ]);
});

it('without a size the line number is shown; without a terminal progress is JSON lines', () => {
  const terminal = createReport([source('standard input')], true);
  terminal.report(0, progressAt(0, 10, 5));
  terminal.report(1_000, progressAt(0, 20, 15));
  expect(terminal.shown).toEqual(['line 7, 15 posts, 10 posts/s, b.jsonl']);
  const piped = createReport([source('b.jsonl', 100)], false);
  piped.report(0, progressAt(0, 10, 5));
  piped.report(999, progressAt(0, 15, 10));
  piped.report(1_000, progressAt(0, 20, 15, 2));
  expect(piped.noted).toEqual([
    '{"file":"b.jsonl","lines":7,"bytes":9999,"new_posts":15,"new_users":0,"refused":2}',
  ]);
});
