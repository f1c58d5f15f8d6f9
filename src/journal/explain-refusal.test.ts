import { expect, it } from 'vitest';
import { explained, type Explanation } from '../core/explanation.js';
import { createExplainer } from './explain-refusal.js';

const WHY: Explanation = { step: 'nonce', summary: 'Used.' };

it('explains the first refused requests of each second', () => {
  let nowMs = 0;
  const explain = createExplainer(() => nowMs, 2);
  const found: Explanation[] = [];
  const refuse = () =>
    explain(
      explained(new Error(), () => WHY),
      () => ({}),
      (why) => found.push(why),
    );
  for (let count = 0; count < 5; count += 1) refuse();
  expect(found).toHaveLength(2);
  nowMs = 1_000;
  refuse();
  expect(found).toHaveLength(3);
});

it('says so if an explanation cannot be found, and nothing for errors without one', async () => {
  const explain = createExplainer(() => 0);
  const found: Explanation[] = [];
  const use = (why: Explanation) => void found.push(why);
  explain(new Error(), () => ({}), use);
  explain('text', () => ({}), use);
  explain(
    explained(new Error(), () => Promise.reject(new Error())),
    () => ({}),
    use,
  );
  explain(
    explained(new Error(), () => {
      throw new Error();
    }),
    () => ({}),
    use,
  );
  await Promise.resolve();
  expect(found).toHaveLength(2);
  expect(found[0]?.summary).toBe('The server could not find out why.');
});
