import { type Captured, explainOf, type Explanation } from '../core/explanation.js';
import type { NewEntry } from './entry.js';

/** What an explanation adds to an entry. */
type Explained = Pick<NewEntry, 'refusal' | 'namedAppId'>;

/** Explaining costs up to some 20 ms; of a flood of refused requests, these are enough. */
const MAX_EXPLANATIONS_PER_SECOND = 10;

/**
 * Creates a function that passes the explanation of an error to `use`, at once where nothing must be read, later
 * otherwise, and not at all if the error has none. Of each second only the first few errors are explained. `nowMs` is a
 * monotonic clock.
 */
export function createExplainer(nowMs: () => number, maxPerSecond = MAX_EXPLANATIONS_PER_SECOND) {
  let sinceMs = -Infinity;
  let count = 0;
  const admits = (): boolean => {
    if (nowMs() - sinceMs >= 1_000) {
      sinceMs = nowMs();
      count = 0;
    }
    count += 1;
    return count <= maxPerSecond;
  };
  return (failure: unknown, captured: () => Captured, use: (explanation: Explanation) => void): void => {
    const explain = explainOf(failure);
    if (!explain || !admits()) return;
    try {
      const explanation = explain(captured());
      if (!(explanation instanceof Promise)) return use(explanation);
      explanation.then(
        (found) => found && use(found),
        () => use(FAILED),
      );
    } catch {
      use(FAILED);
    }
  };
}

const FAILED: Explanation = { step: 'credentials', summary: 'The server could not find out why.' };

/** Adds an explanation to an entry. */
export function withExplanation(entry: NewEntry, explanation: Explanation): NewEntry {
  return { ...entry, ...explainedRefusal(entry, explanation) };
}

function explainedRefusal({ refusal }: NewEntry, { appId, ...explanation }: Explanation): Explained {
  return {
    ...(refusal && { refusal: { ...refusal, explanation } }),
    ...(appId !== undefined && { namedAppId: String(appId) }),
  };
}
