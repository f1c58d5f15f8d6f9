import { expect, onTestFinished, test, vi } from 'vitest';
import { PipitError } from '../../src/core/errors.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { seeded } from '../support/random-search.js';
import { rounds } from '../support/rounds.js';
import { WRITES } from '../processes/support/random-writes.js';
import { createScene, draw } from '../processes/support/scene.js';
import { pruned } from './support/pruned.js';
import { differencesIn } from './support/run-all-checks.js';

const SEED = Number(process.env['PIPIT_TEST_SEED'] ?? 7);
const CHECKS = rounds(3);
const WRITES_BETWEEN = 120;
const STEP_MS = 2;

vi.setConfig({ testTimeout: rounds(60_000) });

async function expectNone(app: TestApp, when: string): Promise<void> {
  const found = (await differencesIn(app)).flatMap(({ examples }) => examples).join('; ');
  expect(found, `${found} ${when}`).toBe('');
}

test(`after random writes of every kind, and after pruning, nothing differs, seed ${SEED}`, async () => {
  let nowMs = Date.parse('2022-10-07T22:42:12.000Z');
  const clock = (): number => nowMs;
  const app = await startTestApp({ clock });
  onTestFinished(app.close);
  const scene = await createScene(app, { random: seeded(SEED), clock });
  const kinds = Object.keys(WRITES);
  for (let round = 0; round < CHECKS; round += 1) {
    const done: string[] = [];
    for (let write = 0; write < WRITES_BETWEEN; write += 1) {
      nowMs += STEP_MS;
      const kind = draw(scene, kinds) ?? '';
      const concerned = await WRITES[kind]?.(app, scene).catch((error: unknown) => {
        if (!(error instanceof PipitError)) throw error;
      });
      if (concerned) done.push(kind);
    }
    await expectNone(app, `after ${done.slice(-30).join(', ')}`);
    await pruned(app, { importedBeforeMs: nowMs - Math.floor(scene.random() * 2_000_000) });
    await expectNone(app, 'after pruning');
  }
});
