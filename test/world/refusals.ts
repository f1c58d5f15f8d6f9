import { afterAll, beforeAll, expect } from 'vitest';
import { WorldRefused } from '../../src/world/faults.js';
import { startTestApp, type TestApp } from '../support/app.js';

/** A rule, a document that violates it, the path of the fault, and its reason. */
export type Refusal = readonly [rule: string, document: unknown, path: string, reason: RegExp];

export interface Refuser {
  /** Returns the faults of a document as `path: reason`. */
  faultsOf(document: unknown): Promise<string[]>;
  expectRefusal(document: unknown, path: string, reason: RegExp): Promise<void>;
}

/**
 * Loads documents into one database with the standard world for the whole file, as refused documents change nothing.
 */
export function createRefuser(): Refuser {
  let app: TestApp | undefined;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app?.close());
  const faultsOf = async (document: unknown): Promise<string[]> => {
    const refused: unknown = await app?.load(document).catch((error: unknown) => error);
    if (refused === undefined) return [];
    if (!(refused instanceof WorldRefused)) throw refused;
    return refused.faults.map(({ path, reason }) => `${path}: ${reason}`);
  };
  return {
    faultsOf,
    expectRefusal: async (document, path, reason) => {
      const faults = await faultsOf(document);
      const [fault = 'none'] = faults.filter((line) => line.startsWith(`${path}: `));
      expect(fault, faults.join('\n')).toMatch(reason);
    },
  };
}
