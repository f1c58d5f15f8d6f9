import { expect, test } from 'vitest';
import { decodeBase64 } from './base64.js';

async function decode(text: string, step: number): Promise<string> {
  const pieces = Array.from({ length: Math.ceil(text.length / step) }, (_, at) =>
    Buffer.from(text.slice(at * step, (at + 1) * step)),
  );
  const decoded: Uint8Array[] = [];
  for await (const piece of decodeBase64('media_data', pieces as unknown as AsyncIterable<Buffer>))
    decoded.push(piece);
  return Buffer.concat(decoded).toString();
}

test('base64 is decoded as a stream, with any chunk boundaries and white space', async () => {
  const words = ['', 'w', 'wr', 'wre', 'wren', 'wrens are loud'];
  for (const word of words)
    for (const step of [1, 2, 3, 4, 5, 100]) {
      const text = Buffer.from(word).toString('base64');
      expect(await decode(text, step)).toBe(word);
      expect(await decode(text.replaceAll('=', ''), step)).toBe(word);
      expect(await decode(` ${text.replaceAll(/(.)/g, '$1\r\n')}`, step)).toBe(word);
    }
});

test.each(['AA=A', 'AAA==A', 'A===', 'AAA====', 'AA*A', '§§§'])('%s is no base64', async (text) => {
  for (const step of [1, 3, 100]) await expect(decode(text, step)).rejects.toThrow('is no base64');
});
