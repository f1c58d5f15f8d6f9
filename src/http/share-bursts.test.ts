import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { shareBursts } from './share-bursts.js';

function acceptor() {
  const server = new EventEmitter();
  let pauses = 0;
  shareBursts(server, () => (pauses += 1));
  return {
    connect: (count: number): EventEmitter[] =>
      Array.from({ length: count }, () => {
        const connection = new EventEmitter();
        server.emit('connection', connection);
        return connection;
      }),
    pauses: () => pauses,
  };
}

const close = (connections: readonly EventEmitter[]): void => {
  for (const connection of connections) connection.emit('close');
};

test('a process pauses while a pool of connections grows, and again while the next one does', () => {
  const { connect, pauses } = acceptor();
  const pool = connect(10);
  expect(pauses()).toBe(8);
  close(pool);
  connect(10);
  expect(pauses()).toBe(16);
});

test('connections for single requests cause no pauses once as many were open', () => {
  const { connect, pauses } = acceptor();
  for (let request = 0; request < 5; request += 1) close(connect(1));
  expect(pauses()).toBe(0);

  const [first, ...others] = connect(6);
  expect(pauses()).toBe(4);
  let last = first;
  for (let request = 0; request < 5; request += 1) {
    close(last ? [last] : []);
    [last] = connect(1);
  }
  expect([others.length, pauses()]).toEqual([5, 4]);
});
