import { jsonBody } from '../../api/body/body.js';
import { invalidRequest } from '../../core/errors.js';
import { date, fullObject, object as objectOf, oneOf } from '../../core/json-schema.js';
import { integer, object, required } from '../../core/validators.js';
import type { SandboxClock } from '../clock.js';
import { operation } from '../operation.js';
import { durationField, timeField, timeText } from '../times.js';

/** The clock in answers. */
export const clockFields = fullObject({ time: date, mode: oneOf('running', 'frozen') });

const common = { tag: 'Clock', response: objectOf({ data: clockFields }, ['data']) };

/** Returns the clock as answers show it. */
export function showClock(clock: SandboxClock) {
  return { time: timeText(clock.now()), mode: clock.state().mode };
}

const getClock = operation({
  ...common,
  operationId: 'getSandboxClock',
  summary: 'Show the time of the server',
  path: '/clock',
  command: 'clock',
  handler: async ({ clock }) => ({ data: showClock(clock) }),
});

const setClock = operation({
  ...common,
  operationId: 'setSandboxClock',
  summary: 'Move the clock forward to a time, with everything that becomes due until then',
  method: 'PUT',
  path: '/clock',
  command: 'clock set',
  takesTurns: true,
  body: jsonBody(object({ time: required(timeField('Not before the present time of the clock.')) })),
  handler: async ({ clock, clockControl }, { body }) => {
    await clockControl.moveTo(body.time);
    return { data: showClock(clock) };
  },
});

const freezeClock = operation({
  ...common,
  operationId: 'freezeSandboxClock',
  summary: 'Stop the clock, now or at a later time',
  method: 'POST',
  path: '/clock/freeze',
  command: 'clock freeze',
  takesTurns: true,
  body: jsonBody(object({ time: timeField('Not before the present time of the clock; by default now.') })),
  handler: async ({ clock, clockControl }, { body }) => {
    await clockControl.freeze(body.time);
    return { data: showClock(clock) };
  },
});

const runClock = operation({
  ...common,
  operationId: 'runSandboxClock',
  summary: 'Let the clock run from its present time',
  method: 'POST',
  path: '/clock/run',
  command: 'clock run',
  takesTurns: true,
  handler: async ({ clock, clockControl }) => {
    await clockControl.run();
    return { data: showClock(clock) };
  },
});

const MAX_MS = 60 * 366 * 86_400_000;

const advanceClock = operation({
  ...common,
  operationId: 'advanceSandboxClock',
  summary: 'Move the clock forward by a duration, with everything that becomes due until then',
  method: 'POST',
  path: '/clock/advance',
  command: 'clock advance',
  takesTurns: true,
  body: jsonBody(
    object({
      milliseconds: integer({ min: 0, max: MAX_MS }),
      seconds: integer({ min: 0, max: MAX_MS / 1_000 }),
      duration: durationField('A duration such as 90s, 2h or 1d12h.'),
    }),
  ),
  handler: async ({ clock, clockControl }, { body: { milliseconds, seconds, duration } }) => {
    const given = [milliseconds, seconds === undefined ? undefined : seconds * 1_000, duration];
    const [durationMs, ...others] = given.filter((each) => each !== undefined);
    if (durationMs === undefined || others.length > 0) {
      throw invalidRequest('$', [], 'Give one of milliseconds, seconds and duration');
    }
    await clockControl.advance(durationMs);
    return { data: showClock(clock) };
  },
});

export const clockOperations = [getClock, setClock, freezeClock, runClock, advanceClock];
