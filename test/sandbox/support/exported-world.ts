import { expect } from 'vitest';
import type { LooseJson } from '../../support/loose-json.js';
import { requireInSchema } from '../../support/world-schema.js';
import { startTestSandbox, type TestSandbox } from './sandbox.js';

/** Returns the world file of a sandbox. */
export async function exported({ control }: TestSandbox): Promise<LooseJson> {
  const { status, body } = await control('GET', '/world');
  expect(status).toBe(200);
  return body;
}

/**
 * Loads the export of a sandbox into an empty one and checks that its export is the same and that these requests of a
 * token are answered the same. Returns the export.
 */
export async function requireSameWhenLoaded(
  pipit: TestSandbox,
  asked: readonly (readonly [path: string, token: string])[],
): Promise<LooseJson> {
  const world = await exported(pipit);
  requireInSchema(world);
  await using other = await startTestSandbox({ world: null });
  const replaced = await other.control('PUT', '/world', world);
  expect([replaced.status, replaced.body.errors]).toEqual([200, undefined]);
  expect(await exported(other)).toEqual(world);
  for (const [path, token] of asked) {
    const [before, after] = [await pipit.send('GET', path, token), await other.send('GET', path, token)];
    expect([path, before.status, before.body.errors]).toEqual([path, 200, undefined]);
    expect([path, stable(after.body)]).toEqual([path, stable(before.body)]);
  }
  return world;
}

/** Returns a body without what depends on the server or the moment: page tokens and the time of the answer. */
function stable(body: LooseJson): unknown {
  return JSON.parse(
    JSON.stringify(body)
      .replaceAll(/"(next_token|previous_token|sent)":"[^"]*"/g, '"$1":""')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://pipit.test'),
  );
}
