import { jsonBody } from '../../api/body/body.js';
import { inPath, patternParam } from '../../api/params/params.js';
import { date, fullObject, listOf, object as objectOf, oneOf, text } from '../../core/json-schema.js';
import { matching, object, required } from '../../core/validators.js';
import { operation } from '../operation.js';
import type { NamedState } from '../states.js';
import { timeText } from '../times.js';

/** Clients take paths with `.` and `..` for others. */
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;

const snapshotFields = fullObject({ name: text, created_at: date, clock_mode: oneOf('running', 'frozen') });

const oneSnapshot = objectOf({ data: snapshotFields }, ['data']);

const params = { name: inPath(patternParam(NAME, 'The name of the snapshot.', 'before')) };

const createSnapshot = operation({
  operationId: 'createSandboxSnapshot',
  tag: 'Snapshots',
  summary: 'Keep the present state under a name',
  method: 'POST',
  path: '/snapshots',
  command: 'snapshot create',
  takesTurns: true,
  success: 201,
  conflicts: true,
  body: jsonBody(
    object({
      name: required(
        matching(NAME, { description: '1 to 64 letters, digits, dots, dashes and underscores, not . or ..' }),
      ),
    }),
  ),
  response: oneSnapshot,
  handler: async ({ states }, { body }) => ({ data: show(await states.keep(body.name)) }),
});

const listSnapshots = operation({
  operationId: 'listSandboxSnapshots',
  tag: 'Snapshots',
  summary: 'List the snapshots, oldest first',
  path: '/snapshots',
  command: 'snapshot list',
  response: objectOf({ data: listOf(snapshotFields) }, ['data']),
  handler: async ({ states }) => ({ data: states.list().map(show) }),
});

const restoreSnapshot = operation({
  operationId: 'restoreSandboxSnapshot',
  tag: 'Snapshots',
  summary: 'Return to the state of a snapshot',
  method: 'POST',
  path: '/snapshots/{name}/restore',
  command: 'snapshot restore',
  takesTurns: true,
  removes: true,
  params,
  response: oneSnapshot,
  handler: async ({ states }, { params: { name } }) => ({ data: show(await states.restore(name)) }),
});

const deleteSnapshot = operation({
  operationId: 'deleteSandboxSnapshot',
  tag: 'Snapshots',
  summary: 'Delete a snapshot',
  method: 'DELETE',
  path: '/snapshots/{name}',
  command: 'snapshot delete',
  takesTurns: true,
  params,
  response: oneSnapshot,
  handler: async ({ states }, { params: { name } }) => ({ data: show(await states.discard(name)) }),
});

export const snapshotOperations = [createSnapshot, listSnapshots, restoreSnapshot, deleteSnapshot];

function show({ name, createdAtMs, clock }: NamedState) {
  return {
    name,
    created_at: timeText(createdAtMs),
    clock_mode: clock.mode,
  };
}
