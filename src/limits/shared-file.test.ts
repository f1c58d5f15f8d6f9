import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSharedFile } from './shared-file.js';

const BYTES = 3 * 4096;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pipit-shared-'));
  file = join(folder, 'words');
  writeFileSync(file, '');
  truncateSync(file, BYTES);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a shared file', () => {
  it('is the same for all who have it open, whoever wrote where before', () => {
    const steps = fc.array(
      fc.record({
        writer: fc.nat({ max: 1 }),
        // Some lie across two blocks.
        at: fc.oneof(
          fc.constantFrom(4080, 4092, 8188),
          fc.nat({ max: BYTES / 4 - 8 }).map((word) => word * 4),
        ),
        words: fc.uint32Array({ minLength: 1, maxLength: 8 }),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(steps, (written) => {
        writeFileSync(file, Buffer.alloc(BYTES));
        const model = new Uint32Array(BYTES / 4);
        const opened = [openSharedFile(file), openSharedFile(file)] as const;
        const read = new Uint32Array(BYTES / 4);
        for (const { writer, at, words } of written) {
          model.set(words, at / 4);
          opened[writer === 0 ? 0 : 1].write(words, at);
          for (const one of opened) {
            const part = read.subarray(0, words.length);
            one.read(part, at);
            expect(part).toEqual(words);
          }
        }
        opened[0].read(read, 0);
        expect(read).toEqual(model);
        for (const one of opened) one.close();
        expect(new Uint32Array(Uint8Array.from(readFileSync(file)).buffer)).toEqual(model);
      }),
      { numRuns: 100 },
    );
  });

  it('takes no room where it was only read, as there may be none', () => {
    const opened = openSharedFile(file);
    const words = new Uint32Array(8);
    for (let at = 0; at < BYTES; at += words.byteLength) opened.read(words, at);
    expect(statSync(file).blocks).toBe(0);
    opened.close();
  });
});
