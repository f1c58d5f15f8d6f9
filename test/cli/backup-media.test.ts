import { access, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ServeFlags } from '../../src/server/config.js';
import { copyBlobs } from '../../src/stores/blobs/copy-blobs.js';
import { startObjectStore } from '../blobs/support/object-store.js';
import { holdMedia, newMediaHold, releaseMedia } from '../../src/stores/media-holds.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';
import { runCli, temporaryFolder } from '../support/cli.js';
import { gif, mp4, png } from '../api/support/media-files.js';
import { startUploads, type Uploads } from '../api/support/uploads.js';

/** Backups contain the media files of their rows. */

const DAY_MS = 24 * 60 * 60 * 1000;

async function start(flags: ServeFlags = {}) {
  const database = await createSharedDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  return { database, app: await startUploads({ database, flags }) };
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
  expect(JSON.parse(output.stdout)).toMatchObject({ path: saved, media_files: 5, missing_media: [] });
  expect((await stat(join(saved, 'media'))).mode & 0o777).toBe(0o700);
  const again = await runCli(['backup', saved], on(database.file('pipit.db')));
  expect(again.stderr).toMatch(/never overwrites anything/);

  await app.json('DELETE', `/2/tweets/${first.postId}`);
  app.advance(2 * DAY_MS);
  await housekeeping(app);
  expect(await shownFiles(app)).toHaveLength(2 * 3);
  const restored = await restoredApp(database, saved);
  const files = await shownFiles(restored);
  expect(files).toHaveLength(3 * 3);
  for (const [status, length] of files) expect([status, length > 0]).toEqual([200, true]);
});

test('posts in a backup have their files, whatever is posted and deleted during it; unreferenced files are omitted', async () => {
  const { app, database } = await start();
  const posts: string[] = [];
  for (let count = 0; count < 40; count += 1) posts.push((await posted(app, await png(), `${count}`)).postId);
  const stray = database.file('media/99/99');
  await mkdir(stray, { recursive: true });
  await writeFile(join(stray, 'a.png'), 'x');
  const [saved, here] = [database.file('saved'), on(database.file('pipit.db'))];
  await runCli(['backup', database.file('first')], here);
  let isTaken = false;
  const backup = runCli(['backup', saved], here).finally(() => (isTaken = true));
  let deleted = 0;
  while (!isTaken) {
    posts.push((await posted(app, await png(), `during ${deleted}`)).postId);
    for (const id of posts.splice(0, 2)) await app.json('DELETE', `/2/tweets/${id}`);
    await housekeeping(app);
    deleted += 1;
  }
  expect(await backup).toMatchObject({ status: 0 });
  expect(deleted).toBeGreaterThan(0);
  expect(await runCli(['backup', 'verify', saved])).toMatchObject({ status: 0 });
  const files = await shownFiles(await restoredApp(database, saved));
  for (const [status] of files) expect(status).toBe(200);
  expect(files.length).toBeGreaterThan(0);
  expect(await readdir(join(saved, 'media'), { recursive: true })).not.toContain('99/99');
});

test('while a backup copies files, housekeeping deletes none', async () => {
  const { app, database } = await start();
  const { engine } = app.pipit.backend;
  const { postId, id } = await posted(app, await png(), 'photo');
  const files = () => readdir(database.file('media'), { recursive: true });
  const hold = newMediaHold();
  await engine.tx('hold', (tx) => holdMedia(tx, hold, Date.now()));
  await app.json('DELETE', `/2/tweets/${postId}`);
  const before = await files();
  await housekeeping(app);
  expect(await files()).toEqual(before);
  await engine.tx('release', (tx) => releaseMedia(tx, hold));
  await housekeeping(app);
  expect((await files()).filter((name) => name.includes(`${id}/`))).toEqual([]);
});

test('a restore without all files of media requires confirmation, and otherwise replaces nothing', async () => {
  const { app, database } = await start();
  await posted(app, await png(), 'photo');
  const kept = await posted(app, gif(), 'animation');
  const [saved, there] = [database.file('saved'), database.file('there/pipit.db')];
  await runCli(['backup', saved], on(database.file('pipit.db')));
  const names = (await readdir(join(saved, 'media'), { recursive: true })).filter((name) =>
    /\.\w+$/.test(name),
  );
  const [lost = ''] = names.filter((name) => !name.includes(kept.id));
  await rm(join(saved, 'media', lost));
  const refused = await runCli(['restore', saved], on(there));
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(/media\/.* is missing/) });
  await expect(access(there)).rejects.toThrow();
  const rest = await runCli(['restore', saved, '--skip-damaged', '--json'], on(there));
  expect(JSON.parse(rest.stdout).damaged_media).toEqual([`media/${lost}`]);
  expect(await readdir(database.file('there/media'), { recursive: true })).not.toContain(lost);
  expect((await runCli(['restore', saved, '--without-media', '--yes'], on(there))).status).toBe(0);
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
  const { app, database } = await start();
  await posted(app, await png(), 'photo');
  const saved = database.file('saved');
  const outcome = await runCli(['backup', saved, '--without-media'], on(database.file('pipit.db')));
  expect(outcome.stdout).toContain('no files of media');
  await expect(access(join(saved, 'media'))).rejects.toThrow();
  expect(await runCli(['backup', 'verify', saved])).toMatchObject({ status: 0 });
});

test('files of an object store are in a backup, which reads only new ones the next time, and in the restored store', async () => {
  const [objects, other] = [await startObjectStore(), await startObjectStore()];
  for (const each of [objects, other]) onTestFinished(() => each[Symbol.asyncDispose]());
  const media = objects.place();
  const { app, database } = await start({ media });
  await posted(app, await png(), 'photo');
  const here = {
    env: {
      ...on(database.file('pipit.db')).env,
      PIPIT_MEDIA: media,
      PIPIT_BACKUP_TO: database.file('saved'),
    },
  };
  expect((await runCli(['backup'], here)).status).toBe(0);
  await posted(app, gif(), 'animation');
  const second = JSON.parse((await runCli(['backup', '--json'], here)).stdout);
  expect(second.media_files).toBe(3);
  const files = (await readdir(join(second.path, 'media'), { recursive: true })).filter((name) =>
    name.includes('.'),
  );
  const links = await Promise.all(
    files.map(async (name) => (await stat(join(second.path, 'media', name))).nlink),
  );
  expect(links.sort()).toEqual([1, 1, 2]);
  expect(await runCli(['backup', 'verify', database.file('saved')])).toMatchObject({ status: 0 });
  const there = database.file('there/pipit.db');
  const place = { env: { ...on(there).env, PIPIT_MEDIA: other.place() } };
  expect((await runCli(['restore', database.file('saved')], place)).status).toBe(0);
  const restored = await startUploads({
    world: null,
    database: { url: `sqlite:${there}`, dataFolder: undefined, remove: () => Promise.resolve() },
    flags: { media: other.place() },
  });
  const shown = await shownFiles(restored);
  expect(shown.length).toBe(6);
  for (const [status] of shown) expect(status).toBe(200);
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
