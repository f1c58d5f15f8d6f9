import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { runCli, spawnCli } from '../support/cli.js';
import { createSharedDatabase } from '../support/test-database.js';
import { syntheticPage, syntheticPostId } from '../archive/synthetic.js';
import type { LooseJson } from '../support/loose-json.js';

/** The commands of an operator on one database, each in its own process or run. */

async function getJson(url: string, token: string) {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, body: (await answer.json()) as LooseJson };
}

test('data of the first start and of an import is present after a restart', async () => {
  await using database = await createSharedDatabase();
  const serve = () => spawnCli(['serve', '--port', '0', '--database', database.url], database.folder);
  await using first = serve();
  await first.ready();
  const [file = 'none'] = /\S+credentials\.json/.exec(first.stderr()) ?? [];
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { bearer_token, oauth2 } = JSON.parse(await readFile(file, 'utf8'));
  first.child.kill('SIGTERM');
  expect(await first.exit()).toBe(0);

  const archive = ['import', 'twarc', '-', '--json', '--database', database.url];
  const stdin = Readable.from([syntheticPage(0, 10)]);
  const imported = await runCli(archive, { stdin, folder: database.folder });
  expect(JSON.parse(imported.stdout)).toMatchObject({ posts: { new: 10 }, refused: 0 });

  await using second = serve();
  const url = await second.ready();
  expect((await getJson(`${url}/2/users/me`, oauth2.access_token)).body.data.username).toBe('owner');
  const post = await getJson(`${url}/2/tweets/${syntheticPostId(9)}`, bearer_token);
  expect(post.body.data.id).toBe(syntheticPostId(9));
  second.child.kill('SIGTERM');
  expect(await second.exit()).toBe(0);
});

test('two servers started concurrently on an empty database share owner, app and key', async () => {
  await using database = await createSharedDatabase({ isBare: true });
  const args = ['serve', '--port', '0', '--share-database', '--database', database.url];
  await using one = spawnCli(args, database.folder);
  await using other = spawnCli(args, database.folder);
  const urls = await Promise.all([one.ready(), other.ready()]);
  const [file = 'none'] = /\S+credentials\.json/.exec(one.stderr() + other.stderr()) ?? [];
  const { oauth2 } = JSON.parse(await readFile(file, 'utf8'));
  for (const url of urls) expect((await getJson(`${url}/2/users/me`, oauth2.access_token)).status).toBe(200);
});
