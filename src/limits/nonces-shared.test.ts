import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryNonces, type SignedOnce } from './nonces.js';
import { openSharedNonces } from './nonces-shared.js';

const NOW_SECONDS = 1_600_000_000;
const NOW_MS = NOW_SECONDS * 1000;
const claimed = (nonce: string, timestampSeconds = NOW_SECONDS): SignedOnce => ({
  consumerKey: 'key',
  token: 'token',
  timestampSeconds,
  nonce,
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pipit-nonces-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('nonces that several processes claim', () => {
  it('are new once, in whichever process, also for one that started later', () => {
    using one = openSharedNonces(folder);
    using other = openSharedNonces(folder);
    expect(one.claim(claimed('a'), NOW_MS)).toBe('new');
    expect(one.claim(claimed('a'), NOW_MS)).toBe('used');
    expect(other.claim(claimed('a'), NOW_MS)).toBe('used');
    expect(other.claim(claimed('b'), NOW_MS)).toBe('new');
    using later = openSharedNonces(folder);
    expect(later.claim(claimed('b'), NOW_MS)).toBe('used');
    expect(later.claim(claimed('c'), NOW_MS)).toBe('new');
    expect(one.claim(claimed('c'), NOW_MS)).toBe('used');
  });

  it('are those that one process would have accepted', () => {
    const steps = fc.array(
      fc.record({
        process: fc.nat({ max: 2 }),
        isRestarted: fc.boolean(),
        nonce: fc.constantFrom('a', 'b', 'c', 'd'),
        offsetSeconds: fc.constantFrom(-250, -5, 0, 5, 15),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (claims) => {
        const own = mkdtempSync(join(folder, 'run-'));
        const stores = [0, 1, 2].map(() => openSharedNonces(own));
        const model = createMemoryNonces();
        for (const { process, isRestarted, nonce, offsetSeconds } of claims) {
          if (isRestarted) {
            stores[process]?.[Symbol.dispose]();
            stores[process] = openSharedNonces(own);
          }
          const key = claimed(nonce, NOW_SECONDS + offsetSeconds);
          expect(stores[process]?.claim(key, NOW_MS)).toBe(model.claim(key, NOW_MS));
        }
        for (const store of stores) store[Symbol.dispose]();
      }),
      { numRuns: 50 },
    );
  });

  it('are read however many were claimed elsewhere', () => {
    using one = openSharedNonces(folder);
    using other = openSharedNonces(folder);
    for (let index = 0; index < 5000; index += 1) one.claim(claimed(String(index)), NOW_MS);
    expect(other.claim(claimed('4999'), NOW_MS)).toBe('used');
    expect(other.claim(claimed('5000'), NOW_MS)).toBe('new');
    expect(one.claim(claimed('5000'), NOW_MS)).toBe('used');
  });

  it('leave no files behind when their timestamps are no longer accepted', () => {
    using nonces = openSharedNonces(folder);
    nonces.claim(claimed('a'), NOW_MS);
    expect(readdirSync(folder)).toHaveLength(1);
    nonces.claim(claimed('b', NOW_SECONDS + 400), NOW_MS + 400_000);
    expect(readdirSync(folder)).toEqual([String((NOW_SECONDS + 400) / 10)]);
  });
});
