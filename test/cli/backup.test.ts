import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBackend } from '../../src/server/backend.js';
import { sealOwner } from '../../src/services/secrets/vault.js';
import { findOAuth1Token } from '../../src/stores/tokens.js';
import { bearer, send } from '../processes/support/cluster.js';
import { createDatabase, runCli, serveHere, spawnCli, temporaryFolder } from '../support/cli.js';
import { APP, standardWorld } from '../support/world.js';

const TOKEN = { access_token: '1002-abc', access_token_secret: 'oauth1secret' };
const WORLD = {
  ...standardWorld(),
  tokens: [{ app: APP.id, user: 'bob', kind: 'oauth1', ...TOKEN }],
};

const on = (file: string): { env: Record<string, string> } => ({ env: { PIPIT_DATABASE: `sqlite:${file}` } });

/** Returns the secret that signs the OAuth 1.0a token’s requests. */
async function openTokenSecret(file: string): Promise<string> {
  const backend = await openBackend(`sqlite:${file}`);
  try {
    const token = await findOAuth1Token(backend.engine, TOKEN.access_token, APP.api_key);
    return backend.vault.open(token?.secretSealed ?? '', sealOwner.oauth1Token(TOKEN.access_token));
  } finally {
    await backend.close();
  }
}

test('a backup of a running server restores users, posts and tokens elsewhere', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('world.json'), JSON.stringify(WORLD));
  await using server = spawnCli(['serve', '--port', '0', '--load', 'world.json'], folder.path);
  await server.ready();
  const saved = await runCli(['backup', folder.file('saved'), '--json'], on(folder.file('data/pipit.db')));
  expect(saved).toMatchObject({ status: 0, stderr: '' });
  expect((await stat(folder.file('saved'))).mode & 0o777).toBe(0o700);
  for (const name of await readdir(folder.file('saved')))
    expect((await stat(folder.file(`saved/${name}`))).mode & 0o777, name).toBe(0o600);
  expect(JSON.parse(saved.stdout).database_bytes).toBe((await stat(folder.file('saved/pipit.db'))).size);

  const there = folder.file('there/data/pipit.db');
  const restored = await runCli(['restore', folder.file('saved'), '--json'], on(there));
  const { created_at } = JSON.parse(saved.stdout);
  expect(JSON.parse(restored.stdout)).toEqual({ file: folder.file('saved'), created_at, database: there });
  const other = await serveHere(folder.file('there'));
  const { body } = await send(`${other.url}/2/users/by/username/dave`, bearer(APP.bearer_token));
  expect(body).toMatchObject({ data: { username: 'dave' } });
  expect(await other.stop()).toBe(0);
});

test('a restored database opens with its key', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('world.json'), JSON.stringify(WORLD));
  const [here, there, saved] = [folder.file('a/pipit.db'), folder.file('b/pipit.db'), folder.file('saved')];
  await runCli(['load', folder.file('world.json')], on(here));
  await runCli(['backup', saved], on(here));
  expect(await runCli(['restore', saved], on(there))).toMatchObject({ status: 0 });
  expect(await openTokenSecret(there)).toBe(TOKEN.access_token_secret);
  expect(JSON.parse((await runCli(['user', 'list', '--json'], on(there))).stdout)).toHaveLength(5);
  const key = await readFile(folder.file('a/pipit.key'));
  expect(await readFile(join(saved, 'pipit.key'))).toEqual(key);
  expect((await readFile(there)).includes(key), 'the key is beside the database, not in it').toBe(false);
});

test('a restore replaces a database only with --yes, and then completely', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('world.json'), JSON.stringify(WORLD));
  const [file, saved] = [folder.file('pipit.db'), folder.file('saved')];
  await runCli(['load', folder.file('world.json')], on(file));
  await runCli(['backup', saved], on(file));
  await runCli(['user', 'create', 'late'], on(file));
  expect(await runCli(['restore', saved], on(file))).toMatchObject({
    status: 2,
    stderr: `pipit: this would replace ${file}, keeping it as ${file}.before-restore: add --yes to continue`,
  });
  for (let round = 1; round <= 2; round += 1) {
    expect((await runCli(['restore', saved, '--yes'], on(file))).status).toBe(0);
  }
  expect((await runCli(['user', 'show', 'late'], on(file))).status).toBe(1);
  expect(await openTokenSecret(file)).toBe(TOKEN.access_token_secret);
});

test('a restore is refused while a process uses the database', async () => {
  await using folder = await temporaryFolder();
  const [file, saved] = [folder.file('pipit.db'), folder.file('saved')];
  await createDatabase(file);
  await runCli(['user', 'create', 'erin'], on(file));
  await runCli(['backup', saved], on(file));
  const backend = await openBackend(`sqlite:${file}`);
  expect((await runCli(['restore', saved, '--yes'], on(file))).stderr).toMatch(/another process uses/);
  await backend.close();
  expect((await runCli(['restore', saved, '--yes'], on(file))).status).toBe(0);
});

test('a restore of a file that is not a backup changes nothing', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('pipit.db');
  await createDatabase(file);
  await runCli(['user', 'create', 'erin'], on(file));
  await writeFile(folder.file('text'), 'no backup at all, only text that goes on for a while '.repeat(50));
  await writeFile(folder.file('empty'), '');
  await mkdir(folder.file('folder'));
  for (const name of ['text', 'empty', 'pipit.db', 'absent', 'folder']) {
    const outcome = await runCli(['restore', folder.file(name), '--yes'], on(file));
    expect(outcome.status, name).toBe(1);
    expect(outcome.stderr.split('\n'), name).toHaveLength(1);
  }
  expect((await runCli(['user', 'show', 'erin'], on(file))).status).toBe(0);
});

test('a restore does not overwrite another database’s key unless confirmed', async () => {
  await using folder = await temporaryFolder();
  const saved = folder.file('saved');
  await createDatabase(folder.file('a/pipit.db'));
  await runCli(['user', 'create', 'erin'], on(folder.file('a/pipit.db')));
  await runCli(['backup', saved], on(folder.file('a/pipit.db')));
  await createDatabase(folder.file('b/other.db'));
  await runCli(['user', 'create', 'frank'], on(folder.file('b/other.db')));
  const outcome = await runCli(['restore', saved], on(folder.file('b/pipit.db')));
  expect(outcome.stderr).toMatch(/pipit\.key is another database's key: --yes replaces it/);
});

test('a backup overwrites nothing and requires a database', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('pipit.db');
  await createDatabase(file);
  await runCli(['user', 'create', 'erin'], on(file));
  await writeFile(folder.file('taken'), 'mine');
  expect((await runCli(['backup', folder.file('taken')], on(file))).stderr).toMatch(
    /never overwrites anything/,
  );
  expect(await readFile(folder.file('taken'), 'utf8')).toBe('mine');
  expect((await runCli(['backup', folder.file('b')], on(folder.file('none.db')))).stderr).toMatch(
    /there is no database at .*none\.db/,
  );
  expect((await runCli(['backup', folder.file('b'), '--database', 'sqlite::memory:'])).status).toBe(2);
});

test('a database without its key is refused and gets no other key', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('world.json'), JSON.stringify(WORLD));
  await runCli(['load', folder.file('world.json')], on(folder.file('a/pipit.db')));
  await writeFile(folder.file('b.db'), await readFile(folder.file('a/pipit.db')));
  const outcome = await runCli(['user', 'list'], on(folder.file('b.db')));
  expect(outcome.stderr).toMatch(/key file .*pipit\.key is missing/);
});

test('an interrupted backup or restore leaves no copy of secrets and changes nothing', async () => {
  await using folder = await temporaryFolder();
  const [here, there, saved] = [folder.file('a/pipit.db'), folder.file('b/pipit.db'), folder.file('saved')];
  await writeFile(folder.file('world.json'), JSON.stringify(WORLD));
  await runCli(['load', folder.file('world.json')], on(here));
  const stopRequested = (): Promise<void> => Promise.resolve();
  const stopped = { status: 1, stderr: expect.stringMatching(/\npipit: stopped: nothing was changed$/) };
  expect(await runCli(['backup', saved], { ...on(here), stopRequested })).toMatchObject(stopped);
  expect((await readdir(folder.path)).sort()).toEqual(['a', 'world.json']);
  await runCli(['backup', saved], on(here));
  expect(await runCli(['restore', saved], { ...on(there), stopRequested })).toMatchObject(stopped);
  expect((await readdir(folder.file('b'))).filter((name) => !name.endsWith('-lock'))).toEqual([]);
});
