import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines, type Line } from './lines.js';

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function linesOf(bytes: Buffer, size = 7, maxBytes?: number): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const some of readLines(chunksOf(bytes, size), undefined, maxBytes)) lines.push(...some);
  return lines;
}

describe('readLines', () => {
  it('returns the same lines and end offsets for any chunk size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ' ').replace(/^\uFEFF/, '')),
        ),
        fc.integer({ min: 1, max: 9 }),
        async (texts, size) => {
          const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
          const lines = await linesOf(bytes, size);
          expect(lines.map((line) => line.text)).toEqual(texts);
          expect(lines.at(-1)?.endByte ?? 0).toBe(bytes.length);
          expect(lines.map((line) => line.number)).toEqual(texts.map((_text, index) => index + 1));
        },
      ),
    );
  });

  it('marks a last line without a line end', async () => {
    const lines = await linesOf(Buffer.from('one\ntwo'));
    expect(lines.map(({ text, isUnended, endByte }) => [text, isUnended, endByte])).toEqual([
      ['one', false, 4],
      ['two', true, 7],
    ]);
  });

  it('drops a byte order mark at the start of the file, not elsewhere', async () => {
    const lines = await linesOf(Buffer.from('\uFEFFone\n\uFEFFtwo\n'));
    expect(lines.map((line) => line.text)).toEqual(['one', '\uFEFFtwo']);
  });

  it('skips a line that is too long, keeps an excerpt and continues', async () => {
    const lines = await linesOf(Buffer.from(`a\n${'x'.repeat(5_000)}\nb\n`), 100, 2_000);
    expect(lines.map((line) => line.fault)).toEqual([undefined, 'longer than 2000 bytes', undefined]);
    expect(lines[1]?.text).toBe('x'.repeat(1_024));
    expect(lines[2]).toMatchObject({ text: 'b', number: 3, endByte: 5_005 });
  });

  it('reports a line that is not UTF-8', async () => {
    const lines = await linesOf(Buffer.from([0x61, 0x0a, 0xff, 0xfe, 0x0a]));
    expect(lines.map((line) => line.fault)).toEqual([undefined, 'not UTF-8']);
  });

  it('continues counting from the given start', async () => {
    const lines: Line[] = [];
    for await (const some of readLines(chunksOf(Buffer.from('c\n'), 9), { lines: 2, bytes: 4 }))
      lines.push(...some);
    expect(lines).toMatchObject([{ number: 3, endByte: 6, text: 'c' }]);
  });
});
