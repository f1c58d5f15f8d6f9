import type { Clock } from '../core/clock.js';

/** How a sandbox clock runs: with an offset to the real time, or not at all. */
export type ClockState =
  | { readonly mode: 'running'; readonly offsetMs: number }
  | { readonly mode: 'frozen'; readonly timeMs: number };

/** The clock of a sandbox. It never steps back, except to the state of a restored snapshot. */
export type SandboxClock = ReturnType<typeof createSandboxClock>;

/** Creates a clock that runs with the real time `real` until it is frozen or moved. */
export function createSandboxClock(real: Clock) {
  let state: ClockState = { mode: 'running', offsetMs: 0 };
  const now: Clock = () => (state.mode === 'frozen' ? state.timeMs : real() + state.offsetMs);
  return {
    now,
    /** The present state, for `restore`. */
    state: (): ClockState => state,
    restore: (earlier: ClockState): void => {
      state = earlier;
    },
    /** Stops the clock at its present time. */
    freeze: (): void => {
      state = { mode: 'frozen', timeMs: now() };
    },
    /** Lets the clock run from its present time. */
    run: (): void => {
      state = { mode: 'running', offsetMs: now() - real() };
    },
    /** Moves the clock forward; a time in the past changes nothing. */
    moveTo: (timeMs: number): void => {
      const targetMs = Math.max(timeMs, now());
      state =
        state.mode === 'frozen'
          ? { mode: 'frozen', timeMs: targetMs }
          : { mode: 'running', offsetMs: state.offsetMs + targetMs - now() };
    },
  };
}
