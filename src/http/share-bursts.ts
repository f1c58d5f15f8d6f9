import type { EventEmitter } from 'node:events';

/** With so few connections a process does not pause: one process serves them well. */
const FEW = 2;

/** The shortest pause. Linux makes it some 50 us, in which another process wakes up and accepts. */
const PAUSE_MS = 0.001;

/**
 * Shares bursts of connections with the other processes that accept from the same socket. The process pauses whenever
 * the number of its open connections reaches a new maximum; the maximum starts again when none is open. Without pauses,
 * the process that wakes first accepts a client's whole pool of connections, and the others get none. Clients that open
 * a connection for each request cause few pauses, since the number of open connections hardly grows.
 */
export function shareBursts(
  server: { on(event: 'connection', listener: (connection: EventEmitter) => void): unknown },
  pause: () => void = sleep,
): void {
  let open = 0;
  let most = FEW;
  const onClose = (): void => {
    open -= 1;
    if (open === 0) most = FEW;
  };
  server.on('connection', (connection) => {
    open += 1;
    connection.once('close', onClose);
    if (open <= most) return;
    most = open;
    pause();
  });
}

const neverWoken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

function sleep(): void {
  Atomics.wait(neverWoken, 0, 0, PAUSE_MS);
}
