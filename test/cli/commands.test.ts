import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openBackend } from '../../src/server/backend.js';
import { sql } from '../../src/database/sql.js';
import { createDatabase, runCli, temporaryFolder, type CliOutcome } from '../support/cli.js';
import { createSharedDatabase } from '../support/test-database.js';
import { APP, standardWorld, USERS } from '../support/world.js';
import type { LooseJson } from '../support/loose-json.js';

/** Runs commands on one database with `--json`. */
type Pipit = (...args: string[]) => Promise<CliOutcome & { json: LooseJson }>;

async function withDatabase(
  work: (pipit: Pipit, file: (name: string) => string) => Promise<void>,
): Promise<void> {
  await using database = await createSharedDatabase();
  const io = { folder: database.folder, env: { PIPIT_DATABASE: database.url } };
  await work(async (...args) => {
    const outcome = await runCli([...args, '--json'], io);
    return { ...outcome, json: outcome.stdout === '' ? undefined : JSON.parse(outcome.stdout) };
  }, database.file);
}

async function withWorld(work: (pipit: Pipit) => Promise<void>): Promise<void> {
  await withDatabase(async (pipit, file) => {
    await writeFile(file('world.json'), JSON.stringify(standardWorld()));
    expect(await pipit('load', file('world.json'))).toMatchObject({ status: 0, stderr: '' });
    await work(pipit);
  });
}

test('user create creates an account, shown by list and show', () =>
  withDatabase(async (pipit) => {
    const created = await pipit(
      'user',
      'create',
      'erin',
      '--name',
      'Erin E',
      '--protected',
      '--password',
      'a pond full of words',
    );
    expect(created.json).toMatchObject({
      username: 'erin',
      name: 'Erin E',
      protected: true,
      suspended: false,
    });
    expect(created.json.id).toMatch(/^[0-9]+$/);
    expect((await pipit('user', 'show', '@ERIN')).json).toMatchObject({
      id: created.json.id,
      public_metrics: { followers_count: 0, following_count: 0, tweet_count: 0, listed_count: 0 },
    });
    expect((await pipit('user', 'list')).json).toEqual([created.json]);
  }));

test('user create refuses a username in use', () =>
  withDatabase(async (pipit) => {
    await pipit('user', 'create', 'erin');
    expect(await pipit('user', 'create', 'Erin')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'pipit: the username @Erin is taken',
    });
  }));

test('user create prompts for the password on a terminal', async () => {
  await using folder = await temporaryFolder();
  await createDatabase(folder.file('p.db'));
  const questions: string[] = [];
  const outcome = await runCli(['user', 'create', 'erin', '--database', `sqlite:${folder.file('p.db')}`], {
    askSecret: (question) => {
      questions.push(question);
      return Promise.resolve('a secret of erin');
    },
  });
  expect(outcome.status).toBe(0);
  expect(questions).toEqual(['Password for @erin: ']);
  expect(outcome.stdout).not.toContain('a secret of erin');
});

test('user suspend hides an account, and --lift restores it', () =>
  withWorld(async (pipit) => {
    expect((await pipit('user', 'suspend', 'bob')).json.suspended).toBe(true);
    expect((await pipit('user', 'show', 'bob')).json.suspended).toBe(true);
    await pipit('user', 'suspend', 'bob', '--lift');
    expect((await pipit('user', 'show', 'bob')).json.suspended).toBe(false);
  }));

test('user delete deletes posts and edges and updates counts', () =>
  withWorld(async (pipit) => {
    expect(await pipit('user', 'delete', 'bob', '--yes')).toMatchObject({
      status: 0,
      json: { deleted: true },
    });
    expect(await pipit('user', 'show', 'bob')).toMatchObject({
      status: 1,
      stderr: 'pipit: there is no user @bob',
    });
    expect((await pipit('user', 'show', 'alice')).json.public_metrics).toMatchObject({ followers_count: 1 });
    expect((await pipit('user', 'show', 'dave')).json.public_metrics).toMatchObject({ followers_count: 0 });
    expect((await pipit('user', 'delete', 'alice')).stderr).toMatch(/owns apps \(2001\): delete them first/);
  }));

test('app create prints the credentials once, with the keys of world files', () =>
  withWorld(async (pipit) => {
    const created = await pipit(
      ...['app', 'create', 'my app', '--owner', 'bob', '--permissions', 'read_write', '--track', 'standard'],
      ...['--access-level', 'basic', '--redirect-uri', 'http://a.example/', '--redirect-uri', 'myapp://back'],
      ...['--description', 'Counts birds.', '--website', 'https://a.example/'],
    );
    expect(created.json).toMatchObject({
      name: 'my app',
      owner: 'bob',
      access_level: 'basic',
      track: 'standard',
      permissions: 'read_write',
      redirect_uris: ['http://a.example/', 'myapp://back'],
      description: 'Counts birds.',
      website: 'https://a.example/',
    });
    for (const key of ['id', 'api_key', 'api_secret', 'bearer_token', 'client_id', 'client_secret']) {
      expect(created.json[key], key).toMatch(/^[!-~]+$/);
    }
    const shown = (await pipit('app', 'show', created.json.id)).json;
    expect(shown).not.toHaveProperty('api_secret');
    expect(shown).not.toHaveProperty('bearer_token');
    expect((await pipit('app', 'list')).json.map((app: { id: string }) => app.id)).toEqual([
      APP.id,
      created.json.id,
    ]);
  }));

test('a public app has no client secret', () =>
  withWorld(async (pipit) => {
    const { json } = await pipit('app', 'create', 'native', '--owner', 'bob', '--public');
    expect(json).not.toHaveProperty('client_secret');
  }));

test('app create without --owner uses the only user or the owner of the first start', () =>
  withDatabase(async (pipit) => {
    const create = () => pipit('app', 'create', 'my app');
    expect(await create()).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^pipit: specify the owner with --owner <username>; there is no user/),
    });
    await pipit('user', 'create', 'erin');
    expect((await create()).json).toMatchObject({ name: 'my app', owner: 'erin' });
    await pipit('user', 'create', 'frank');
    expect(await create()).toMatchObject({
      status: 2,
      stderr: 'pipit: specify the owner with --owner <username>; there are several users',
    });
    await pipit('user', 'create', 'owner');
    expect((await create()).json).toMatchObject({ owner: 'owner' });
    expect((await pipit('app', 'create', 'x', '--owner', 'nobody')).status).toBe(1);
  }));

test('a change of permissions reports that tokens must be regenerated', () =>
  withWorld(async (pipit) => {
    const changed = await pipit('app', 'update', APP.id, '--permissions', 'read', '--name', 'renamed');
    expect(changed).toMatchObject({ status: 0, json: { permissions: 'read', name: 'renamed' } });
    expect(changed.stderr).toMatch(/issue new ones/);
    expect((await pipit('app', 'update', APP.id, '--track', 'standard')).stderr).toBe('');
  }));

test('app keys regenerate replaces keys, and app delete removes the app', () =>
  withWorld(async (pipit) => {
    const { json } = await pipit('app', 'keys', 'regenerate', APP.id, '--yes');
    expect(json).toMatchObject({ id: APP.id, client_id: APP.client_id });
    expect(json.api_key).not.toBe(APP.api_key);
    expect((await pipit('app', 'delete', APP.id, '--yes')).json).toEqual({ id: APP.id, deleted: true });
    expect(await pipit('app', 'show', APP.id)).toMatchObject({
      status: 1,
      stderr: `pipit: there is no app ${APP.id}`,
    });
  }));

test('token create prints what clients need, and token revoke revokes it', () =>
  withWorld(async (pipit) => {
    const oauth1 = await pipit('token', 'create', '--app', APP.id, '--user', 'bob', '--kind', 'oauth1');
    expect(oauth1.json.access_token).toMatch(new RegExp(`^${USERS.bob}-`));
    expect(oauth1.json.access_token_secret).toMatch(/./);
    const oauth2 = await pipit('token', 'create', '--app', APP.id, '--user', 'bob', '--kind', 'oauth2');
    expect(oauth2.json).toMatchObject({ refresh_token: expect.any(String), expires_at: expect.any(String) });
    const narrow = await pipit(
      ...['token', 'create', '--app', APP.id, '--user', 'bob', '--kind', 'oauth2'],
      ...['--scope', 'tweet.read', '--scope', 'users.read'],
    );
    expect(narrow.json.scopes).toEqual(['tweet.read', 'users.read']);
    expect(narrow.json).not.toHaveProperty('refresh_token');
    for (const { json } of [oauth1, oauth2]) {
      expect((await pipit('token', 'revoke', json.access_token)).json).toEqual({ revoked: true });
      expect((await pipit('token', 'revoke', json.access_token)).status).toBe(1);
    }
  }));

test('follow-request list, accept and deny manage the requests of a protected account', () =>
  withWorld(async (pipit) => {
    expect((await pipit('follow-request', 'list', 'dave')).json).toEqual([
      { from: 'carol', to: 'dave', pending: true },
    ]);
    expect((await pipit('follow-request', 'accept', 'dave', 'carol')).json.following).toBe(true);
    expect((await pipit('user', 'show', 'dave')).json.public_metrics.followers_count).toBe(2);
    expect((await pipit('follow-request', 'list', 'dave')).json).toEqual([]);
    expect(await pipit('follow-request', 'deny', 'dave', 'carol')).toMatchObject({
      status: 1,
      stderr: 'pipit: @carol has not asked to follow @dave',
    });
  }));

test('a file that is not a database is refused in one line', async () => {
  await using folder = await temporaryFolder();
  await writeFile(
    folder.file('text.db'),
    'this is text, and long enough to be told from a header of SQLite'.repeat(20),
  );
  const outcome = await runCli(['user', 'list', '--database', `sqlite:${folder.file('text.db')}`]);
  expect(outcome).toMatchObject({ status: 1, stdout: '' });
  expect(outcome.stderr.split('\n')).toHaveLength(1);
});

test('a database of a newer Pipit is refused in one line', async () => {
  await using folder = await temporaryFolder();
  const database = `sqlite:${folder.file('pipit.db')}`;
  const backend = await openBackend(database);
  await backend.engine.tx('pretend', (tx) =>
    tx.run(sql`INSERT INTO pipit_migrations (version, name, applied_at) VALUES (999, 'later', 0)`),
  );
  await backend.close();
  const outcome = await runCli(['user', 'list', '--database', database]);
  expect(outcome).toMatchObject({ status: 1, stdout: '' });
  expect(outcome.stderr).toMatch(/^pipit: the database has schema version 999 .*run a newer Pipit$/);
});

test('results without --json are readable lines', () =>
  withWorld(async () => {
    await using folder = await temporaryFolder();
    const database = ['--database', `sqlite:${folder.file('p.db')}`];
    await writeFile(folder.file('w.json'), JSON.stringify(standardWorld()));
    const loaded = await runCli(['load', folder.file('w.json'), ...database]);
    expect(loaded.stdout).toMatch(/w\.json: added 5 users, 4 follows, 1 blocks/);
    expect((await runCli(['user', 'list', ...database])).stdout.split('\n')).toContain(
      '1004  @dave  Dave  protected',
    );
    expect((await runCli(['app', 'show', APP.id, ...database])).stdout).toContain(
      'permissions: read_write_dm',
    );
  }));
