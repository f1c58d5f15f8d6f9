import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  bucketOf,
  createNonceMemory,
  DIGEST_BYTES,
  digestOf,
  firstAcceptedBucket,
  type NonceClaim,
  type NonceStore,
} from './nonces.js';

/** A digest, who claimed it, and zeros: a power of two, so that no record lies across pages. */
const RECORD_BYTES = 32;
const WRITER_BYTES = 8;
const WRITER_END = DIGEST_BYTES + WRITER_BYTES;

/** So many records are read at once. */
const CHUNK_BYTES = 2048 * RECORD_BYTES;

/** Files stay for a minute beyond their last use, for processes that were held up since they looked at the clock. */
const KEPT_BUCKETS = 6;

/** The records of one bucket that were read so far. */
interface BucketLog {
  readonly fd: number;
  readBytes: number;
}

/**
 * Nonces that the processes of one machine claim together, in the files of `folder`, one for each 10 seconds of
 * timestamps. A claim is appended to its file and then everything up to it is read: the order of the records, which the
 * kernel gives, says who was first, so of equal claims exactly one is `new`. What was read is kept in memory. A process
 * that starts later reads a bucket's file when it needs it. `claim` throws system errors: a nonce that cannot be written
 * down is not accepted.
 */
export function openSharedNonces(folder: string, maxEntries?: number): NonceStore & Disposable {
  const writer = randomBytes(WRITER_BYTES);
  const memory = createNonceMemory(maxEntries);
  const logs = new Map<number, BucketLog>();
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const record = Buffer.alloc(RECORD_BYTES);
  record.set(writer, DIGEST_BYTES);
  let sweptAt = 0;

  const openLog = (bucket: number): BucketLog => {
    const known = logs.get(bucket);
    if (known) return known;
    const log = { fd: openSync(join(folder, String(bucket)), 'a+', 0o600), readBytes: 0 };
    logs.set(bucket, log);
    return log;
  };

  /** Remembers what was appended since the last read; resolves the claim whose record is this process's last. */
  const readOn = (log: BucketLog, bucket: number, nowMs: number): NonceClaim => {
    let claim: NonceClaim = 'forgotten';
    for (;;) {
      const length = readSync(log.fd, chunk, 0, CHUNK_BYTES, log.readBytes);
      const end = length - (length % RECORD_BYTES);
      for (let at = 0; at < end; at += RECORD_BYTES) {
        const added = memory.add({ bucket, digest: chunk.toString('latin1', at, at + DIGEST_BYTES) }, nowMs);
        if (chunk.compare(record, 0, WRITER_END, at, at + WRITER_END) === 0) claim = added;
      }
      log.readBytes += end;
      if (length < CHUNK_BYTES) return claim;
    }
  };

  const sweep = (nowMs: number): void => {
    const firstKept = firstAcceptedBucket(nowMs) - KEPT_BUCKETS;
    if (firstKept === sweptAt) return;
    sweptAt = firstKept;
    for (const [bucket, { fd }] of logs) {
      if (bucket >= firstKept) continue;
      closeSync(fd);
      logs.delete(bucket);
    }
    for (const name of readdirSync(folder)) {
      if (Number(name) < firstKept) rmSync(join(folder, name), { force: true });
    }
  };

  return {
    all: memory.all,
    // Each process hears for itself.
    learn: (nonce, nowMs) => void memory.add(nonce, nowMs),
    claim: (key, nowMs) => {
      sweep(nowMs);
      const bucket = bucketOf(key.timestampSeconds);
      const log = openLog(bucket);
      record.set(digestOf(key));
      writeSync(log.fd, record);
      return readOn(log, bucket, nowMs);
    },
    [Symbol.dispose]: () => {
      for (const { fd } of logs.values()) closeSync(fd);
      logs.clear();
    },
  };
}
