import { invalidRequest } from '../core/errors.js';
import type { SandboxClock } from './clock.js';
import type { CurrentServer } from './current-server.js';
import { doCausedWork, findNextDueMs, isLongMovement } from './due-work.js';
import { requireTime, timeText } from './times.js';

/** Moves the clock of a sandbox forward. */
export type ClockControl = ReturnType<typeof createClockControl>;

interface ClockControlDeps {
  readonly clock: SandboxClock;
  readonly server: CurrentServer;
}

/** Creates the control of a sandbox's clock and of the work that becomes due. */
export function createClockControl({ clock, server }: ClockControlDeps) {
  /** Sets the clock. Renews leases that would expire only because it jumps, since requests may run meanwhile. */
  const jump = async (timeMs: number): Promise<void> => {
    await server.pipit.backend.renewIds(timeMs);
    clock.moveTo(timeMs);
    await server.pipit.streams.connections.renew();
  };
  /** Does what is due, and resolves when nothing is: requests wait, as each may cause more. */
  const doDue = async (): Promise<void> => {
    await server.holding(() => doCausedWork(server.pipit));
    // Receivers may send requests.
    await server.pipit.webhooks.runDue();
  };
  const moveTo = async (timeMs: number): Promise<void> => {
    requireReachable(clock, timeMs);
    const isLong = isLongMovement(timeMs - clock.now());
    await doDue();
    for (;;) {
      const dueMs = await findNextDueMs(server.pipit, clock.now(), isLong);
      if (dueMs > timeMs) break;
      await jump(dueMs);
      await doDue();
    }
    await jump(timeMs);
    await doDue();
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
  requireTime(timeMs);
}
