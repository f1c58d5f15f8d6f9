import { expect, test } from 'vitest';
import { createGathering } from './gathering.js';

/** Resolves when the current turn of the event loop has ended. */
const turnEnds = () => new Promise((resolve) => setImmediate(resolve));

test('all arrivals of a turn go on together after its end, in their order', async () => {
  const steps: string[] = [];
  const gather = createGathering(() => steps.push('begin'));
  const arrive = async (name: string) => {
    await gather();
    steps.push(name);
  };
  const arrived = [arrive('a'), arrive('b'), arrive('c')];
  await Promise.resolve();
  expect(steps).toEqual([]);
  await Promise.all(arrived);
  expect(steps).toEqual(['begin', 'a', 'b', 'c']);
});

test('later arrivals wait for the end of a later turn', async () => {
  let begun = 0;
  const gather = createGathering(() => (begun += 1));
  await gather();
  expect(begun).toBe(1);
  await turnEnds();
  expect(begun).toBe(1);
  await Promise.all([gather(), gather()]);
  expect(begun).toBe(2);
});
