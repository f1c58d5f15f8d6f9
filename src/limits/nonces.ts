import { hash } from 'node:crypto';

/** The maximum age of a timestamp. */
export const TIMESTAMP_SKEW_SECONDS = 300;

/** The maximum lead of a timestamp over our clock: nonces with such timestamps are kept longer than others. */
export const TIMESTAMP_AHEAD_SECONDS = 60;

/** The combination that must be unique (RFC 5849 3.3). */
export interface SignedOnce {
  readonly consumerKey: string;
  readonly token: string;
  readonly timestampSeconds: number;
  readonly nonce: string;
}

/**
 * `new`: claimed now. `used`: claimed before. `forgotten`: too old for this store to decide, so it must be refused.
 */
export type NonceClaim = 'new' | 'used' | 'forgotten';

/** Remembers nonces while their timestamps are valid. */
export interface NonceStore {
  /** Claims a nonce atomically: one of two equal claims returns `new`. Call it only after verifying the signature. */
  claim(key: SignedOnce, nowMs: number): NonceClaim;
}

/** A remembered nonce: its digest, one character per byte, and its bucket. */
export interface SeenNonce {
  readonly bucket: number;
  readonly digest: string;
}

/** About 100 bytes each. */
const DEFAULT_MAX_ENTRIES = 500_000;
const BUCKET_SECONDS = 10;

/** The length of the consumer's prefix in a digest. */
const CONSUMER_BYTES = 8;

/** 128 bits: collisions cannot be found in practice. */
const NONCE_BYTES = 16;

export const DIGEST_BYTES = CONSUMER_BYTES + NONCE_BYTES;

/** The nonces of one consumer. */
interface ConsumerNonces {
  readonly buckets: Map<number, Set<string>>;
  entries: number;
  /** Timestamps before this bucket count as forgotten. */
  firstKept: number;
}

/**
 * Creates the memory of nonces: digests by consumer, in buckets of 10 seconds by timestamp. A bucket is removed when
 * all its timestamps are invalid. At `maxEntries` the consumer
 * with the most nonces loses its oldest bucket, whose timestamps then count as `forgotten`: the accepted skew shrinks
 * for this consumer only, and nothing can be replayed.
 */
export function createNonceMemory(maxEntries = DEFAULT_MAX_ENTRIES) {
  const consumers = new Map<string, ConsumerNonces>();
  let entries = 0;
  let sweptAt = 0;

  const consumerOf = (digest: string): ConsumerNonces => {
    const key = digest.slice(0, CONSUMER_BYTES);
    const known = consumers.get(key);
    if (known) return known;
    const created = { buckets: new Map<number, Set<string>>(), entries: 0, firstKept: 0 };
    consumers.set(key, created);
    return created;
  };
  const drop = (consumer: ConsumerNonces, bucket: number): void => {
    const dropped = consumer.buckets.get(bucket)?.size ?? 0;
    entries -= dropped;
    consumer.entries -= dropped;
    consumer.buckets.delete(bucket);
  };
  const sweep = (nowMs: number): void => {
    const firstAccepted = firstAcceptedBucket(nowMs);
    if (firstAccepted === sweptAt) return;
    sweptAt = firstAccepted;
    for (const [key, consumer] of consumers) {
      for (const bucket of consumer.buckets.keys()) if (bucket < firstAccepted) drop(consumer, bucket);
      if (consumer.entries === 0 && consumer.firstKept <= firstAccepted) consumers.delete(key);
    }
  };
  const dropOldest = (): void => {
    const largest = largestOf(consumers.values());
    if (!largest) return;
    const oldest = Math.min(...largest.buckets.keys());
    drop(largest, oldest);
    largest.firstKept = Math.max(largest.firstKept, oldest + 1);
  };

  return {
    size: () => entries,
    all: function* () {
      for (const { buckets } of consumers.values())
        for (const [bucket, digests] of buckets) for (const digest of digests) yield { bucket, digest };
    },
    /** Adds a digest and returns whether it was known. */
    add: ({ bucket, digest }: SeenNonce, nowMs: number) => {
      sweep(nowMs);
      const consumer = consumerOf(digest);
      if (bucket < Math.max(consumer.firstKept, sweptAt)) return 'forgotten';
      const seen = consumer.buckets.get(bucket) ?? new Set<string>();
      if (seen.has(digest)) return 'used';
      consumer.buckets.set(bucket, seen.add(digest));
      consumer.entries += 1;
      entries += 1;
      if (entries > maxEntries) dropOldest();
      return 'new';
    },
  };
}

function largestOf(consumers: Iterable<ConsumerNonces>): ConsumerNonces | undefined {
  let largest: ConsumerNonces | undefined;
  for (const consumer of consumers) if (consumer.entries > (largest?.entries ?? 0)) largest = consumer;
  return largest;
}

/** Returns the remembered form of a nonce. */
export function seenNonce(key: SignedOnce): SeenNonce {
  return { bucket: bucketOf(key.timestampSeconds), digest: digestOf(key) };
}

/** Returns the bucket of a timestamp. */
function bucketOf(timestampSeconds: number): number {
  return Math.floor(timestampSeconds / BUCKET_SECONDS);
}

/** Returns the oldest bucket with valid timestamps. */
export function firstAcceptedBucket(nowMs: number): number {
  return bucketOf(nowMs / 1000 - TIMESTAMP_SKEW_SECONDS);
}

/**
 * Returns 24 bytes, starting with the consumer's, so that long nonces use no more memory. JSON keeps the members
 * distinct.
 */
function digestOf({ consumerKey, token, timestampSeconds, nonce }: SignedOnce): string {
  const text = JSON.stringify([consumerKey, token, timestampSeconds, nonce]);
  const consumer = hash('sha256', consumerKey, 'buffer').subarray(0, CONSUMER_BYTES);
  const digest = Buffer.concat([consumer, hash('sha256', text, 'buffer').subarray(0, NONCE_BYTES)]);
  return digest.toString('latin1');
}
