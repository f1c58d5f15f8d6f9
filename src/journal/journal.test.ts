import { expect, test } from 'vitest';
import type { NewEntry } from './entry.js';
import { Journal } from './journal.js';

const NO_BODY = { bytes: 0, isCut: false };

function entry(operation: string, status = 200, changes: Partial<NewEntry> = {}): NewEntry {
  const request = { method: 'GET', path: '/2/x', query: '', httpVersion: '1.1', headers: [], body: NO_BODY };
  return {
    timeMs: 0,
    operation,
    requestId: undefined,
    request,
    answer: { status, headers: [], body: NO_BODY },
    elapsedMs: 1,
    isOpen: false,
    isCut: false,
    ...changes,
  };
}

/** Timers that run when the test says so. */
function manualTimers() {
  const pending = new Set<() => void>();
  return {
    timers: {
      every: () => () => undefined,
      after: (_: number, work: () => void) => {
        pending.add(work);
        return () => void pending.delete(work);
      },
    },
    pending,
    run: () => {
      for (const work of pending) work();
    },
  };
}

test('the newest entries come first, and the oldest are dropped beyond the number', () => {
  const journal = new Journal({ maxEntries: 2 });
  for (const operation of ['a', 'b', 'c']) journal.add(entry(operation));
  expect(journal.find().map(({ id, operation }) => [id, operation])).toEqual([
    [3, 'c'],
    [2, 'b'],
  ]);
  expect(journal.get(1)).toBeUndefined();
  expect(journal.get(2)?.operation).toBe('b');
});

test('the oldest entries are dropped beyond the size', () => {
  const journal = new Journal({ maxBytes: 250_000 });
  const body = { bytes: 100_000, text: 'x'.repeat(100_000), isCut: false };
  for (let count = 0; count < 5; count += 1) {
    journal.add(entry('a', 200, { answer: { status: 200, headers: [], body } }));
  }
  expect(journal.find().map(({ id }) => id)).toEqual([5, 4]);
  journal.clear();
  journal.add(entry('b'));
  expect(journal.find().map(({ id }) => id)).toEqual([6]);
});

test('filters select by operation, status, class of status, refusal and id', () => {
  const journal = new Journal();
  journal.add(entry('a'));
  journal.add(entry('a', 429, { refusal: { reason: 'rate-limited' } }));
  journal.add(entry('b', 404, { refusal: { reason: 'route-not-found' } }));
  const ids = (filter: Parameters<Journal['find']>[0]) => journal.find(filter).map(({ id }) => id);
  expect(ids({ operation: 'a' })).toEqual([2, 1]);
  expect(ids({ status: '4xx' })).toEqual([3, 2]);
  expect(ids({ status: '429' })).toEqual([2]);
  expect(ids({ refused: false })).toEqual([1]);
  expect(ids({ since: 1, refused: true })).toEqual([3, 2]);
  expect(journal.find({}, 1).map(({ id }) => id)).toEqual([3]);
  expect(journal.count({ method: 'get', path: '/2/*' })).toBe(3);
});

test('a wait ends when enough entries match, earlier ones included', async () => {
  const { timers, pending } = manualTimers();
  const journal = new Journal({ timers });
  journal.add(entry('a'));
  const waiting = journal.waitFor({ operation: 'a' }, 2, 1_000);
  journal.add(entry('b'));
  journal.add(entry('a'));
  expect(await waiting).toMatchObject({ isComplete: true, entries: [{ id: 1 }, { id: 3 }] });
  expect(pending.size).toBe(0);
});

test('a wait returns the matching entries when it times out', async () => {
  const { timers, run } = manualTimers();
  const journal = new Journal({ timers });
  const waiting = journal.waitFor({ operation: 'a' }, 2, 1_000);
  journal.add(entry('a'));
  run();
  expect(await waiting).toMatchObject({ isComplete: false, entries: [{ id: 1 }] });
});

test('a wait does not count dropped entries, and counts open entries once they match', async () => {
  const { timers } = manualTimers();
  const journal = new Journal({ timers, maxEntries: 2 });
  journal.add(entry('a'));
  const waiting = journal.waitFor({ operation: 'a', status: '200' }, 2, 1_000);
  journal.add(entry('b'));
  const id = journal.add(entry('a', 0, { isOpen: true }));
  journal.add(entry('a'));
  journal.update(id, entry('a'));
  expect(await waiting).toMatchObject({ isComplete: true, entries: [{ id: 3 }, { id: 4 }] });
});

test('a wait can end early, and leaves no timer or listener', async () => {
  const { timers, pending } = manualTimers();
  const journal = new Journal({ timers });
  const waits = [journal.waitFor({}, 1, 1_000), journal.waitFor({}, 2, 1_000)];
  journal.endWaits();
  expect(await Promise.all(waits)).toEqual([
    { isComplete: false, entries: [] },
    { isComplete: false, entries: [] },
  ]);
  expect(pending.size).toBe(0);
});

test('listeners see each entry, its end and the removal of all', () => {
  const journal = new Journal();
  const seen: string[] = [];
  const stop = journal.subscribe({
    onEntry: ({ id, isOpen }) => seen.push(`${id} ${isOpen}`),
    onClear: () => seen.push('clear'),
  });
  const id = journal.add(entry('a', 200, { isOpen: true }));
  journal.update(id, entry('a'));
  journal.clear();
  journal.update(id, entry('a'));
  stop();
  journal.add(entry('b'));
  expect(seen).toEqual(['1 true', '1 false', 'clear']);
});
