import { expect } from 'vitest';
import { worldDeps } from '../../../src/server/backend.js';
import { exportWorld } from '../../../src/world/export/export-world.js';
import { loadWorld } from '../../../src/world/load-world.js';
import { startTestApp, TEST_URL, type TestApp, type TestAppOptions } from '../../support/app.js';
import type { LooseJson } from '../../support/loose-json.js';
import { requireInSchema } from '../../support/world-schema.js';

/** Returns the world file of a server. */
export async function exportOf({ pipit }: TestApp): Promise<LooseJson> {
  await pipit.app.shell.context.usage.flush();
  const deps = { ...pipit.backend, publicUrl: TEST_URL, blobs: pipit.media.blobs };
  const world: unknown = JSON.parse(JSON.stringify(await exportWorld(deps)));
  requireInSchema(world);
  return world;
}

/** Starts a server that has loaded a world file with its files. */
export async function startWith(world: unknown, options: TestAppOptions = {}): Promise<TestApp> {
  const app = await startTestApp({ ...options, world: null });
  await loadWorld(worldDeps(app.pipit.backend, app.pipit.writer, app.pipit.media.blobs), world);
  return app;
}

/** A request and the token that it is sent with. */
export type Asked = readonly [path: string, token: string];

/**
 * Loads the export of a server into an empty one and checks that its export is the same, to the byte, and that these
 * requests are answered the same. Returns the export and the other server.
 */
export async function startCopy(
  app: TestApp,
  asked: readonly Asked[],
  options: TestAppOptions = {},
): Promise<{ readonly world: LooseJson; readonly copy: TestApp }> {
  const world = await exportOf(app);
  const copy = await startWith(world, options);
  try {
    expect(await exportOf(copy)).toEqual(world);
    expect(JSON.stringify(await exportOf(copy))).toBe(JSON.stringify(world));
    for (const [path, token] of asked) {
      const [before, after] = [await app.get(path, token), await copy.get(path, token)];
      expect([path, before.status, before.body.errors]).toEqual([path, 200, undefined]);
      expect([path, stable(after.body)]).toEqual([path, stable(before.body)]);
    }
    return { world, copy };
  } catch (error) {
    await copy.close();
    throw error;
  }
}

/** Returns a body without what depends on the server or the moment: page tokens and the time of the answer. */
function stable(body: LooseJson): unknown {
  const text = JSON.stringify(body);
  return JSON.parse(text.replaceAll(/"(next_token|previous_token|sent)":"[^"]*"/g, '"$1":""'));
}
