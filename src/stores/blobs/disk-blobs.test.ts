import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { createDiskBlobs } from './disk-blobs.js';

async function openBlobs() {
  const folder = await mkdtemp(join(tmpdir(), 'pipit-blobs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const blobs = createDiskBlobs(join(folder, 'media'));
  const put = async (name: string, text: string): Promise<void> => {
    const draft = await blobs.newDraft();
    await writeFile(draft, text);
    await blobs.put(name, draft);
  };
  const read = async (name: string): Promise<string> => (await buffer(blobs.read(name))).toString();
  return { blobs, put, read, root: join(folder, 'media') };
}

it('a blob is readable by its owner only, replaced as a whole, and leaves no draft', async () => {
  const { blobs, put, read, root } = await openBlobs();
  await put('1234/a.png', 'one');
  await put('1234/a.png', 'another');
  expect([await read('1234/a.png'), await blobs.findSizeBytes('1234/a.png')]).toEqual(['another', 7]);
  expect((await buffer(blobs.read('1234/a.png', { first: 1, last: 3 }))).toString()).toBe('not');
  expect((await stat(join(root, '34', '1234', 'a.png'))).mode & 0o777).toBe(0o600);
  expect((await stat(root)).mode & 0o777).toBe(0o700);
  expect(await readdir(join(root, 'drafts'))).toEqual([]);
});

it('deleting a folder deletes all its blobs and nothing else', async () => {
  const { blobs, put } = await openBlobs();
  for (const name of ['1/a', '1/b.png', '2/a']) await put(name, 'x');
  await blobs.deleteFolder('1');
  await blobs.deleteFolder('1');
  await blobs.delete('3/none');
  const sizes = await Promise.all(['1/a', '1/b.png', '2/a'].map((name) => blobs.findSizeBytes(name)));
  expect(sizes).toEqual([undefined, undefined, 1]);
});

it.each(['../x', '1/../x', '1/a/b', 'drafts/x', '/etc/passwd', '1/', '1/.hidden', '1', ''])(
  'the name %j is refused',
  async (name) => {
    const { blobs, put } = await openBlobs();
    expect(await blobs.findSizeBytes(name)).toBeUndefined();
    expect(() => blobs.read(name)).toThrow(RangeError);
    await expect(put(name, 'x')).rejects.toThrow(RangeError);
  },
);

it('abandoned drafts are deleted', async () => {
  const { blobs, root } = await openBlobs();
  await blobs.deleteDrafts(Date.now());
  const [old, young] = [await blobs.newDraft(), await blobs.newDraft()];
  await utimes(old, 1_000, 1_000);
  await blobs.deleteDrafts(2_000_000);
  expect((await readdir(join(root, 'drafts'))).map((name) => join(root, 'drafts', name))).toEqual([young]);
});

it('without a folder, closing the store deletes its blobs', async () => {
  const blobs = createDiskBlobs(undefined);
  const draft = await blobs.newDraft();
  await blobs.put('1/a', draft);
  expect(await blobs.findSizeBytes('1/a')).toBe(0);
  await blobs.close();
  expect(await blobs.findSizeBytes('1/a')).toBeUndefined();
});
