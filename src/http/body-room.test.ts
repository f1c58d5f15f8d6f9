import { expect, test } from 'vitest';
import { createBodyRoom } from './body-room.js';

const OVERHEAD = 256;

test('bodies share a memory budget: a stalled one is dropped', () => {
  let nowMs = 0;
  const room = createBodyRoom(3 * (100 + OVERHEAD), () => nowMs);
  const [stalled, small] = [room.hold(), room.hold()];
  stalled.add(Buffer.alloc(100, 'a'));
  small.add(Buffer.alloc(10, 'b'));
  nowMs = 1_000;
  const quick = room.hold();
  quick.add(Buffer.alloc(100, 'c'));
  expect(room.heldBytes()).toBeLessThanOrEqual(3 * (100 + OVERHEAD));
  quick.add(Buffer.alloc(100, 'c'));
  expect(() => stalled.add(Buffer.alloc(1))).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ code: 'unavailable' }) }),
  );
  expect(() => stalled.finish()).toThrow();
  expect(String(quick.finish())).toBe('c'.repeat(200));
  expect(String(small.finish())).toBe('b'.repeat(10));
  expect(room.heldBytes()).toBe(0);
});

test('a chunk counts with its overhead, and released bodies count nothing', () => {
  const room = createBodyRoom(OVERHEAD * 2);
  const body = room.hold();
  body.add(Buffer.alloc(1));
  expect(() => body.add(Buffer.alloc(1))).toThrow();
  expect(room.heldBytes()).toBe(0);
  const other = room.hold();
  other.add(Buffer.alloc(1));
  other.release();
  other.release();
  expect(room.heldBytes()).toBe(0);
});
