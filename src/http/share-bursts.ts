/** The number of connections that a process accepts in one turn of the event loop before it pauses. */
const ACCEPTED_AT_ONCE = 2;

/** The shortest pause. Linux makes it some 50 us, in which another process wakes up and accepts. */
const PAUSE_MS = 0.001;

/**
 * Shares bursts of connections with the other processes that accept from the same socket. Without it the process that
 * wakes first accepts all that wait: it could have a client's whole pool of connections, and the others none.
 */
export function shareBursts(
  server: { on(event: 'connection', listener: () => void): unknown },
  pause: () => void = sleep,
): void {
  let accepted = 0;
  const endTurn = (): void => {
    accepted = 0;
  };
  server.on('connection', () => {
    if (accepted === 0) setImmediate(endTurn);
    accepted += 1;
    if (accepted % ACCEPTED_AT_ONCE === 0) pause();
  });
}

const neverWoken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

function sleep(): void {
  Atomics.wait(neverWoken, 0, 0, PAUSE_MS);
}
