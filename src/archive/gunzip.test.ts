import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DamagedGzip, gunzipped } from './gunzip.js';

async function* chunkOf(bytes: Buffer): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

async function unpack(bytes: Buffer): Promise<{ text: string; error?: unknown }> {
  let text = '';
  try {
    for await (const chunk of gunzipped(chunkOf(bytes))) text += Buffer.from(chunk).toString('latin1');
    return { text };
  } catch (error) {
    return { text, error };
  }
}

/** Text that compresses moderately. */
const TEXT = Array.from({ length: 20_000 }, (_unused, n) => String((n * 7_919) % 100_003)).join('\n');

describe('gunzipped', () => {
  it('unpacks what gzip packed', async () => {
    expect(await unpack(gzipSync(TEXT))).toEqual({ text: TEXT });
  });

  it('unpacks several members in a row (RFC 1952 2.2)', async () => {
    expect(await unpack(Buffer.concat([gzipSync('one '), gzipSync('two')]))).toEqual({ text: 'one two' });
  });

  it('returns all readable data of a truncated stream, then throws', async () => {
    const packed = gzipSync(TEXT);
    const half = await unpack(packed.subarray(0, packed.length / 2));
    expect(half.error).toBeInstanceOf(DamagedGzip);
    expect(TEXT.startsWith(half.text)).toBe(true);
    expect(half.text.length).toBeGreaterThan(TEXT.length / 3);
  });

  it('throws for damaged data', async () => {
    const packed = gzipSync(TEXT);
    packed.fill(0xff, packed.length / 2, packed.length / 2 + 200);
    expect((await unpack(packed)).error).toBeInstanceOf(DamagedGzip);
  });

  it('throws for a stream without its checksum', async () => {
    const result = await unpack(gzipSync(TEXT).subarray(0, -8));
    expect(result).toMatchObject({ text: TEXT, error: expect.any(DamagedGzip) as unknown });
  });
});
