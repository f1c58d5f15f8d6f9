import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { shareBursts } from './share-bursts.js';

test('a process pauses after every second connection of a turn, and not for single connections', async () => {
  const server = new EventEmitter();
  let pauses = 0;
  shareBursts(server, () => (pauses += 1));
  const connect = (count: number): void => {
    for (let each = 0; each < count; each += 1) server.emit('connection');
  };

  for (let turn = 0; turn < 3; turn += 1) {
    connect(1);
    await nextTurn();
  }
  expect(pauses).toBe(0);

  connect(7);
  expect(pauses).toBe(3);
  await nextTurn();
  connect(1);
  expect(pauses).toBe(3);
});
