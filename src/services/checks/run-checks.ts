import type { Engine } from '../../database/engine.js';
import type { CheckKind, Difference, Part, Suspect } from '../../stores/checks/part.js';

/** What one check found. */
export interface CheckResult {
  readonly kind: CheckKind;
  /** See `Part.of`. */
  readonly of: string;
  readonly checked: number;
  readonly differing: number;
  readonly mended: number;
  /** Some of the differences. */
  readonly examples: readonly string[];
}

export interface CheckOptions {
  readonly mends: boolean;
  /** Ends the work between two chunks. */
  readonly signal: AbortSignal;
  /** Called after each chunk, with the check and how much it has looked at. */
  readonly onProgress?: (of: string, checked: number) => void;
}

/** Examples per check. */
const EXAMPLES = 5;

/** Suspects in one transaction, which others may wait for. */
const SETTLED = 20;

/**
 * Runs checks one after the other and yields their results, while others read and write: what seems to differ is looked at
 * again in a transaction before it counts, and is mended in the same one.
 */
export async function* runChecks(
  engine: Engine,
  parts: readonly Part[],
  options: CheckOptions,
): AsyncGenerator<CheckResult> {
  for (const part of parts) yield await runCheck(engine, part, options);
}

async function runCheck(
  engine: Engine,
  part: Part,
  { mends, signal, onProgress }: CheckOptions,
): Promise<CheckResult> {
  const result = { checked: 0, differing: 0, mended: 0 };
  const examples: string[] = [];
  for await (const { checked, suspects } of part.look(engine)) {
    signal.throwIfAborted();
    result.checked += checked;
    for (let at = 0; at < suspects.length; at += SETTLED) {
      signal.throwIfAborted();
      for (const [name, difference] of await settleAll(engine, suspects.slice(at, at + SETTLED), mends)) {
        result.differing += 1;
        if (mends) await difference.afterwards?.();
        if (mends && !difference.isLost) result.mended += 1;
        if (examples.length < EXAMPLES) examples.push(`${name}: ${difference.what}`);
      }
    }
    onProgress?.(part.of, result.checked);
  }
  return { kind: part.kind, of: part.of, ...result, examples };
}

function settleAll(
  engine: Engine,
  suspects: readonly Suspect[],
  mends: boolean,
): Promise<[name: string, Difference][]> {
  return engine.tx(mends ? 'mend' : 'check', async (tx) => {
    const differences: [string, Difference][] = [];
    for (const { name, settle } of suspects) {
      const difference = await settle(tx, mends);
      if (difference) differences.push([name, difference]);
    }
    return differences;
  });
}
