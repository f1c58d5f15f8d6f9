import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import type { BlobStore, ByteRange, StoredBlob } from '../../src/stores/blobs/blob-store.js';
import { parseMediaPlace } from '../../src/stores/blobs/media-place.js';
import { openBlobs } from '../../src/stores/blobs/open-blobs.js';
import { startObjectStore } from './support/object-store.js';

/** What every store of media files does (src/stores/blobs/blob-store.ts). */

const objects = await startObjectStore();
const folder = await mkdtemp(join(tmpdir(), 'pipit-blobs-'));
const disk = await openBlobs(undefined, join(folder, 'media'));
/** PIPIT_TEST_S3 names the bucket of another store, such as `s3://BUCKET?endpoint=URL`. */
const place = process.env['PIPIT_TEST_S3'] ?? objects.place();
const bucket = await openBlobs(parseMediaPlace(place), join(folder, 'bucket'));
afterAll(async () => {
  await disk.close();
  await bucket.close();
  await objects[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function put(blobs: BlobStore, name: string, bytes: string | Buffer): Promise<void> {
  const draft = await blobs.newDraft();
  await writeFile(draft, bytes);
  await blobs.put(name, draft);
}

async function read(blobs: BlobStore, name: string, range?: ByteRange): Promise<Buffer | undefined> {
  const bytes = await blobs.read(name, range);
  return bytes && buffer(bytes);
}

describe.each([
  { place: 'a folder', blobs: disk, drafts: join(folder, 'media', 'drafts') },
  { place: 'a bucket', blobs: bucket, drafts: join(folder, 'bucket', 'drafts') },
])('in $place', ({ blobs, drafts }) => {
  it('a blob is replaced as a whole, read whole or in part, and leaves no draft', async () => {
    await put(blobs, '1234/a.png', 'one');
    await put(blobs, '1234/a.png', 'another');
    expect(String(await read(blobs, '1234/a.png'))).toBe('another');
    expect(await blobs.findSizeBytes('1234/a.png')).toBe(7);
    expect(String(await read(blobs, '1234/a.png', { first: 1, last: 3 }))).toBe('not');
    await put(blobs, '1234/empty', '');
    expect(await read(blobs, '1234/empty')).toEqual(Buffer.alloc(0));
    expect(await readdir(drafts)).toEqual([]);
  });

  it('a blob of several parts has the bytes of its draft', async () => {
    const bytes = randomBytes(9 * 1024 ** 2 + 1);
    await put(blobs, '77/video.mp4', bytes);
    expect(await blobs.findSizeBytes('77/video.mp4')).toBe(bytes.length);
    expect(bytes.equals((await read(blobs, '77/video.mp4')) ?? Buffer.alloc(0))).toBe(true);
    const [first, last] = [8 * 1024 ** 2 - 5, 8 * 1024 ** 2 + 5];
    const part = await read(blobs, '77/video.mp4', { first, last });
    expect(part?.equals(bytes.subarray(first, last + 1))).toBe(true);
  });

  it('a reader that stops early leaves the rest unread', async () => {
    await put(blobs, '78/video.mp4', Buffer.alloc(4 * 1024 ** 2));
    const bytes = await blobs.read('78/video.mp4');
    let count = 0;
    for await (const chunk of bytes ?? []) {
      count += (chunk as Buffer).length;
      break;
    }
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(2 * 1024 ** 2);
    expect(bytes?.destroyed).toBe(true);
  });

  it('a missing blob is undefined, and deleting it is no error', async () => {
    expect(await blobs.read('9/none')).toBeUndefined();
    expect(await blobs.findSizeBytes('9/none')).toBeUndefined();
    await blobs.delete('9/none');
    await blobs.deleteFolder('9');
  });

  it('deleting a folder deletes all its blobs and nothing else', async () => {
    for (const name of ['1/a', '1/b.png', '11/a', '2/a']) await put(blobs, name, 'x');
    await blobs.deleteFolder('1');
    await blobs.delete('2/a');
    const sizes = await Promise.all(
      ['1/a', '1/b.png', '11/a', '2/a'].map((name) => blobs.findSizeBytes(name)),
    );
    expect(sizes).toEqual([undefined, undefined, 1, undefined]);
  });

  it('all blobs are listed, those of a folder together', async () => {
    for (const name of ['7/a', '71/a', '7/b.png', '17/a']) await put(blobs, name, 'xy');
    const listed: StoredBlob[] = [];
    for await (const blob of blobs.list()) listed.push(blob);
    const names = listed.map(({ name }) => name).filter((name) => /^(7|71|17)\//.test(name));
    expect(names.toSorted()).toEqual(['17/a', '7/a', '7/b.png', '71/a']);
    expect(Math.abs(names.indexOf('7/a') - names.indexOf('7/b.png'))).toBe(1);
    const [{ sizeBytes, storedAtMs } = { sizeBytes: 0, storedAtMs: 0 }] = listed.filter(
      ({ name }) => name === '7/a',
    );
    expect([sizeBytes, Math.abs(storedAtMs - Date.now()) < 600_000]).toEqual([2, true]);
  });

  it.each(['../x', '1/../x', '1/a/b', 'drafts/x', '/etc/passwd', '1/', '1/.hidden', '1', ''])(
    'the name %j is refused',
    async (name) => {
      expect(await blobs.findSizeBytes(name)).toBeUndefined();
      expect(await blobs.read(name)).toBeUndefined();
      await expect(put(blobs, name, 'x')).rejects.toThrow(RangeError);
      await expect(Promise.resolve().then(() => blobs.delete(name))).rejects.toThrow(RangeError);
      await blobs.deleteDrafts(Infinity);
    },
  );

  it('the store has one id, which survives', async () => {
    const [one, other] = [await blobs.identify(), await blobs.identify()];
    expect(one).toMatch(/^[0-9a-f]{24}$/);
    expect([other, await blobs.findId()]).toEqual([one, one]);
  });

  it('abandoned drafts are deleted', async () => {
    const [old, young] = [await blobs.newDraft(), await blobs.newDraft()];
    await utimes(old, 1_000, 1_000);
    await blobs.deleteDrafts(2_000_000);
    expect((await readdir(drafts)).map((name) => join(drafts, name))).toEqual([young]);
    expect((await stat(young)).mode & 0o777).toBe(0o600);
  });
});

it('files on a disk are readable by their owner only', async () => {
  await put(disk, '1234/b.png', 'one');
  expect((await stat(join(folder, 'media', '34', '1234', 'b.png'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'media'))).mode & 0o777).toBe(0o700);
});

it('without a folder, closing the store deletes its blobs', async () => {
  const blobs = await openBlobs(undefined, undefined);
  await put(blobs, '1/a', '');
  expect(await blobs.findSizeBytes('1/a')).toBe(0);
  await blobs.close();
  expect(await blobs.findSizeBytes('1/a')).toBeUndefined();
});

it.each([
  ['s3://bucket', { bucket: 'bucket', prefix: '', endpoint: undefined, region: undefined, isInPath: false }],
  [
    's3://bucket/a//b/?endpoint=https://s3.example.com&region=eu-1',
    { bucket: 'bucket', prefix: 'a/b/', endpoint: 'https://s3.example.com', region: 'eu-1', isInPath: true },
  ],
  ['s3://bucket?endpoint=http://127.0.0.1:9000&path-style=false', { isInPath: false }],
])('%s is a bucket', (text, expected) => {
  expect(parseMediaPlace(text)).toMatchObject({ kind: 's3', ...expected });
});

it.each([
  's3://',
  's3:bucket',
  's3://key:secret@bucket',
  's3://bucket?key=secret',
  's3://bucket?endpoint=ftp://host',
  's3://bucket?endpoint=http://key:secret@host',
  's3://bucket/../other?path-style=maybe',
  'gs://bucket',
  ' ',
])('%j is no place for media', (text) => {
  expect(parseMediaPlace(text)).toBeUndefined();
});
