import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { bearer, send } from '../processes/support/cluster.js';
import { stopUnderLoad } from '../processes/support/stop-under-load.js';
import { runCli, spawnCli } from '../support/cli.js';
import { createSharedDatabase } from '../support/test-database.js';
import { syntheticPage, syntheticPostId } from '../archive/synthetic.js';

/** The commands of an operator on one database, each in its own process or run. */

test('two servers started concurrently on an empty database share owner, app and key; a restart finds these and an import; each stops without losing requests', async () => {
  await using database = await createSharedDatabase({ isBare: true });
  const args = [
    'serve',
    '--port',
    '0',
    '--share-database',
    '--rate-limits',
    'off',
    '--database',
    database.url,
  ];
  const serve = () => spawnCli(args, database.folder);
  await using one = serve();
  await using other = serve();
  const urls = await Promise.all([one.ready(), other.ready()]);
  const [file = 'none'] = /\S+credentials\.json/.exec(one.stderr() + other.stderr()) ?? [];
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { bearer_token: app, oauth2 } = JSON.parse(await readFile(file, 'utf8'));
  const token = oauth2.access_token;
  for (const url of urls) expect((await send(`${url}/2/users/me`, bearer(token))).status).toBe(200);
  await stopUnderLoad({ url: urls[0], token, stop: () => one.child.kill('SIGTERM') });
  expect(await one.exit()).toBe(0);
  other.child.kill('SIGINT');
  expect(await other.exit()).toBe(0);

  const archive = ['import', 'twarc', '-', '--json', '--database', database.url];
  const stdin = Readable.from([syntheticPage(0, 10)]);
  const imported = await runCli(archive, { stdin, folder: database.folder });
  expect(JSON.parse(imported.stdout)).toMatchObject({ posts: { new: 10 }, refused: 0 });

  await using again = serve();
  const url = await again.ready();
  expect((await send(`${url}/2/users/me`, bearer(token))).body.data.username).toBe('owner');
  const post = await send(`${url}/2/tweets/${syntheticPostId(9)}`, bearer(app));
  expect(post.body.data.id).toBe(syntheticPostId(9));
});
