import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSharedDatabase } from '../support/test-database.js';
import { gif, mp4, png } from './support/media-files.js';
import { startUploads, type Uploads } from './support/uploads.js';

/** Segments that arrive out of order, repeatedly, late or not at all. */

async function start() {
  const database = await createSharedDatabase({ users: 'this process' });
  onTestFinished(() => database[Symbol.asyncDispose]());
  const app = await startUploads({ database });
  const root = join(database.dataFolder ?? database.folder, 'media');
  return { app, folderOf: (id: string) => join(root, id.slice(-2), id) };
}

async function initUpload(app: Uploads, totalBytes: number, rest: Record<string, string>): Promise<string> {
  return (await app.v1({ command: 'INIT', total_bytes: totalBytes, ...rest })).body.media_id_string as string;
}

const append = (app: Uploads, id: string, index: number, media: Buffer) =>
  app.v1({ command: 'APPEND', media_id: id, segment_index: index, media });
const finalize = (app: Uploads, id: string) => app.v1({ command: 'FINALIZE', media_id: id });
const status = async (app: Uploads, id: string) =>
  (await app.v1Get(`command=STATUS&media_id=${id}`)).body.processing_info;

const PNG = { media_type: 'image/png' };
const VIDEO = { media_type: 'video/mp4', media_category: 'tweet_video' };

describe('segments', () => {
  it('can be sent in any order and repeatedly; the last of each index counts', async () => {
    const { app } = await start();
    const bytes = await png(40, 40);
    const id = await initUpload(app, bytes.length, PNG);
    const [one, two] = [bytes.subarray(0, 100), bytes.subarray(100)];
    for (const [index, part] of [
      [1, one],
      [0, two.subarray(0, 9)],
      [1, two],
      [0, one],
      [0, one],
    ] as const) {
      expect((await append(app, id, index, part)).status).toBe(204);
    }
    expect((await finalize(app, id)).body).toMatchObject({ size: bytes.length, image: { w: 40, h: 40 } });
    expect((await append(app, id, 0, one)).status).toBe(400);
  });

  it('never exceed the announced total, however many are sent concurrently', async () => {
    const { app, folderOf } = await start();
    const id = await initUpload(app, 1_000, PNG);
    const all = Array.from({ length: 8 }, (_, index) => append(app, id, index, Buffer.alloc(400)));
    const statuses = (await Promise.all(all)).map((answer) => answer.status).sort();
    expect(statuses).toEqual([204, 204, 400, 400, 400, 400, 400, 400]);
    expect(await readdir(folderOf(id))).toHaveLength(2);
  });

  it('sent during finalization leave nothing behind', async () => {
    const { app, folderOf } = await start();
    const bytes = gif();
    for (let round = 0; round < 5; round += 1) {
      const id = await initUpload(app, bytes.length, { media_type: 'image/gif' });
      await append(app, id, 0, bytes);
      const late = [append(app, id, 0, bytes), append(app, id, 0, bytes), append(app, id, 0, bytes)];
      const [done, ...others] = await Promise.all([finalize(app, id), ...late]);
      for (const { status: each } of others) expect([204, 400]).toContain(each);
      // A segment may still be arriving at FINALIZE, which then reports that only.
      if (done.status !== 201) expect((await finalize(app, id)).status).toBe(201);
      expect((await readdir(folderOf(id))).filter((name) => name.startsWith('segment'))).toEqual([]);
    }
  });

  it('that are lost are reported and can be sent again', async () => {
    const { app, folderOf } = await start();
    const bytes = await png(30, 30);
    const id = await initUpload(app, bytes.length, PNG);
    await append(app, id, 0, bytes.subarray(0, 50));
    await append(app, id, 1, bytes.subarray(50));
    await rm(join(folderOf(id), 'segment-1'));
    const { status: refused, body } = await finalize(app, id);
    expect([refused, body.errors[0].message]).toEqual([400, 'Segment 1 is missing.']);
    await append(app, id, 1, bytes.subarray(50));
    expect((await finalize(app, id)).status).toBe(201);
  });
});

describe('processing', () => {
  it('of a video with lost segments ends as failed', async () => {
    const { app, folderOf } = await start();
    const bytes = mp4();
    const id = await initUpload(app, bytes.length, VIDEO);
    await append(app, id, 0, bytes);
    expect((await finalize(app, id)).body.processing_info.state).toBe('pending');
    await rm(join(folderOf(id), 'segment-0'));
    await app.runJobs();
    expect(await status(app, id)).toMatchObject({
      state: 'failed',
      error: { name: 'InvalidMedia', message: 'A segment is missing.' },
    });
  });
});
