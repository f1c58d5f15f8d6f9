import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

test('docs/testing.md shows every example of examples/testing/ as it is', async () => {
  const page = await readFile(join(ROOT, 'docs', 'testing.md'), 'utf8');
  const shown = [...page.matchAll(/\]\(\.\.\/examples\/testing\/([\w.]+)\):\n\n```\w+\n([^]*?)```\n/g)];
  const names = (await readdir(join(ROOT, 'examples', 'testing'))).sort();
  expect(shown.map(([, name]) => name).sort()).toEqual(names);
  for (const [, name = '', text] of shown) {
    expect(text, name).toBe(await readFile(join(ROOT, 'examples', 'testing', name), 'utf8'));
  }
});
