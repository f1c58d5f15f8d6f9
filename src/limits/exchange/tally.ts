import { DIGEST_BYTES, type SeenNonce } from '../nonces.js';
import type { RateWindow } from '../rate-windows.js';

/** What a server counted under a key, of which it tells only a digest: keys have addresses and names in them. */
export interface WindowTally extends RateWindow {
  readonly key: string;
}

/** What a server tells the others that it counted. */
export interface Tally {
  readonly windows: readonly WindowTally[];
  readonly nonces: readonly SeenNonce[];
}

/** How it is stored: JSON, short, as there may be thousands of entries in each. */
interface StoredForm {
  readonly windows: readonly (readonly [key: string, used: number, endsMs: number])[];
  /** Digests one after the other, by their bucket. */
  readonly nonces: Readonly<Record<string, string>>;
}

export function encodeTally({ windows, nonces }: Tally): string {
  const byBucket = new Map<number, string>();
  for (const { bucket, digest } of nonces) byBucket.set(bucket, (byBucket.get(bucket) ?? '') + digest);
  const form: StoredForm = {
    windows: windows.map(({ key, used, endsMs }) => [key, used, endsMs]),
    nonces: Object.fromEntries(
      [...byBucket].map(([bucket, digests]) => [bucket, Buffer.from(digests, 'latin1').toString('base64')]),
    ),
  };
  return JSON.stringify(form);
}

/** Reads what `encodeTally` made. */
export function decodeTally(text: string): Tally {
  const { windows, nonces } = JSON.parse(text) as StoredForm;
  return {
    windows: windows.map(([key, used, endsMs]) => ({ key, used, endsMs })),
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
