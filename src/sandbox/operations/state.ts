import { jsonBody } from '../../api/body/body.js';
import {
  count,
  fullObject,
  listOf,
  nullable,
  object as objectOf,
  schemaOf,
  text,
  url,
} from '../../core/json-schema.js';
import { integer, object } from '../../core/validators.js';
import { MAX_SEED } from '../../server/config.js';
import { pipitVersion } from '../../server/pipit-version.js';
import { operation } from '../operation.js';
import type { Sandbox } from '../sandbox.js';
import { timeField } from '../times.js';
import { clockFields, showClock } from './clock.js';

const stateFields = fullObject({
  version: text,
  base_url: url,
  clock: clockFields,
  snapshots: listOf(text),
  journal: fullObject({ count }),
  faults: fullObject({ count }),
  seed: nullable(schemaOf('integer', { minimum: 0, maximum: MAX_SEED })),
});

const stateAnswer = objectOf({ data: stateFields }, ['data']);

const getState = operation({
  operationId: 'getSandboxState',
  tag: 'State',
  summary: 'The state of the sandbox: its clock and seed, its snapshots and rules',
  path: '',
  command: 'state',
  response: stateAnswer,
  handler: async (sandbox) => ({ data: describe(sandbox) }),
});

const reset = operation({
  operationId: 'resetSandbox',
  tag: 'State',
  summary: 'Return to the loaded world',
  method: 'POST',
  path: '/reset',
  command: 'reset',
  takesTurns: true,
  removes: true,
  body: jsonBody(
    object({
      seed: integer({
        min: 0,
        max: MAX_SEED,
        description: 'Freezes the clock and makes ids, times and drawn values the same at each run.',
      }),
      time: timeField('The time at which the clock is frozen; not before the newest post of the world.'),
    }),
  ),
  response: stateAnswer,
  handler: async (sandbox, { body: { seed, time } }) => {
    await sandbox.states.reset({ seed, timeMs: time });
    return { data: describe(sandbox) };
  },
});

export const stateOperations = [getState, reset];

function describe({ clock, publicUrl, states, journal, faults }: Sandbox) {
  return {
    version: pipitVersion(),
    base_url: publicUrl,
    clock: showClock(clock),
    seed: states.seed ?? null,
    snapshots: states.list().map(({ name }) => name),
    journal: { count: journal.count() },
    faults: { count: faults.list().length },
  };
}
