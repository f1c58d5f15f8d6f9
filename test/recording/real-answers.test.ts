import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fileSource } from '../../src/archive/source.js';
import { planReplay } from '../../src/recording/plan-replay.js';
import { readArchives } from '../../src/recording/read-archive.js';
import { SeenNetwork } from '../../src/recording/seen-network.js';
import { settleWorld } from '../../src/recording/settle-world.js';
import { worldOf } from '../../src/recording/world-of.js';
import { hasTwarcFiles, TWARC_FOLDER, twarcFiles } from '../archive/twarc-files.js';

/** The lines of twarc2 files are answers of the original. */

const title = hasTwarcFiles ? 'real answers' : `real answers: skipped without ${TWARC_FOLDER}`;

describe.skipIf(!hasTwarcFiles)(title, () => {
  test('become a world file that loads, of which nothing is left out', async () => {
    for (const file of twarcFiles()) {
      const seen = new SeenNetwork();
      const text = gunzipSync(readFileSync(join(TWARC_FOLDER, file))).toString();
      for (const json of text.split('\n').flatMap(parsed)) {
        seen.read({ method: 'GET', path: '/2/tweets/search/recent', query: new URLSearchParams(), json });
      }
      const { world } = worldOf(seen);
      const settled = await settleWorld(world, 'https://api.x.com');
      expect([file, settled.leftOut]).toEqual([file, 0]);
    }
  });

  test('are planned for a replay, each post once, after those that it refers to', async () => {
    const sources = await Promise.all(twarcFiles().map((file) => fileSource(join(TWARC_FOLDER, file))));
    const archived = await readArchives(sources, 100_000);
    const steps = planReplay(archived, 10);
    const ids = steps.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(archived.mainIds.filter((id) => !ids.includes(id))).toEqual([]);
    const times = steps.map(({ afterMs }) => afterMs);
    expect(times).toEqual([...times].sort((one, other) => one - other));
  });
});

/** Some files have text that is not JSON. */
function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
