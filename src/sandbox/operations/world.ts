import { jsonBody } from '../../api/body/body.js';
import { counts, fullObject } from '../../core/json-schema.js';
import { isObject, type Validator } from '../../core/validators.js';
import { Answer } from '../../http/answer.js';
import { exportWorld } from '../../world/export/export-world.js';
import { SECTIONS } from '../../world/pass.js';
import { operation } from '../operation.js';

const tag = 'World';

/** A network of 10,000 posts takes 3 MB. */
const MAX_WORLD_BYTES = 64 * 1024 ** 2;

/** Takes any object: the loader checks it and names every fault. */
const worldDocument: Validator<Readonly<Record<string, unknown>>> = {
  schema: { type: 'object', description: 'A world file (docs/world-file.schema.json).' },
  check: (value, path, faults) =>
    isObject(value) ? value : faults.report(path, { kind: 'type', expected: 'object' }, value),
};

const body = jsonBody(worldDocument, { maxBytes: MAX_WORLD_BYTES });

const added = fullObject({ data: fullObject({ added: counts(...SECTIONS) }) });

const getWorld = operation({
  operationId: 'getSandboxWorld',
  tag,
  summary: 'The whole network as a world file',
  path: '/world',
  command: 'world export',
  conflicts: true,
  response: { type: 'object' },
  handler: async ({ publicUrl, server }) => {
    const { backend, media, app } = server.pipit;
    await app.shell.context.usage.flush();
    return new Answer(200, await exportWorld({ ...backend, publicUrl, blobs: media.blobs }));
  },
});

const addWorld = operation({
  operationId: 'addSandboxWorld',
  tag,
  summary: 'Add a world file to the network',
  method: 'POST',
  path: '/world',
  command: 'world load',
  takesTurns: true,
  body,
  response: added,
  handler: async ({ states }, { body: document }) => ({ data: { added: await states.load(document) } }),
});

const putWorld = operation({
  operationId: 'replaceSandboxWorld',
  tag,
  summary: 'Replace the network by a world file, to which resets return from then on',
  method: 'PUT',
  path: '/world',
  command: 'world replace',
  takesTurns: true,
  body,
  response: added,
  handler: async ({ states }, { body: document }) => ({ data: { added: await states.become(document) } }),
});

export const worldOperations = [getWorld, addWorld, putWorld];
