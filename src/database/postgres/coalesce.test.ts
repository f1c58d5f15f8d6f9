import { expect, test } from 'vitest';
import { coalesce } from './coalesce.js';

/** Creates rounds that the test completes by hand. */
function rounds() {
  const answers: (() => void)[] = [];
  const fence = coalesce(() => new Promise<void>((resolve) => answers.push(resolve)));
  const passed: string[] = [];
  return {
    passed,
    sent: () => answers.length,
    come: (name: string) => void fence().then(() => passed.push(name)),
    answer: async (number: number) => {
      answers[number]?.();
      await turn();
    },
  };
}

const turn = (): Promise<void> => new Promise(setImmediate);

test('callers of one turn share a round', async () => {
  const { come, sent, answer, passed } = rounds();
  come('first');
  await Promise.resolve();
  come('second');
  expect(sent()).toBe(0);
  await turn();
  expect(sent()).toBe(1);
  expect(passed).toEqual([]);
  await answer(0);
  expect(passed).toEqual(['first', 'second']);
});

test('a caller during a round waits for the next one', async () => {
  const { come, sent, answer, passed } = rounds();
  come('first');
  await turn();
  come('late');
  await turn();
  expect(sent()).toBe(1);
  await answer(0);
  expect(passed).toEqual(['first']);
  await turn();
  expect(sent()).toBe(2);
  await answer(1);
  expect(passed).toEqual(['first', 'late']);
  await turn();
  expect(sent()).toBe(2);
});
