import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openBackend } from '../../src/server/backend.js';
import { parseKey } from '../../src/services/secrets/key-text.js';
import { sql } from '../../src/database/sql.js';
import { parseMediaPlace } from '../../src/stores/blobs/media-place.js';
import { openBlobs } from '../../src/stores/blobs/open-blobs.js';
import { readBlob } from '../../src/stores/blobs/whole-blobs.js';
import { startObjectStore } from '../blobs/support/object-store.js';
import { runCli, serveHere, temporaryFolder } from '../support/cli.js';

/** What all servers of a database must share: the key of secrets and the place of media. */

async function open() {
  const folder = await temporaryFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const url = `sqlite:${folder.file('data/pipit.db')}`;
  const cli = (args: string[], env: Record<string, string> = {}) =>
    runCli(args, { folder: folder.path, env: { PIPIT_DATABASE: url, ...env } });
  return {
    folder,
    url,
    cli,
    serve: (...args: string[]) =>
      cli(['serve', '--port', '0', '--log-level', 'silent', '--share-database', ...args]),
  };
}

test('a second server is refused with another key or another place of media, and accepted with the same', async () => {
  const { folder, serve, cli } = await open();
  const first = await serveHere(folder.path, '--share-database');
  const key = folder.file('data/pipit.key');
  await writeFile(folder.file('other.key'), randomBytes(32), { mode: 0o600 });
  expect(await serve('--key-file', folder.file('other.key'))).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^pipit: the key file .*other\.key is not the key of this database: give each/,
    ),
  });
  expect(await serve('--key-file', folder.file('missing.key'))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('missing.key is missing'),
  });
  expect(await serve('--media', folder.file('elsewhere'))).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /another server .* another place for media, or was killed .*give all servers .* the same --media$/,
    ),
  });
  await copyFile(key, folder.file('copied.key'));
  const shared = ['--key-file', folder.file('copied.key'), '--media', folder.file('data/media')];
  expect(await serve(...shared)).toMatchObject({ status: 0 });

  const doctor = await cli([
    'doctor',
    '--media',
    folder.file('elsewhere'),
    '--key-file',
    folder.file('other.key'),
  ]);
  expect(doctor.status).toBe(1);
  expect(doctor.stderr).toMatch(
    /key file: this key is not the one of the database: .*; media: this server would keep/,
  );
  expect((await cli(['doctor', ...shared])).status).toBe(0);

  // Alone, a server may change its place of media and its base URL.
  await first.stop();
  const second = await serveHere(folder.path, '--share-database', '--base-url', 'https://one.example');
  expect(await serve('--base-url', 'https://two.example')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('another base URL'),
  });
  expect(await cli(['doctor'], { PIPIT_BASE_URL: 'https://two.example' })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('use https://one.example: give all of them the same --base-url'),
  });
  await second.stop();
  expect(await serve('--base-url', 'https://two.example')).toMatchObject({ status: 0 });
  expect(await serve('--media', folder.file('elsewhere'))).toMatchObject({ status: 0 });
  expect((await cli(['doctor', '--media', folder.file('elsewhere')])).status).toBe(0);
  expect((await cli(['load', folder.file('none.json')])).status).toBe(1);
});

test('a server starts while its object store is gone', async () => {
  const { cli, folder } = await open();
  const media = 's3://pipit-test?endpoint=http://127.0.0.1:1';
  const env = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await cli(['serve', '--port', '0', '--log-level', 'silent', '--media', media], env)).toMatchObject({
    status: 0,
  });
  const doctor = await cli(['doctor', '--media', media], env);
  expect(doctor).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('the object store cannot serve'),
  });
  expect(await cli(['serve', '--media', folder.file('x'), '--media-links', 'signed'])).toMatchObject({
    status: 2,
    stderr: 'pipit: --media-links signed needs --media s3://…',
  });
});

test('the key may be in a secret variable: no file is created, and commands use it', async () => {
  const { folder, serve, cli } = await open();
  const env = { PIPIT_KEY: randomBytes(32).toString('hex') };
  const args = ['serve', '--port', '0', '--log-level', 'silent'];
  expect((await cli(args, env)).status).toBe(0);
  expect(await readdir(folder.file('data'))).not.toContain('pipit.key');
  expect((await cli(['app', 'create', 'x', '--owner', 'owner'], env)).status).toBe(0);
  expect((await cli(['doctor'], env)).status).toBe(0);
  expect(await serve()).toMatchObject({ status: 1, stderr: expect.stringContaining('pipit.key is missing') });
  const twice = await cli([...args, '--key-file', 'x.key'], env);
  expect(twice).toMatchObject({
    status: 2,
    stderr: 'pipit: name the key once: by --key-file or by PIPIT_KEY',
  });
  const refused = await cli(args, { PIPIT_KEY: 'secret words' });
  expect(refused.status).toBe(2);
  expect(refused.stderr).not.toContain('secret words');
});

test('backups contain the key and the media of other places, and restores put them there', async () => {
  const { folder, cli } = await open();
  const places = ['--key-file', folder.file('keys/a.key'), '--media', folder.file('files')];
  expect((await cli(['serve', '--port', '0', '--log-level', 'silent', ...places])).status).toBe(0);
  const blob = folder.file('files/34/1234/a.png');
  await mkdir(join(blob, '..'), { recursive: true });
  const backend = await openBackend(`sqlite:${folder.file('data/pipit.db')}`, {
    keyPlace: { kind: 'file', file: folder.file('keys/a.key') },
  });
  await backend.engine.tx('a medium', (tx) =>
    tx.run(sql`INSERT INTO media_uploads (media_id, owner_id, total_bytes, state, expires_at, facts)
      VALUES (1234, 1, 3, 'succeeded', 9000000000000000, '{"blob":"1234/a.png"}')`),
  );
  await backend.close();
  await writeFile(blob, 'png');
  expect(await cli(['backup', folder.file('saved'), ...places])).toMatchObject({ status: 0 });
  await rm(folder.file('files'), { recursive: true });
  await rm(folder.file('keys'), { recursive: true });
  expect(await cli(['restore', folder.file('saved'), '--yes', ...places])).toMatchObject({ status: 0 });
  expect(await readdir(folder.file('files/34/1234'))).toEqual(['a.png']);
  expect((await cli(['serve', '--port', '0', '--log-level', 'silent', ...places])).status).toBe(0);
  const env = { PIPIT_KEY: randomBytes(32).toString('base64') };
  expect(
    await cli(['restore', folder.file('saved'), '--yes', '--media', folder.file('files')], env),
  ).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('another key than PIPIT_KEY'),
  });
  await using objects = await startObjectStore();
  const bucket = ['--key-file', folder.file('keys/a.key'), '--media', objects.place()];
  expect(await cli(['restore', folder.file('saved'), '--yes', ...bucket])).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('the previous database is kept as'),
  });
  const blobs = await openBlobs(parseMediaPlace(objects.place()), folder.file('drafts'));
  expect(String(await readBlob(blobs, '1234/a.png'))).toBe('png');
  await blobs.close();
});

test('a wrong key is not recorded in a database that is older than the fingerprint', async () => {
  const { folder, url, serve } = await open();
  expect((await serve()).status).toBe(0);
  const backend = await openBackend(url);
  await backend.engine.tx('forget the key', (tx) => tx.run(sql`DELETE FROM shared_facts`));
  await backend.close();
  await writeFile(folder.file('other.key'), randomBytes(32), { mode: 0o600 });
  expect(await serve('--key-file', folder.file('other.key'))).toMatchObject({ status: 1 });
  expect((await serve()).status).toBe(0);
});

test('a key is written in hexadecimal or base64', () => {
  const key = randomBytes(32);
  expect(parseKey(key.toString('hex'))).toEqual(key);
  expect(parseKey(key.toString('base64'))).toEqual(key);
  for (const text of ['', key.toString('hex').slice(2), `${key.toString('base64')} `, 'a'.repeat(44)])
    expect(parseKey(text)).toBeUndefined();
});
