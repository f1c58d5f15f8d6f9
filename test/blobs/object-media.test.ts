import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { findMedia } from '../../src/stores/media.js';
import type { MediaId } from '../../src/core/ids.js';
import { mp4, png } from '../api/support/media-files.js';
import { openUploads, type Uploads } from '../api/support/uploads.js';
import { startTestApp } from '../support/app.js';
import { createSharedDatabase } from '../support/test-database.js';
import { startFaultyProxy } from './support/faulty-proxy.js';
import { startObjectStore } from './support/object-store.js';

/** Two servers on one database whose media are in an object store, which may be gone. */

const objects = await startObjectStore();
const proxy = await startFaultyProxy(objects.port);
const database = await createSharedDatabase({ users: 'this process' });
const flags = { media: objects.place(proxy.port), shareDatabase: true };
const one = await openUploads({ database, flags, expectsErrors: true });
const other = await openUploads({ database, flags, world: null, expectsErrors: true });
afterAll(async () => {
  await one.close();
  await other.close();
  await database.remove();
  await proxy[Symbol.asyncDispose]();
  await objects[Symbol.asyncDispose]();
});
beforeEach(() => {
  proxy.decide = () => 'pass';
});

/** Also for a machine that runs other tests (docs/running.md#outages). */
const RECOVERY_MS = 5_000;

const linkOf = async (id: string): Promise<string> => {
  const media = (await findMedia(one.pipit.backend.engine, [BigInt(id) as MediaId])).get(
    BigInt(id) as MediaId,
  );
  return media?.url ?? media?.variants?.[0]?.url ?? '';
};

/** Begins the upload of a video on one server, and returns its id. */
async function begunVideo(bytes: Buffer): Promise<string> {
  const { body } = await one.v1({
    command: 'INIT',
    total_bytes: bytes.length,
    media_type: 'video/mp4',
    media_category: 'tweet_video',
  });
  return String(body.media_id_string);
}

it('what one server receives, the other serves, whole and in part', async () => {
  const id = await one.uploaded(await png(30, 20));
  const link = await linkOf(id);
  const whole = await other.file(link);
  expect([whole.status, whole.headers['content-type']]).toEqual([200, 'image/png']);
  expect(whole.headers['content-length']).toBe(String(whole.bytes.length));
  const part = await other.file(link, { range: 'bytes=1-3' });
  expect([part.status, String(part.bytes)]).toEqual([206, 'PNG']);
});

it('an upload begins on one server, goes on and ends on the other', async () => {
  const bytes = mp4();
  const id = await begunVideo(bytes);
  const append = (app: Uploads, index: number, media: Buffer) =>
    app.v1({ command: 'APPEND', media_id: id, segment_index: index, media });
  await append(one, 0, bytes.subarray(0, 100));
  await append(other, 1, bytes.subarray(100));
  expect((await other.v1({ command: 'FINALIZE', media_id: id })).body.processing_info.state).toBe('pending');
  await one.runJobs();
  expect((await other.v1Get(`command=STATUS&media_id=${id}`)).body.processing_info.state).toBe('succeeded');
});

it('while the store is gone, media are 503 with Retry-After and nothing acknowledged is lost', async () => {
  const kept = await one.uploaded(await png());
  const link = await linkOf(kept);
  const bytes = mp4();
  const id = await begunVideo(bytes);
  await one.v1({ command: 'APPEND', media_id: id, segment_index: 0, media: bytes });
  await one.v1({ command: 'FINALIZE', media_id: id });

  proxy.decide = () => 'cut';
  const refused = await one.v1({ media: await png() });
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
  expect((await one.file(link)).status).toBe(503);
  // The job waits for the store, however long that takes.
  for (let round = 0; round < 12; round += 1) {
    await one.runJobs();
    one.advance(60_000);
    other.advance(60_000);
  }
  expect((await one.v1Get(`command=STATUS&media_id=${id}`)).body.processing_info.state).toBe('pending');

  proxy.decide = () => 'pass';
  expect((await one.file(link)).status).toBe(200);
  await one.runJobs();
  expect((await one.v1Get(`command=STATUS&media_id=${id}`)).body.processing_info.state).toBe('succeeded');
  expect((await one.v1({ media: await png() })).status).toBe(200);
});

it('an outage under load refuses uploads with Retry-After, and every acknowledged one is served afterwards', async () => {
  const picture = await png();
  const acknowledged: string[] = [];
  const refused: unknown[] = [];
  let isOver = false;
  const clients = [one, other].map(async (app) => {
    while (!isOver) {
      const { status, headers, body } = await app.v1({ media: picture });
      if (status === 200) acknowledged.push(String(body.media_id_string));
      else refused.push([status, headers['retry-after']]);
    }
  });
  const grows = async (list: readonly unknown[]): Promise<void> => {
    const enough = list.length + 3;
    while (list.length < enough) await pause(5);
  };
  await grows(acknowledged);
  proxy.decide = () => 'cut';
  await grows(refused);
  proxy.decide = () => 'pass';
  const backMs = performance.now();
  await grows(acknowledged);
  const recoveryMs = performance.now() - backMs;
  console.info(`recovered ${Math.round(recoveryMs)} ms after the store was back`);
  expect(recoveryMs).toBeLessThan(RECOVERY_MS);
  isOver = true;
  await Promise.all(clients);
  expect(new Set(refused.map(String))).toEqual(new Set(['503,1']));
  for (const id of acknowledged) expect((await other.file(await linkOf(id))).status).toBe(200);
});

it('with signed links, clients are referred to the store for what they may see, and pages allow that', async () => {
  const place = objects.place();
  await using app = await startTestApp({
    database,
    world: null,
    clock: one.pipit.backend.clock,
    flags: { media: place, mediaLinks: 'signed', shareDatabase: true },
  });
  const id = await one.uploaded(await png(30, 20));
  const { pathname } = new URL(await linkOf(id));
  const answer = await app.request({ method: 'GET', url: pathname });
  expect([answer.status, answer.headers['cache-control']]).toEqual([302, 'private, no-cache']);
  const location = new URL(answer.headers.location ?? '');
  expect(Number(location.searchParams.get('X-Amz-Expires'))).toBe(900);
  const file = await fetch(location);
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(
    Buffer.from(await file.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  // The same link for a while, so that browsers cache the file.
  expect((await app.request({ method: 'GET', url: pathname })).headers.location).toBe(location.href);
  expect((await app.request({ method: 'GET', url: pathname.replace(/.png$/, '.jpg') })).status).toBe(404);
  expect((await app.request({ method: 'HEAD', url: pathname })).status).toBe(200);
  const page = await app.request({ method: 'GET', url: '/sign-in' });
  expect(page.headers['content-security-policy']).toContain(`img-src 'self' blob: ${location.origin};`);
});
