import { mkdir, readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runCli, temporaryFolder } from '../support/cli.js';
import { createDemo, createOther, OTHERS } from './support/databases.js';
import { answersOf } from './support/journal.js';

test.each(OTHERS)(
  'a Pipit that is moved to %s and back has the same rows and files, and answers every request alike',
  async (engine) => {
    await using folder = await temporaryFolder();
    await mkdir(folder.file('between'));
    await using between = await createOther(engine, folder.file('between'));
    const from = await createDemo(folder.file('a'));
    const back = `sqlite:${folder.file('b/pipit.db')}`;
    const moved = async (...args: readonly string[]) => {
      const options = { folder: folder.file('between') };
      const { status, stdout, stderr } = await runCli(['move', ...args, '--json'], options);
      expect([status, stderr]).toEqual([0, expect.anything()]);
      const { tables, media } = JSON.parse(stdout);
      return { tables, media };
    };
    const there = await moved(from, between.url);
    const here = await moved(between.url, back);
    expect(here).toEqual(there);
    expect(there.media).toMatchObject({ files: 25, missing: [] });
    expect(there.tables.posts.rows).toBeGreaterThan(50);
    const files = async (name: string) => (await readdir(folder.file(name), { recursive: true })).sort();
    expect(await files('b/media')).toEqual(await files('a/media'));

    const before = await answersOf(from);
    expect(before.filter((answer) => answer.includes(' 200 ')).length).toBeGreaterThan(100);
    expect(await answersOf(between.url, folder.file('between/data'))).toEqual(before);
    expect(await answersOf(back)).toEqual(before);
  },
  90_000,
);
