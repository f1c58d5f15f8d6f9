import { expect, onTestFinished, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.js';
import { seeded } from '../support/random-search.js';
import { createSharedDatabase } from '../support/test-database.js';
import { WRITES } from '../processes/support/random-writes.js';
import { createScene, draw } from '../processes/support/scene.js';
import { PipitError } from '../../src/core/errors.js';
import { differencesIn } from './support/run-all-checks.js';

const CHECKS = 3;
const WRITERS = 4;
const ROUNDS = 12;

test('a check beside writers finds nothing, and a repair beside them breaks nothing', async () => {
  let nowMs = Date.parse('2022-10-07T22:42:12.000Z');
  const clock = (): number => (nowMs += 1);
  const database = await createSharedDatabase({ users: 'this process' });
  onTestFinished(database.remove);
  const start = async (world?: null): Promise<TestApp> => {
    const app = await startTestApp({ database, world, clock });
    onTestFinished(app.close);
    return app;
  };
  const [writing, checking] = [await start(), await start(null)];
  const scene = await createScene(writing, { random: seeded(11), clock });
  // Accounts are deleted in several transactions, and loading a world may meet them.
  const kinds = Object.keys(WRITES).filter((kind) => !['delete an account', 'load a world'].includes(kind));
  let isOver = false;
  let written = 0;
  const write = async (): Promise<void> => {
    while (!isOver) {
      const kind = draw(scene, kinds) ?? '';
      await WRITES[kind]?.(writing, scene).catch((error: unknown) => {
        if (!(error instanceof PipitError)) throw error;
      });
      written += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const writers = Array.from({ length: WRITERS }, write);
  try {
    for (let check = 0; check < CHECKS; check += 1) {
      expect(await differencesIn(checking)).toEqual([]);
      expect(await differencesIn(checking, { mends: true })).toEqual([]);
    }
  } finally {
    isOver = true;
    await Promise.all(writers);
  }
  expect(written).toBeGreaterThan(CHECKS);
  expect(await differencesIn(checking)).toEqual([]);
});

test('replies and quotes beside the deletion of their post leave no counts of it', async () => {
  const database = await createSharedDatabase({ users: 'this process' });
  onTestFinished(database.remove);
  const app = await startTestApp({ database });
  onTestFinished(app.close);
  const [alice, bob] = [await app.as('alice'), await app.as('bob')];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { body } = await app.post('/2/tweets', alice, { text: `Post ${round}` });
    const { id } = body.data;
    const [deleted] = await Promise.all([
      app.delete(`/2/tweets/${id}`, alice),
      app.post('/2/tweets', bob, { text: `Reply ${round}`, reply: { in_reply_to_tweet_id: id } }),
      app.post('/2/tweets', bob, { text: `Quote ${round}`, quote_tweet_id: id }),
    ]);
    expect(deleted.status).toBe(200);
  }
  expect(await differencesIn(app)).toEqual([]);
});
