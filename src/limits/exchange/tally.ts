import { DIGEST_BYTES, type SeenNonce } from '../nonces.js';
import type { RateWindow } from '../rate-windows.js';

/** The calls that a process has counted in a window so far. */
export interface WindowTally extends RateWindow {
  /** See `CountedWindow`. */
  readonly digest: string;
}

/** A publication of a process. */
export interface Tally {
  readonly windows: readonly WindowTally[];
  readonly nonces: readonly SeenNonce[];
}

/** A tally as sent and stored: compact JSON, since each may have thousands of entries. */
export interface PackedTally {
  readonly windows: readonly (readonly [digest: string, used: number, endsMs: number])[];
  readonly nonces: PackedNonces;
}

/** Concatenated base64 digests by bucket. Concatenation is safe, since no digest ends in padding. */
type PackedNonces = Readonly<Record<string, string>>;

export function packTally({ windows, nonces }: Tally): PackedTally {
  const byBucket = new Map<number, string>();
  for (const { bucket, digest } of nonces) byBucket.set(bucket, (byBucket.get(bucket) ?? '') + digest);
  return {
    windows: windows.map(({ digest, used, endsMs }) => [digest, used, endsMs]),
    nonces: Object.fromEntries(
      [...byBucket].map(([bucket, digests]) => [bucket, Buffer.from(digests, 'latin1').toString('base64')]),
    ),
  };
}

/** Decodes the result of `packTally`. */
export function unpackTally({ windows, nonces }: PackedTally): Tally {
  return {
    windows: windows.map(([digest, used, endsMs]) => ({ digest, used, endsMs })),
    nonces: Object.entries(nonces).flatMap(([bucket, digests]) =>
      digestsIn(digests).map((digest) => ({ bucket: Number(bucket), digest })),
    ),
  };
}

function digestsIn(base64: string): string[] {
  const bytes = Buffer.from(base64, 'base64');
  return Array.from({ length: bytes.length / DIGEST_BYTES }, (_, index) =>
    bytes.toString('latin1', index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES),
  );
}
