import type { CommandIo } from './command.js';

/** Returns a signal that aborts at the first stop request, for work in small steps. A second request exits immediately. */
export function stopBetweenSteps(io: CommandIo): AbortSignal {
  const stop = new AbortController();
  void io.stopRequested().then(() => {
    io.note('stopping after the current step');
    stop.abort();
  });
  return stop.signal;
}
