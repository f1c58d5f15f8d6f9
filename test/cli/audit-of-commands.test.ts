import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import type { CommandIo } from '../../src/commands/command.js';
import { sql } from '../../src/database/sql.js';
import { createProgram } from '../../src/commands/program.js';
import { openBackend } from '../../src/server/backend.js';
import { syntheticPage } from '../archive/synthetic.js';
import { createDatabase, runCli, temporaryFolder } from '../support/cli.js';

/** Commands that change no database: they read, speak to a server over HTTP, or are a server with a log of its own. */
const OTHERS = [
  ...[
    'app list',
    'app show',
    'audit',
    'backup list',
    'backup verify',
    'community list',
    'doctor',
    'follow-request list',
    'jobs list',
  ],
  ...['space list', 'user list', 'user show', 'authorize', 'lead', 'record', 'sandbox', 'serve', 'top'],
];

/** Commands that copy or place whole databases, tables and all, below the engine. */
const BELOW_THE_ENGINE = ['cluster distribute', 'cluster rebalance', 'move'];

const DAY = { created_at: '2024-05-01T00:00:00Z' };
const WORLD = {
  users: [
    { id: '1', username: 'alice', protected: true },
    { id: '2', username: 'bob' },
    { id: '3', username: 'carol' },
  ].map((user) => ({ ...DAY, ...user, name: user.username })),
  follows: [
    { from: 'bob', to: 'alice', pending: true },
    { from: 'carol', to: 'alice', pending: true },
  ],
};

/** Returns the words of every command that does something, such as `space create`. */
function commandsOf(command: Command, words: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [words.join(' ')];
  return command.commands.flatMap((each) => commandsOf(each, [...words, each.name()]));
}

test('every command that changes state leaves one entry in the audit log, in the transaction that does it', async () => {
  await using folder = await temporaryFolder();
  const database = folder.file('pipit.db');
  const io = { folder: folder.path, env: { PIPIT_DATABASE: `sqlite:${database}` } };
  await createDatabase(database);
  await writeFile(folder.file('world.json'), JSON.stringify(WORLD));
  await writeFile(folder.file('posts.jsonl'), `${syntheticPage(0, 5)}\n`);
  const run = async (...args: string[]): Promise<string> => {
    const outcome = await runCli(args, io);
    expect([args, outcome.status, outcome.stderr.replace(/^the previous database.*/, '')]).toEqual([
      args,
      0,
      '',
    ]);
    return outcome.stdout;
  };
  const actions = async (): Promise<string[]> => {
    const entries = JSON.parse(await run('audit', '--json')) as {
      action: string;
      target: { name: string };
    }[];
    return entries.map(({ action, target }) => (action === 'command.run' ? target.name : action));
  };
  const covered = new Set([...OTHERS, ...BELOW_THE_ENGINE]);
  /** Runs a command and expects its entry, by default that of a command, as the only new one. */
  const changes = async (command: string, args: readonly string[], entry = `pipit ${command}`) => {
    const before = await actions();
    const printed = await run(...command.split(' '), ...args);
    expect(await actions(), command).toEqual([entry, ...before]);
    covered.add(command);
    return printed;
  };
  const created = async (command: string, args: readonly string[], entry?: string): Promise<string> =>
    (JSON.parse(await changes(command, [...args, '--json'], entry)) as { id: string }).id;

  await changes('load', [folder.file('world.json')]);
  await changes('follow-request accept', ['alice', 'bob']);
  await changes('follow-request deny', ['alice', 'carol']);
  const space = await created('space create', ['Tides', '--creator', 'alice']);
  await changes('space update', [space, '--lang', 'en']);
  await changes('space start', [space]);
  await changes('space end', [space]);
  const community = await created('community create', ['Birds']);
  await changes('community join', [community, 'bob']);
  await changes('community leave', [community, 'bob']);
  await changes('import twarc', [folder.file('posts.jsonl'), '--json']);
  await changes('replay', [folder.file('posts.jsonl'), '--speed', '1000000']);
  await changes('reindex', []);
  await changes('user create', ['dora'], 'user.create');
  await changes('user operator', ['dora'], 'user.appoint');
  await changes('user suspend', ['carol'], 'user.suspend');
  await changes('user protect', ['bob'], 'user.protect');
  await changes('user subscribe', ['bob'], 'user.subscribe');
  await changes('user password', ['bob'], 'user.password');
  await changes('user scrub-places', ['bob', '--yes'], 'user.scrub_places');
  const app = await created('app create', ['Birds', '--owner', 'bob'], 'app.create');
  await changes('app update', [app, '--track', 'academic_research'], 'app.update');
  await changes('app keys regenerate', [app, '--yes'], 'app.regenerate_keys');
  const token = await changes(
    'token create',
    ['--app', app, '--user', 'bob', '--kind', 'oauth2', '--json'],
    'token.create',
  );
  await changes(
    'token revoke',
    [(JSON.parse(token) as { access_token: string }).access_token],
    'token.revoke',
  );
  await changes('app delete', [app, '--yes'], 'app.delete');
  await changes('user delete', ['carol', '--yes'], 'user.delete');
  const backend = await openBackend(io.env.PIPIT_DATABASE);
  await backend.engine.tx('enqueue', async (tx) => {
    for (const step of ['media', 'feed'] as const)
      await backend.queue.enqueue(tx, { kind: 'housekeeping', payload: { step } });
  });
  await backend.engine.tx('corrupt', (tx) => tx.run(sql`UPDATE user_counts SET posts = 99`));
  await backend.close();
  await changes('check', ['--repair']);
  await changes('prune', ['--imported-older-than', '1h', '--yes']);
  const jobs = JSON.parse(await run('jobs', '--json')) as { id: string; kind: string }[];
  const [retried = '', deleted = ''] = jobs.filter(({ kind }) => kind === 'housekeeping').map(({ id }) => id);
  await changes('jobs retry', [retried], 'job.retry');
  await changes('jobs delete', [deleted, '--yes'], 'job.delete');
  await changes('backup create', [folder.file('saved')]);
  // The log of the restored database ends where the backup was made.
  await run('restore', folder.file('saved'), '--yes');
  expect((await actions()).slice(0, 2)).toEqual(['pipit restore', 'job.delete']);
  covered.add('restore');

  expect([...covered].sort()).toEqual(commandsOf(createProgram({} as CommandIo, () => undefined)).sort());
});

test('what is refused or only tried leaves no entry; options, which may be secrets, are in none', async () => {
  await using folder = await temporaryFolder();
  const io = { folder: folder.path, env: { PIPIT_DATABASE: `sqlite:${folder.file('pipit.db')}` } };
  await createDatabase(folder.file('pipit.db'));
  await writeFile(folder.file('posts.jsonl'), `${syntheticPage(0, 5)}\n`);
  await writeFile(folder.file('bad.json'), JSON.stringify({ users: [{ username: '!' }] }));
  for (const args of [
    ['load', folder.file('bad.json')],
    ['space', 'create', 'Tides', '--creator', 'nobody'],
    ['community', 'leave', '1', 'nobody'],
    ['jobs', 'retry', '1'],
  ])
    expect((await runCli(args, io)).status, args.join(' ')).not.toBe(0);
  await runCli(['import', 'twarc', folder.file('posts.jsonl'), '--dry-run'], io);
  expect((await runCli(['audit'], io)).stdout).toBe('');
  await runCli(['community', 'create', `Birds\n${'x'.repeat(10)}`, '--description', 'not for the log'], io);
  const { stdout } = await runCli(['audit'], io);
  expect(stdout).toMatch(/ {2}command line {2}command\.run {2}pipit community create {2}Birds x{10}$/);
});
