import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createSharedDatabase } from '../support/test-database.js';
import { gif, mp4, png } from './support/media-files.js';
import { startUploads } from './support/uploads.js';

/** Files that uploads leave on disk. */

async function start() {
  const database = await createSharedDatabase({ users: 'this process' });
  onTestFinished(() => database[Symbol.asyncDispose]());
  const app = await startUploads({ database });
  const root = join(database.dataFolder ?? database.folder, 'media');
  /** Returns the files below the media folder, by the names of their folders. */
  const files = async (): Promise<string[]> => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  };
  return { app, files, drafts: () => readdir(join(root, 'drafts')) };
}

it('an upload leaves its file and preview, and no draft or segment', async () => {
  const { app, files, drafts } = await start();
  await app.uploaded(await png());
  await app.uploaded(gif());
  await app.uploaded(mp4(), 'tweet_video');
  const bytes = mp4();
  const form = { command: 'INIT', total_bytes: bytes.length, media_type: 'video/mp4' };
  const id = (await app.v1({ ...form, media_category: 'tweet_video' })).body.media_id_string as string;
  await app.v1({ command: 'APPEND', media_id: id, segment_index: 0, media: bytes.subarray(0, 99) });
  await app.v1({ command: 'APPEND', media_id: id, segment_index: 1, media: bytes.subarray(99) });
  expect((await files()).filter((file) => file.includes('segment-'))).toHaveLength(2);
  await app.v1({ command: 'FINALIZE', media_id: id });
  await app.runJobs();
  expect(await drafts()).toEqual([]);
  const endings = (await files()).map((file) => file.slice(file.lastIndexOf('.')));
  expect(endings.sort()).toEqual(['.gif', '.mp4', '.mp4', '.png', '.png', '.png', '.png']);
});

it('a rejected upload leaves nothing', async () => {
  const { app, files } = await start();
  const broken = (await png(40, 40)).subarray(0, 60);
  expect((await app.v1({ media: broken })).status).toBe(400);
  expect((await app.v1({ media: mp4({ durationMs: 1 }), media_category: 'tweet_video' })).status).toBe(400);
  expect((await app.v1({ media: Buffer.from('no media') })).status).toBe(400);
  expect((await app.v2('/12/append', { segment_index: 0, media: await png() })).status).toBe(404);
  expect((await app.v1({ command: 'DANCE', media: await png() })).status).toBe(400);
  expect(await files()).toEqual([]);
});

it('a client that disconnects during an upload leaves nothing', async () => {
  const { app, drafts } = await start();
  const url = new URL(await app.listen());
  const token = await app.as('alice');
  const head =
    '--a\r\ncontent-disposition: form-data; name="media"; filename="x"\r\n\r\n' + 'x'.repeat(100_000);
  const socket = connect(Number(url.port), url.hostname);
  socket.write(
    `POST /2/media/upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: multipart/form-data; boundary=a\r\ncontent-length: 900000\r\n\r\n${head}`,
  );
  await vi.waitFor(async () => expect(await drafts()).toHaveLength(1));
  socket.destroy();
  await vi.waitFor(async () => expect(await drafts()).toEqual([]));
  expect((await app.v1({ media: await png() })).status).toBe(200);
});
