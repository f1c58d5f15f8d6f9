import type { EventEmitter } from 'node:events';

/** Clients with so few connections need no second process. */
const FEW = 2;

/** The shortest pause. Linux makes it some 50 us, in which another process wakes up and accepts. */
const PAUSE_MS = 0.001;

/**
 * Shares bursts of connections with the other processes that accept from the same socket: pauses after each connection
 * with which more are open than since there were none. Without it the process that wakes first accepts all that wait: it
 * could have a client's whole pool, and the others none. Clients that open a connection for each request cause few
 * pauses, since the number of open ones hardly grows.
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
