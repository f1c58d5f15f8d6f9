import type { Connection } from './connection.js';

/** The time of the server. */
export interface ClockReading {
  /** Such as `2026-01-02T03:04:05.000Z`. */
  readonly time: string;
  readonly mode: 'running' | 'frozen';
}

export type Clock = ReturnType<typeof createClock>;

/** Creates the control of the server's clock, which never steps back. */
export function createClock({ control }: Connection) {
  return {
    /** Returns the time of the server. */
    read: () => control<ClockReading>('GET', '/clock'),
    /** Stops the clock, at its present time or at a later one. */
    freeze: (time?: string | Date) =>
      control<ClockReading>('POST', '/clock/freeze', {
        body: time === undefined ? {} : { time: textOf(time) },
      }),
    /** Lets the clock run again. */
    run: () => control<ClockReading>('POST', '/clock/run'),
    /** Moves the clock to a later time; everything that is due until then happens in its order. */
    set: (time: string | Date) => control<ClockReading>('PUT', '/clock', { body: { time: textOf(time) } }),
    /** Moves the clock forward by milliseconds or a duration such as `2h`, as `set` does. */
    advance: (by: number | string) =>
      control<ClockReading>('POST', '/clock/advance', {
        body: typeof by === 'number' ? { milliseconds: by } : { duration: by },
      }),
  };
}

function textOf(time: string | Date): string {
  return typeof time === 'string' ? time : time.toISOString();
}
