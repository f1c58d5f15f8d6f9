import { hash } from 'node:crypto';
import { TIMESTAMP_SKEW_SECONDS } from './protocol.js';

/** What must never come twice (RFC 5849 3.3). */
export interface SignedOnce {
  readonly consumerKey: string;
  readonly token: string;
  readonly timestampSeconds: number;
  readonly nonce: string;
}

/** `new`: claimed now. `used`: seen before. `forgotten`: too old for this store to tell, so it must be refused. */
export type NonceClaim = 'new' | 'used' | 'forgotten';

/** Remembers nonces for as long as their timestamps are accepted. */
export interface NonceStore {
  /** Claims a nonce in one step: of two equal claims one gets `new`. Call it only after the signature verified. */
  claim(key: SignedOnce, nowMs: number): NonceClaim;
}

/** About 100 bytes each. */
const DEFAULT_MAX_ENTRIES = 500_000;
const BUCKET_SECONDS = 10;

/**
 * Nonces in this process's memory, in buckets of 10 seconds of their timestamps. A bucket goes when no timestamp in it
 * is accepted any more. At `maxEntries` the oldest bucket goes early and its timestamps count as `forgotten`: under such
 * a load the accepted skew shrinks, but nothing can be replayed.
 */
export function createMemoryNonces(maxEntries = DEFAULT_MAX_ENTRIES): NonceStore & { size(): number } {
  const buckets = new Map<number, Set<string>>();
  let entries = 0;
  let firstKept = 0;
  let sweptAt = 0;

  const drop = (bucket: number) => {
    entries -= buckets.get(bucket)?.size ?? 0;
    buckets.delete(bucket);
  };
  const sweep = (nowMs: number) => {
    const firstAccepted = bucketOf(nowMs / 1000 - TIMESTAMP_SKEW_SECONDS);
    if (firstAccepted === sweptAt) return;
    sweptAt = firstAccepted;
    for (const bucket of buckets.keys()) if (bucket < firstAccepted) drop(bucket);
  };
  const dropOldest = () => {
    const oldest = Math.min(...buckets.keys());
    drop(oldest);
    firstKept = Math.max(firstKept, oldest + 1);
  };

  return {
    size: () => entries,
    claim: (key, nowMs) => {
      sweep(nowMs);
      const bucket = bucketOf(key.timestampSeconds);
      if (bucket < firstKept) return 'forgotten';
      const digest = digestOf(key);
      const seen = buckets.get(bucket) ?? new Set<string>();
      if (seen.has(digest)) return 'used';
      buckets.set(bucket, seen.add(digest));
      entries += 1;
      if (entries > maxEntries) dropOldest();
      return 'new';
    },
  };
}

function bucketOf(seconds: number): number {
  return Math.floor(seconds / BUCKET_SECONDS);
}

/** 128 bits keep a long nonce from taking memory; the separator cannot occur in JSON-quoted members. */
function digestOf({ consumerKey, token, timestampSeconds, nonce }: SignedOnce): string {
  const text = JSON.stringify([consumerKey, token, timestampSeconds, nonce]);
  return hash('sha256', text, 'buffer').toString('latin1', 0, 16);
}
