import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { A, B, createImportFixture, page, post, type ImportFixture } from './import-fixture.js';
import { syntheticPage, syntheticPost, syntheticUser } from './synthetic.js';

const NO_TEXT = { toString: 0 };

let fixture: ImportFixture;
let folder: string;

beforeEach(async () => {
  fixture = await createImportFixture();
  folder = await mkdtemp(join(tmpdir(), 'pipit-import-'));
});

afterEach(async () => {
  await fixture[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe('rejected and skipped lines', () => {
  it('are counted by type, or reported with file, line and reason', async () => {
    const refusedFile = join(folder, 'refused.jsonl');
    const result = await fixture.importLines(
      [
        { data: [{ start: 's', end: 'e', tweet_count: 1 }] },
        { errors: [{ title: 'x' }] },
        'not json',
        page([post(A), { id: B, text: 'no author' }]),
        '{"data":[{"id":"1',
      ],
      { refusedFile },
    );
    expect(result).toMatchObject({ lines: 5, refused: 3, tallies: { posts: { new: 1 } } });
    expect(result.skipped).toMatchObject({ counts: 1, errors: 1, lists: 0 });
    const written = (await readFile(refusedFile, 'utf8')).trimEnd().split('\n');
    expect(written.map((line) => JSON.parse(line) as unknown)).toEqual([
      { file: 'standard input', line: 3, reason: 'not JSON', excerpt: 'not json' },
      { file: 'standard input', line: 4, reason: 'post: no author_id', id: B },
      {
        file: 'standard input',
        line: 5,
        reason: 'truncated: not JSON, and no line end',
        excerpt: '{"data":[{"id":"1',
      },
    ]);
    expect(result.firstRefusals).toHaveLength(3);
  });

  it('include the truncated end of a gzip file, which is imported up to there', async () => {
    const packed = gzipSync([syntheticPage(0, 20), syntheticPage(20, 20)].join('\n'));
    const result = await fixture.importBytes(packed.subarray(0, packed.length - 200));
    expect(result.tallies.posts.new).toBe(20);
    expect(result.firstRefusals.map(({ line, reason }) => [line, reason.slice(0, 12)])).toEqual([
      [2, 'damaged gzip'],
    ]);
  });

  it('never make an import fail, for pages cut short or with a piece removed', async () => {
    const text = syntheticPage(0, 3);
    const cut = fc.tuple(fc.integer({ min: 0, max: text.length }), fc.integer({ min: 0, max: 400 }));
    await fc.assert(
      fc.asyncProperty(cut, async ([from, length]) => {
        const torn = text.slice(0, from) + text.slice(from + length);
        const results = [await fixture.importLines([torn]), await fixture.importLines([text.slice(0, from)])];
        for (const result of results) expect(result.refused).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('never make an import fail, for JSON of any shape in any member', async () => {
    const any = fc.jsonValue({ maxDepth: 2 });
    const members = fc.dictionary(
      fc.constantFrom(...Object.keys(syntheticPost(2)), 'geo', 'attachments'),
      any,
    );
    const profile = fc.dictionary(fc.constantFrom(...Object.keys(syntheticUser(1))), any);
    await fc.assert(
      fc.asyncProperty(members, profile, any, async (post, user, includes) => {
        const line = {
          data: [{ ...syntheticPost(2), ...post }],
          includes: {
            users: [{ ...syntheticUser(1), ...user }],
            media: [includes],
            polls: includes,
            places: [includes],
          },
        };
        await fixture.importLines([line, { data: includes, includes }]);
      }),
      // Such an object cannot be converted to text.
      {
        examples: [
          [
            { id: NO_TEXT, author_id: NO_TEXT, referenced_tweets: [{ type: NO_TEXT }] },
            { id: NO_TEXT, username: NO_TEXT },
            [NO_TEXT],
          ],
        ],
      },
    );
  });
});
