import { describe, expect, it } from 'vitest';
import { createNonceMemory, seenNonce, type SignedOnce } from './nonces.js';

const NOW_SECONDS = 1_600_000_000;
const NOW_MS = NOW_SECONDS * 1000;

const claimed = (overrides: Partial<SignedOnce> = {}): SignedOnce => ({
  consumerKey: 'key',
  token: 'token',
  timestampSeconds: NOW_SECONDS,
  nonce: 'nonce',
  ...overrides,
});

function createNonces(maxEntries?: number) {
  const memory = createNonceMemory(maxEntries);
  return {
    size: memory.size,
    claim: (key: SignedOnce, nowMs: number) => memory.add(seenNonce(key), nowMs),
  };
}

describe('nonces', () => {
  it('are new once per key, token and timestamp (RFC 5849 3.3)', () => {
    const nonces = createNonces();
    expect(nonces.claim(claimed(), NOW_MS)).toBe('new');
    expect(nonces.claim(claimed(), NOW_MS)).toBe('used');
    expect(nonces.claim(claimed({ consumerKey: 'other' }), NOW_MS)).toBe('new');
    expect(nonces.claim(claimed({ token: 'other' }), NOW_MS)).toBe('new');
    expect(nonces.claim(claimed({ timestampSeconds: NOW_SECONDS + 1 }), NOW_MS)).toBe('new');
    expect(nonces.claim(claimed({ nonce: 'other' }), NOW_MS)).toBe('new');
    expect(nonces.claim(claimed({ consumerKey: 'keyto', token: 'ken' }), NOW_MS)).toBe('new');
  });

  it('are remembered for as long as their timestamp is accepted, then forgotten', () => {
    const nonces = createNonces();
    nonces.claim(claimed(), NOW_MS);
    expect(nonces.claim(claimed(), NOW_MS + 300_000)).toBe('used');
    nonces.claim(claimed({ timestampSeconds: NOW_SECONDS + 311 }), NOW_MS + 311_000);
    expect(nonces.size()).toBe(1);
  });

  it('use bounded memory: when it is full the oldest timestamps are refused, and no nonce can be replayed', () => {
    const nonces = createNonces(100);
    for (let index = 0; index < 1000; index += 1) {
      const timestampSeconds = NOW_SECONDS - 200 + Math.floor(index / 5);
      nonces.claim(claimed({ nonce: String(index), timestampSeconds }), NOW_MS);
    }
    expect(nonces.size()).toBeLessThanOrEqual(100);
    expect(nonces.claim(claimed({ nonce: '0', timestampSeconds: NOW_SECONDS - 200 }), NOW_MS)).toBe(
      'forgotten',
    );
    expect(nonces.claim(claimed({ nonce: '999', timestampSeconds: NOW_SECONDS - 1 }), NOW_MS)).toBe('used');
  });

  it('of one consumer do not displace those of others, regardless of their number and timestamps', () => {
    const nonces = createNonces(100);
    const quiet = claimed({ consumerKey: 'quiet', timestampSeconds: NOW_SECONDS - 290 });
    expect(nonces.claim(quiet, NOW_MS)).toBe('new');
    for (let index = 0; index < 1000; index += 1) {
      nonces.claim(claimed({ nonce: String(index), timestampSeconds: NOW_SECONDS + (index % 60) }), NOW_MS);
    }
    expect(nonces.size()).toBeLessThanOrEqual(100);
    expect(nonces.claim(quiet, NOW_MS)).toBe('used');
    expect(nonces.claim({ ...quiet, nonce: 'next' }, NOW_MS)).toBe('new');
  });
});
