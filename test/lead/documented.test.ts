import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('docs/lead.md lists each program that was led, and no others', async () => {
  const document = await readFile(join(import.meta.dirname, '../../docs/lead.md'), 'utf8');
  const table = document.slice(document.indexOf('## Programs that were led'));
  const listed = [...table.matchAll(/\| `([\w.-]+\.\w+)` +\|/g)].map(([, file]) => file);
  const folders = ['programs', 'sign-ins'].map((folder) => readdir(join(import.meta.dirname, folder)));
  expect(listed.toSorted()).toEqual((await Promise.all(folders)).flat().toSorted());
});
