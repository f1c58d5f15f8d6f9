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
  /** Remembers a nonce that was claimed elsewhere. */
  learn(nonce: SeenNonce, nowMs: number): void;
  /** All that are remembered. */
  all(): Iterable<SeenNonce>;
}

/** A nonce as it is remembered: its digest, a character a byte, and the bucket that it is in. */
export interface SeenNonce {
  readonly bucket: number;
  readonly digest: string;
}

/** About 100 bytes each. */
const DEFAULT_MAX_ENTRIES = 500_000;
const BUCKET_SECONDS = 10;

/** 128 bits: nobody finds two nonces of one digest. */
export const DIGEST_BYTES = 16;

/** Digests of nonces, in buckets of 10 seconds of their timestamps. */
export interface NonceMemory {
  /** Remembers a digest; tells whether it was there. */
  add(nonce: SeenNonce, nowMs: number): NonceClaim;
  all(): Iterable<SeenNonce>;
  size(): number;
}

/** Nonces in this process's memory. See `createNonceMemory` for `maxEntries`. */
export function createMemoryNonces(maxEntries = DEFAULT_MAX_ENTRIES): NonceStore & { size(): number } {
  const memory = createNonceMemory(maxEntries);
  return {
    size: memory.size,
    all: memory.all,
    learn: (nonce, nowMs) => void memory.add(nonce, nowMs),
    claim: (key, nowMs) => memory.add(seenNonce(key), nowMs),
  };
}

/**
 * A bucket goes when no timestamp in it is accepted any more. At `maxEntries` the oldest bucket goes early and its
 * timestamps count as `forgotten`: under such a load the accepted skew shrinks, but nothing can be replayed.
 */
export function createNonceMemory(maxEntries = DEFAULT_MAX_ENTRIES): NonceMemory {
  const buckets = new Map<number, Set<string>>();
  let entries = 0;
  let firstKept = 0;
  let sweptAt = 0;

  const drop = (bucket: number) => {
    entries -= buckets.get(bucket)?.size ?? 0;
    buckets.delete(bucket);
  };
  const sweep = (nowMs: number) => {
    const firstAccepted = firstAcceptedBucket(nowMs);
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
    all: function* () {
      for (const [bucket, digests] of buckets) for (const digest of digests) yield { bucket, digest };
    },
    add: ({ bucket, digest }, nowMs) => {
      sweep(nowMs);
      if (bucket < firstKept) return 'forgotten';
      const seen = buckets.get(bucket) ?? new Set<string>();
      if (seen.has(digest)) return 'used';
      buckets.set(bucket, seen.add(digest));
      entries += 1;
      if (entries > maxEntries) dropOldest();
      return 'new';
    },
  };
}

/** A nonce as it is remembered. */
export function seenNonce(key: SignedOnce): SeenNonce {
  return { bucket: bucketOf(key.timestampSeconds), digest: digestOf(key).toString('latin1') };
}

/** The bucket that a timestamp's nonces are in. */
export function bucketOf(timestampSeconds: number): number {
  return Math.floor(timestampSeconds / BUCKET_SECONDS);
}

/** The oldest bucket with timestamps that are accepted. */
export function firstAcceptedBucket(nowMs: number): number {
  return bucketOf(nowMs / 1000 - TIMESTAMP_SKEW_SECONDS);
}

/** 16 bytes: a long nonce takes no more room. The members are apart as JSON's quotes cannot occur in its strings. */
export function digestOf({ consumerKey, token, timestampSeconds, nonce }: SignedOnce): Buffer {
  const text = JSON.stringify([consumerKey, token, timestampSeconds, nonce]);
  return hash('sha256', text, 'buffer').subarray(0, DIGEST_BYTES);
}
