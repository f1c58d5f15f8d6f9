import type { CommandIo } from './command.js';

/** The minimum time between progress lines: on a terminal, and elsewhere. */
const STATUS_MS = 200;
const LINE_MS = 1_000;

/** Returns a function that reports whether it is time for the next progress line. */
export function createPace({ showStatus }: Pick<CommandIo, 'showStatus'>, startMs = performance.now()) {
  const pauseMs = showStatus ? STATUS_MS : LINE_MS;
  let nextMs = startMs + pauseMs;
  return (nowMs: number): boolean => {
    if (nowMs < nextMs) return false;
    nextMs = nowMs + pauseMs;
    return true;
  };
}
