import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { parseMediaPlace, type BucketPlace } from '../../src/stores/blobs/media-place.js';
import { createS3Blobs } from '../../src/stores/blobs/s3/s3-blobs.js';
import { startFaultyProxy } from './support/faulty-proxy.js';
import { startObjectStore } from './support/object-store.js';

/** Object stores that cut connections, fail, stay silent or receive damaged bytes. */

const objects = await startObjectStore();
const proxy = await startFaultyProxy(objects.port);
const folder = await mkdtemp(join(tmpdir(), 'pipit-faulty-'));
const place = parseMediaPlace(objects.place(proxy.port)) as BucketPlace;
const blobs = createS3Blobs(place, folder);
const impatient = createS3Blobs(place, folder, { connectMs: 100, responseMs: 30, idleMs: 100 });
afterAll(async () => {
  await blobs.close();
  await impatient.close();
  await proxy[Symbol.asyncDispose]();
  await objects[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  proxy.decide = () => 'pass';
  proxy.seen.length = 0;
});

const UNAVAILABLE = { name: 'StorageUnavailable' };

async function put(name: string, bytes: Buffer): Promise<string> {
  const draft = await blobs.newDraft();
  await writeFile(draft, bytes);
  await blobs.put(name, draft);
  return draft;
}

async function read(name: string): Promise<Buffer | undefined> {
  const bytes = await blobs.read(name);
  return bytes && buffer(bytes);
}

it('a request that fails once is sent again', async () => {
  const bytes = randomBytes(9 * 1024 ** 2);
  const failed = new Set<string>();
  proxy.decide = ({ method, path }) => {
    if (failed.has(method + path)) return 'pass';
    failed.add(method + path);
    return failed.size % 2 === 0 ? 'cut' : 'error';
  };
  await put('1/a.mp4', bytes);
  expect(bytes.equals((await read('1/a.mp4')) ?? Buffer.alloc(0))).toBe(true);
  expect(await blobs.findSizeBytes('1/a.mp4')).toBe(bytes.length);
});

it.each(['cut', 'error', 'silence'] as const)(
  'a store with the fault %j is unavailable after bounded attempts, and serves again afterwards',
  async (fault) => {
    await put('2/a', Buffer.from('kept'));
    proxy.decide = () => fault;
    proxy.seen.length = 0;
    const draft = await blobs.newDraft();
    const store = fault === 'silence' ? impatient : blobs;
    const calls = [store.findSizeBytes('2/a'), store.read('2/a'), store.put('2/b', draft)];
    for (const call of await Promise.allSettled(calls)) expect(call).toMatchObject({ reason: UNAVAILABLE });
    expect(proxy.seen.length).toBeLessThanOrEqual(3 * 3);
    proxy.decide = () => 'pass';
    expect(String(await read('2/a'))).toBe('kept');
    expect(await blobs.findSizeBytes('2/b')).toBeUndefined();
    // The draft of the failed call is still its owner's.
    expect(await readdir(join(folder, 'drafts'))).toHaveLength(1);
    await blobs.deleteDrafts(Infinity);
  },
);

it('an upload in parts that fails is taken back', async () => {
  proxy.decide = ({ path }) => (path.includes('partNumber=2') ? 'error' : 'pass');
  await expect(put('3/a.mp4', Buffer.alloc(9 * 1024 ** 2))).rejects.toMatchObject(UNAVAILABLE);
  const aborted = proxy.seen.filter(({ method, path }) => method === 'DELETE' && path.includes('uploadId='));
  expect(aborted).not.toEqual([]);
  proxy.decide = () => 'pass';
  expect(await blobs.findSizeBytes('3/a.mp4')).toBeUndefined();
  await blobs.deleteDrafts(Infinity);
});

it('a response that breaks off is continued where it ended', async () => {
  const bytes = randomBytes(3 * 1024 ** 2);
  await put('4/a.mp4', bytes);
  let cuts = 2;
  proxy.decide = ({ method }) => (method === 'GET' && cuts-- > 0 ? 'cut-body' : 'pass');
  expect(bytes.equals((await read('4/a.mp4')) ?? Buffer.alloc(0))).toBe(true);
  const ranges = proxy.seen.flatMap(({ headers }) => headers.range ?? []);
  expect(ranges).toEqual([
    expect.stringMatching(/^bytes=\d+-3145727$/),
    expect.stringMatching(/^bytes=\d+-3145727$/),
  ]);
});

it('each body is signed with its SHA-256, and a damaged object is not passed on as a whole', async () => {
  // This server does not compare the hash; those that do refuse the body.
  proxy.decide = ({ method }) => (method === 'PUT' ? 'damage' : 'pass');
  await put('5/a.png', Buffer.from('the bytes of a picture'));
  const [sent] = proxy.seen.filter(({ method }) => method === 'PUT');
  expect(sent?.headers['x-amz-content-sha256']).toMatch(/^[0-9a-f]{64}$/);
  await expect(read('5/a.png')).rejects.toThrow('damaged');
});
