import { invalidRequest } from '../core/errors.js';
import type { SandboxClock } from './clock.js';
import type { CurrentServer } from './current-server.js';
import { doDueWork, findNextDueMs } from './due-work.js';
import { MAX_TIME_MS, timeText } from './times.js';

/** Moves the clock of a sandbox forward. */
export type ClockControl = ReturnType<typeof createClockControl>;

interface ClockControlDeps {
  readonly clock: SandboxClock;
  readonly server: CurrentServer;
}

export function createClockControl({ clock, server }: ClockControlDeps) {
  /** Sets the clock and renews what would have expired only because the clock jumped. */
  const jump = async (timeMs: number): Promise<void> => {
    clock.moveTo(timeMs);
    await server.pipit.backend.renewIds();
    await server.pipit.streams.connections.renew();
  };
  const moveTo = async (timeMs: number): Promise<void> => {
    requireReachable(clock, timeMs);
    await doDueWork(server.pipit);
    for (;;) {
      const dueMs = await findNextDueMs(server.pipit, clock.now());
      if (dueMs > timeMs) break;
      await jump(dueMs);
      await doDueWork(server.pipit);
    }
    await jump(timeMs);
    await doDueWork(server.pipit);
  };
  return {
    /**
     * Moves the clock to a time, from one due time to the next, and resolves when all work that became due is done.
     * Throws a 400 for a time in the past.
     */
    moveTo: (timeMs: number) => server.exclusive(() => moveTo(timeMs)),
    /** Moves the clock by a duration as `moveTo` does. */
    advance: (durationMs: number) => server.exclusive(() => moveTo(clock.now() + durationMs)),
    /** Stops the clock, now or at a later time. Throws as `moveTo` does. */
    freeze: (timeMs?: number) =>
      server.exclusive(async () => {
        if (timeMs !== undefined) requireReachable(clock, timeMs);
        clock.freeze();
        if (timeMs !== undefined) await moveTo(timeMs);
      }),
    /** Lets the clock run. */
    run: () => server.exclusive(async () => clock.run()),
  };
}

function requireReachable(clock: SandboxClock, timeMs: number): void {
  const nowMs = clock.now();
  if (timeMs < nowMs) {
    const message = `The clock only moves forward, and it is ${timeText(nowMs)}`;
    throw invalidRequest('time', [timeText(timeMs)], message);
  }
  if (timeMs > MAX_TIME_MS) throw invalidRequest('time', [], 'The clock ends with the year 2079');
}
