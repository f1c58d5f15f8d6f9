import type { CommandIo } from './command.js';

/** The minimum time between progress lines: on a terminal, and elsewhere. */
const STATUS_MS = 200;
const LINE_MS = 1_000;

/** Shows what a long command works on and how many rows it has handled: as a status line, or as lines of JSON. */
export function createRowProgress({ note, showStatus }: CommandIo): {
  report(of: string, rows: number): void;
  end(): void;
} {
  const pauseMs = showStatus ? STATUS_MS : LINE_MS;
  let nextMs = performance.now() + pauseMs;
  return {
    report: (of, rows) => {
      const nowMs = performance.now();
      if (nowMs < nextMs) return;
      nextMs = nowMs + pauseMs;
      if (showStatus) showStatus(`${of}: ${rows}`);
      else note(JSON.stringify({ of, rows }));
    },
    end: () => showStatus?.(''),
  };
}
