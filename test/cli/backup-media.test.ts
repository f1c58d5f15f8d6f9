import { access, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyBlobs } from '../../src/stores/blobs/copy-blobs.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';
import { runCli, temporaryFolder } from '../support/cli.js';
import { gif, mp4, png } from '../api/support/media-files.js';
import { startUploads, type Uploads } from '../api/support/uploads.js';

/** Backups contain the media files of their rows. */

const DAY_MS = 24 * 60 * 60 * 1000;

async function start() {
  const database = await createSharedDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  return { database, app: await startUploads({ database }) };
}

const on = (file: string): { env: Record<string, string> } => ({ env: { PIPIT_DATABASE: `sqlite:${file}` } });

/** Creates a post with media and returns the link of the file. */
async function posted(app: Uploads, media: Buffer, text: string) {
  const id = await app.uploaded(media);
  const { data } = (await app.json('POST', '/2/tweets', { text, media: { media_ids: [id] } })).body;
  return { id, postId: data.id as string };
}

async function housekeeping({ pipit, runJobs }: Uploads): Promise<void> {
  await pipit.backend.engine.tx('order', async (tx) => {
    await pipit.jobs.queue.enqueue(tx, { kind: 'housekeeping', payload: { step: 'media' } });
  });
  await runJobs();
}

/** Returns the status and length of the files of all media in posts. */
async function shownFiles(app: Uploads): Promise<(readonly [number, number])[]> {
  const query =
    'max_results=100&expansions=attachments.media_keys&media.fields=url,variants,preview_image_url';
  const { body } = await app.get(`/2/users/1001/tweets?${query}`, app.bearer);
  const media = (body.includes?.media ?? []) as {
    url?: string;
    preview_image_url?: string;
    variants?: { url: string }[];
  }[];
  const links = media.flatMap((each) => [each.url, each.preview_image_url, each.variants?.[0]?.url]);
  return Promise.all(
    links.flatMap(async (link) => {
      if (link === undefined) return [200, 1] as const;
      const { status, bytes } = await app.file(link);
      return [status, bytes.length] as const;
    }),
  );
}

async function restoredApp(database: SharedDatabase, saved: string): Promise<Uploads> {
  const file = database.file('there/pipit.db');
  expect(await runCli(['restore', saved], on(file))).toMatchObject({ status: 0 });
  const dataFolder = undefined;
  return startUploads({
    world: null,
    database: { url: `sqlite:${file}`, dataFolder, remove: () => Promise.resolve() },
  });
}

test('a backup of a running server restores media files, including those deleted since', async () => {
  const { app, database } = await start();
  const first = await posted(app, await png(), 'photo');
  await posted(app, gif(), 'animation');
  const video = await app.uploaded(mp4(), 'tweet_video');
  await app.json('POST', '/2/tweets', { text: 'video', media: { media_ids: [video] } });
  const saved = database.file('saved');
  const output = await runCli(['backup', saved, '--json'], on(database.file('pipit.db')));
  expect(JSON.parse(output.stdout)).toMatchObject({ file: saved, media_folder: `${saved}.media` });
  expect((await stat(`${saved}.media`)).mode & 0o777).toBe(0o700);
  const again = await runCli(['backup', saved], on(database.file('pipit.db')));
  expect(again.stderr).toMatch(/never overwrites a file/);

  await app.json('DELETE', `/2/tweets/${first.postId}`);
  app.advance(2 * DAY_MS);
  await housekeeping(app);
  expect(await shownFiles(app)).toHaveLength(2 * 3);
  const restored = await restoredApp(database, saved);
  const files = await shownFiles(restored);
  expect(files).toHaveLength(3 * 3);
  for (const [status, length] of files) expect([status, length > 0]).toEqual([200, true]);
});

test('posts in a backup have their files, even if deleted during the backup; unreferenced files are omitted', async () => {
  const { app, database } = await start();
  const posts: string[] = [];
  for (let count = 0; count < 40; count += 1) posts.push((await posted(app, await png(), `${count}`)).postId);
  app.advance(2 * DAY_MS);
  const stray = database.file('media/99/99');
  await mkdir(stray, { recursive: true });
  await writeFile(join(stray, 'a.png'), 'x');
  const [saved, here] = [database.file('saved'), on(database.file('pipit.db'))];
  await runCli(['backup', database.file('first')], here);
  let isTaken = false;
  const backup = runCli(['backup', saved], here).finally(() => (isTaken = true));
  while (!isTaken && posts.length > 1) {
    await app.json('DELETE', `/2/tweets/${posts.pop()}`);
    await housekeeping(app);
  }
  expect(await backup).toMatchObject({ status: 0 });
  expect(posts.length).toBeLessThan(40);
  const files = await shownFiles(await restoredApp(database, saved));
  for (const [status] of files) expect(status).toBe(200);
  expect(files.length).toBeGreaterThan(0);
  expect(await readdir(`${saved}.media`, { recursive: true })).not.toContain('99/99');
});

test('restoring a backup without its media requires confirmation, and otherwise replaces nothing', async () => {
  const { app, database } = await start();
  await posted(app, await png(), 'photo');
  const [saved, there] = [database.file('saved'), database.file('there/pipit.db')];
  await runCli(['backup', saved], on(database.file('pipit.db')));
  await rename(`${saved}.media`, database.file('elsewhere'));
  const refused = await runCli(['restore', saved], on(there));
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(/saved\.media is missing/) });
  await expect(access(there)).rejects.toThrow();
  expect((await runCli(['restore', saved, '--without-media'], on(there))).status).toBe(0);
});

test('restoring adds to existing files', async () => {
  const { app, database } = await start();
  await posted(app, await png(), 'photo');
  const saved = database.file('saved');
  await runCli(['backup', saved], on(database.file('pipit.db')));
  const other = database.file('there/media/07/1234507');
  await mkdir(other, { recursive: true });
  await writeFile(join(other, 'mine.png'), 'mine');
  await restoredApp(database, saved);
  expect(await readdir(other)).toEqual(['mine.png']);
});

test('a backup without media creates no media folder', async () => {
  const { database } = await start();
  const saved = database.file('saved');
  expect((await runCli(['backup', saved], on(database.file('pipit.db')))).stdout).not.toContain('media');
  await expect(access(`${saved}.media`)).rejects.toThrow();
});

test('files are copied to another file system, which allows no hard links', async ({ skip }) => {
  const shm = await stat('/dev/shm').catch(() => undefined);
  await using folder = await temporaryFolder();
  if (!shm || shm.dev === (await stat(folder.path)).dev) skip('there is no second file system at /dev/shm');
  const to = join('/dev/shm', `pipit-test-${process.pid}`);
  onTestFinished(() => rm(to, { recursive: true, force: true }));
  await mkdir(folder.file('07/107'), { recursive: true });
  await writeFile(folder.file('07/107/a.png'), 'bytes', { mode: 0o600 });
  await writeFile(folder.file('07/107/.left'), 'half');
  await copyBlobs(folder.path, to);
  await copyBlobs(folder.path, to);
  expect(await readdir(join(to, '07', '107'))).toEqual(['a.png']);
  const { mode, nlink, size } = await stat(join(to, '07/107/a.png'));
  expect([mode & 0o777, nlink, size]).toEqual([0o600, 1, 5]);
});
