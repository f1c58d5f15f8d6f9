import { CommandRefused, type CommandIo } from './command.js';
import { createPace } from './progress-pace.js';

/** The options of long work in small steps. `signal` ends it; it reports the number of handled rows to `onProgress`. */
interface StepOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (of: string, rows: number) => void;
}

/**
 * Runs long work in small steps to its end and returns its results. The first stop request ends it after a step: then it
 * throws CommandRefused, which says what `interrupted` does. A second request exits immediately.
 */
export async function runSteps<T>(
  io: CommandIo,
  start: (options: StepOptions) => AsyncIterable<T>,
  interrupted: string,
): Promise<T[]> {
  const stop = new AbortController();
  void io.stopRequested().then(() => {
    io.note('stopping after the current step');
    stop.abort();
  });
  const results: T[] = [];
  try {
    for await (const result of start({ signal: stop.signal, onProgress: progressOf(io) }))
      results.push(result);
    return results;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    throw new CommandRefused(`interrupted: ${interrupted}`, 130);
  } finally {
    io.showStatus?.('');
  }
}

/** Shows progress as a status line, or as lines of JSON. */
function progressOf(io: CommandIo): StepOptions['onProgress'] {
  const isTime = createPace(io);
  return (of, rows) => {
    if (!isTime(performance.now())) return;
    if (io.showStatus) io.showStatus(`${of}: ${rows}`);
    else io.note(JSON.stringify({ of, rows }));
  };
}
